"""The examples in the docstrings say what happens, and every public name has one."""

import doctest
import pkgutil
from importlib import import_module
from importlib.util import find_spec

import pytest

import rearc

PUBLIC = ["rearc", *(f"rearc.{name}" for name in (
    "treebank", "treebank.drawing", "systems", "oracles", "features", "segment", "tagger", "parser", "training",
    "evaluation",
))]  # fmt: skip
NEEDS = {  # a package, and the extra that brings it
    "rearc.neural.losses": ("torch", "neural"),
    "rearc.neural.minibatches": ("torch", "neural"),
    "rearc.neural.recurrence": ("torch", "neural"),
    "rearc.neural.torch_model": ("torch", "neural"),
    "rearc.training.bilstm": ("torch", "neural"),
    "rearc.evaluation.plot": ("matplotlib", "plot"),
    "rearc.bridges.tables": ("pandas", "tables"),
    "rearc.bridges.documents": ("pandas", "tables"),
    "rearc.bridges.spacy": ("spacy", "spacy"),
}
MODULES = ["rearc", *(module.name for module in pkgutil.walk_packages(rearc.__path__, "rearc."))]
NAMES = [(package, name) for package in PUBLIC for name in import_module(package).__all__]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_the_examples_of_a_module(name: str, monkeypatch: pytest.MonkeyPatch):
    package, extra = NEEDS.get(name, ("rearc", ""))
    if find_spec(package) is None:
        pytest.skip(f"no {package}; pip install 'rearc[{extra}]'")
    monkeypatch.setenv("COLUMNS", "80")
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_every_public_name_has_an_example_that_runs(package: str, name: str):
    thing = getattr(import_module(package), name)
    if name == "__version__":
        return
    assert doctest.DocTestParser().get_examples(thing.__doc__ or ""), f"{package}.{name}"


def test_examples_of_compiled_modules_are_run():
    """Else the examples there would never fail."""
    for name in ("rearc.treebank.sentence", "rearc.systems.base", "rearc.oracles.base", "rearc.treebank.reader"):
        assert doctest.testmod(import_module(name)).attempted > 0, name
