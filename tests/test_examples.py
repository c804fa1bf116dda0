"""The examples in the docstrings say what happens, and every public name has one."""

import doctest
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rearc
from tests.extras import EXTRAS, reason

ROOT = Path(__file__).parents[1]
PUBLIC = ["rearc", *(f"rearc.{name}" for name in (
    "treebank", "treebank.drawing", "systems", "oracles", "features", "segment", "tagger", "parser", "training",
    "evaluation",
))]  # fmt: skip
NEEDS = {  # what the examples of a module import that the module itself does not
    "rearc.evaluation.plot": "matplotlib",
    "rearc.bridges.tables": "pandas",
    "rearc.bridges.documents": "pandas",
}
MODULES = ["rearc", *(module.name for module in pkgutil.walk_packages(rearc.__path__, "rearc."))]
NAMES = [(package, name) for package in PUBLIC for name in import_module(package).__all__]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_the_examples_of_a_module(name: str, monkeypatch: pytest.MonkeyPatch):
    try:
        import_module(NEEDS.get(name, "rearc"))
        module = import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(reason(error))
    monkeypatch.setenv("COLUMNS", "80")
    assert doctest.testmod(module).failed == 0


def test_what_needs_an_extra_is_left_out_where_it_is_not_installed():
    """All that the tests look at can be found with what `pip install '.[test]'` brings."""
    hidden = f"import sys; sys.modules |= dict.fromkeys({[*EXTRAS]})"
    code = f"{hidden}; from tests.api.surface import targets; print(len(targets()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200


def test_an_error_that_no_extra_mends_is_one():
    with pytest.raises(ModuleNotFoundError):
        reason(ModuleNotFoundError(name="rearc.nowhere"))
    assert reason(ModuleNotFoundError(name="torch.nn")) == "no torch; pip install 'rearc[neural]'"


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
