"""No verb replaces what it reads, but for convert, where it is asked for by name."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rearc.cli.app import app
from rearc.parser.catalogue import find_model
from rearc.treebank import sample


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(sample(), "a.conllu")
    shutil.copy(find_model("en"), "m.rearc")
    Path("link.conllu").symlink_to("a.conllu")
    Path("hard.conllu").hardlink_to("a.conllu")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "parse a.conllu -o a.conllu",
        "parse a.conllu -o ./link.conllu",
        "parse a.conllu -o hard.conllu",
        "parse a.conllu -m m.rearc -o m.rearc --to conllu",
        "tag a.conllu -o a.conllu",
        "tag a.conllu -m m.rearc -o m.rearc --to conllu",
        "show a.conllu -o a.conllu",
        "train a.conllu -o a.conllu",
        "train sample --dev a.conllu -o a.conllu",
    ],
)
def test_an_output_that_is_an_input_is_refused(words: str, folder: Path):
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2, result.output
    assert "which is read too" in " ".join(result.output.replace("│", " ").split())
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_another_file_is_replaced(folder: Path):
    Path("b.conllu").write_text("old")
    result = CliRunner().invoke(app, ["convert", "a.conllu", "b.conllu"])
    assert result.exit_code == 0, result.output
    assert Path("b.conllu").read_bytes() == Path("a.conllu").read_bytes()
