"""`rearc parse` without Typer does what it does with it."""

import inspect
from typing import Any

import pytest
from typer.testing import CliRunner

import rearc.cli.parse
from rearc.cli.app import app
from rearc.cli.parsing import parse_files
from rearc.cli.quick import plain
from tests.cli.conftest import HEARING, Run

PLAIN = [
    [],
    ["-"],
    ["a.conllu", "b.conllu"],
    ["a", "-m", "m.rearc", "b", "-o", "out", "c"],
    ["--model", "m", "--model", "n", "--output", "-"],
    [
        "--threads",
        "2",
        "--tags",
        "predict",
        "--format",
        "tokens",
        "--encoding",
        "latin-1",
        "--skip-invalid",
        "--verbose",
    ],
    ["-v", "--threads", "007"],
    ["--keep", "lemma,xpos", "--to", "conllx", "--output-encoding", "same", "--strict"],
    ["--format", "text", "--to", "json", "--ranges", "--flush"],
    ["--format", "lines", "--to", "text"],
    ["--format", "json"],
]
NOT_PLAIN = [
    ["--help"],
    ["-h"],
    ["--model=m"],
    ["-mm"],
    ["-vm", "m"],
    ["--", "-a"],
    ["--model"],
    ["--model", ""],
    [""],
    ["--model", "--verbose"],
    ["--thread", "2"],
    ["--threads", "0"],
    ["--threads", "-1"],
    ["--threads", "two"],
    ["--tags", "some"],
    ["--format", "pdf"],
    ["--encoding", "klingon"],
    ["--encoding", "utf-16"],
    ["--encoding", "same"],
    ["--output-encoding", "klingon"],
    ["--to", "tokens"],
    ["--to", "lines"],
    ["--ranges=yes"],
]


def called(*arguments: Any, **options: Any) -> dict[str, Any]:
    call = inspect.signature(parse_files).bind(*arguments, **options)
    call.apply_defaults()
    return {**call.arguments, "files": call.arguments["files"] or []}


@pytest.mark.parametrize("arguments", PLAIN)
def test_plain_arguments_mean_what_they_mean_to_typer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(
        rearc.cli.parse, "parse_files", lambda *given, **options: calls.append(called(*given, **options))
    )
    assert CliRunner().invoke(app, ["parse", *arguments]).exit_code == 0
    options = plain(arguments)
    assert options is not None
    assert [called(**options)] == calls


@pytest.mark.parametrize("arguments", NOT_PLAIN)
def test_all_else_is_left_to_typer(arguments: list[str]) -> None:
    assert plain(arguments) is None


def test_every_option_is_known() -> None:
    options = plain(["f", "-m", "m", "-o", "o", "--threads", "1", "--tags", "auto", "--format", "tokens"])
    more = plain(
        ["--encoding", "ascii", "--output-encoding", "same", "--to", "conllx", "--skip-invalid", "--strict", "-v"]
    )
    more = {
        **(more or {}),
        **(plain(["--keep", "lemma", "--ranges", "--flush", "--beam", "2", "--n-best", "2", "--confidence"]) or {}),
        **(plain(["--partial", "--constraints", "ud"]) or {}),
    }
    assert {**(options or {}), **more}.keys() == inspect.signature(rearc.cli.parse.parse).parameters.keys()


def test_both_ways_give_the_same_trees_and_errors(run: Run) -> None:
    quick, slow = run("parse", "--tags", "given", input=HEARING), run("parse", "--tags=given", input=HEARING)
    assert quick.returncode == slow.returncode == 0
    assert quick.stdout == slow.stdout != ""
    quick, slow = run("parse", "missing.conllu"), run("parse", "missing.conllu", "--tags=auto")
    assert quick.returncode == slow.returncode == 1
    assert quick.stderr == slow.stderr != ""
