"""What `import rearc` gives, and what it does not load."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import rearc


def test_the_names():
    assert rearc.__version__ == version("rearc")
    assert issubclass(rearc.RearcError, ValueError)
    assert rearc.Sentence(["a"]).forms == ["a"]
    assert set(rearc.__all__) == set(dir(rearc))
    for name in rearc.__all__:
        assert getattr(rearc, name) is getattr(rearc, name)
    with pytest.raises(AttributeError, match="module 'rearc' has no attribute 'lood'"):
        rearc.lood  # noqa: B018


@pytest.mark.parametrize("first", ["rearc.training.loop", "rearc.parser.parser", "rearc.treebank.writer"])
def test_names_do_not_depend_on_what_was_imported_before(first: str):
    program = f"import {first}, rearc; print(callable(rearc.train), callable(rearc.load), callable(rearc.write))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "True True True\n"


@pytest.mark.parametrize(
    ("program", "forbidden"),
    [
        ("import rearc", ["numpy", "rich", "typer", "rearc.treebank", "importlib.metadata"]),
        ("import rearc.cli.app", ["numpy", "torch", "rearc.oracles", "rearc.treebank"]),
        ("import rearc.training.options", ["numpy", "rearc.treebank"]),
    ],
)
def test_nothing_is_loaded_before_it_is_needed(program: str, forbidden: list[str]):
    check = f"{program}\nimport sys\nprint([name for name in {forbidden} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout
    assert said == "[]\n"
