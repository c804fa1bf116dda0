"""One description of the options, and what follows from it."""

import dataclasses
import inspect
import os
import pickle
from dataclasses import fields
from pathlib import Path

import pytest

import rearc
from rearc.parser import Header
from rearc.training import OptionError, Options
from rearc.training.options import about, flag_of, otherwise_of
from rearc.treebank import sample
from tests.trained import train_parser

PAGE = Path(__file__).parents[2] / "docs" / "parsing.md"


def table() -> str:
    """The table of docs/parsing.md as the description has it."""
    rows = ["| option | | without it |", "| --- | --- | --- |"]
    for entry in fields(Options):
        flag = flag_of(entry).replace("/", "`, `") + (f" {about(entry).metavar}" if about(entry).metavar else "")
        cells = (f"`{flag}`", about(entry).help, otherwise_of(entry))
        rows.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def test_the_table_of_options_in_the_documentation():
    if not PAGE.exists():
        pytest.skip("no docs beside the tests")
    assert table() in PAGE.read_text("utf-8"), f"put this into {PAGE}:\n{table()}"


def test_a_name_wins_over_the_options():
    options = Options(system="arc-eager", epochs=1, seed=3)
    header = train_parser(sample(), options=options, seed=4).header
    assert (header.system, header.epochs, header.seed) == ("arc-eager", 1, 4)


def test_options_and_names_give_the_same_model(tmp_path: Path):
    for number, choice in enumerate([{"only": "parser"}, {"columns": "upos,xpos"}, {}]):
        rearc.train(sample(), options=Options(system="arc-eager", epochs=1, **choice)).save(tmp_path / f"a{number}")
        rearc.train(sample(), system="arc-eager", epochs=1, **choice).save(tmp_path / f"b{number}")
        assert (tmp_path / f"a{number}").read_bytes() == (tmp_path / f"b{number}").read_bytes()


def test_a_name_that_is_no_option():
    with pytest.raises(TypeError, match=r"train\(\) has no option 'epoch', expected model, .*; did you mean epochs\?"):
        train_parser(sample(), epoch=3)
    with pytest.raises(TypeError, match=r"found options of the type dict, expected rearc\.Options"):
        train_parser(sample(), options={"epochs": 3})


def test_the_signature_and_the_help_have_all_options():
    parameters = inspect.signature(rearc.train).parameters
    for entry in fields(Options):
        assert parameters[entry.name].default == entry.default
        assert f"\n    {entry.name}: " in rearc.train.__doc__


def test_every_option_is_described():
    for entry in fields(Options):
        assert about(entry).help.endswith(".")
        assert otherwise_of(entry)


def test_files_may_be_paths(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("S0p N0p")
    options = Options(features=tmp_path / "mine.txt", system="arc-hybrid", epochs=1)
    assert options.features == os.fspath(tmp_path / "mine.txt")
    assert train_parser(sample(), options=options).header.templates == "S0p N0p"


def test_what_the_header_says_is_what_was_chosen():
    """A field of the header with the name of an option has that option's value."""
    options = Options(
        system="arc-hybrid", oracle="static", epochs=1, seed=5, policy=(3, 0.0), single_root=False,
        non_projective="drop", licence="mine", prune=0.25,
    )  # fmt: skip
    header = train_parser(sample(), options=options).header
    same = {entry.name for entry in fields(Header)} & {entry.name for entry in fields(Options)}
    assert same >= {"system", "oracle", "seed", "policy", "single_root", "non_projective", "licence", "prune", "model"}
    for name in same - {"clusters"}:
        assert getattr(header, name) == getattr(options, name), name


def test_options_travel():
    options = Options(system="arc-eager", epochs=2)
    assert pickle.loads(pickle.dumps(options)) == options
    assert dataclasses.replace(options, epochs=3).epochs == 3
    with pytest.raises(OptionError) as caught:
        Options(epochs=0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.option, again.found) == ("found epochs 0, expected at least 1", "epochs", 0)
