"""A user's mistake is one line on standard error and exit code 1 or 2, never a traceback."""

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rearc.cli.app import VERBS, app
from tests.cli.conftest import HEARING, Run

GOOD = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
BAD: dict[str, bytes] = {
    "nine columns": GOOD.replace("\t_\t_\n2", "\t_\n2").encode(),
    "ids out of order": GOOD.replace("2\tbark", "3\tbark").encode(),
    "head out of range": GOOD.replace("\t2\tnsubj", "\t9\tnsubj").encode(),
    "head that is no number": GOOD.replace("\t2\tnsubj", "\tx\tnsubj").encode(),
    "cycle": GOOD.replace("\t0\troot", "\t1\troot").encode(),
    "word that is its own head": GOOD.replace("\t2\tnsubj", "\t1\tnsubj").encode(),
    "undecodable bytes": GOOD.encode().replace(b"Dogs", b"D\xffgs"),
    "truncated": GOOD.encode()[:-20],
    "carriage returns alone": GOOD.replace("\n", "\r").encode(),
    "UTF-16 that is cut off": GOOD.encode("utf-16")[:-1],
    "NUL byte": GOOD.encode().replace(b"Dogs", b"D\0gs"),
    "empty file": b"",
    "empty field": GOOD.replace("Dogs", "").encode(),
    "not a treebank at all": bytes(range(256)) * 8,
}


def assert_one_line(result: object, code: int = 1) -> None:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("rearc: ")
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, list(map(str, arguments)))


@pytest.mark.parametrize("kind", BAD)
def test_bad_content_is_one_line_whatever_the_verb(kind: str, invoke, tmp_path: Path):
    bad, good = tmp_path / "bad.conllu", tmp_path / "good.conllu"
    bad.write_bytes(BAD[kind])
    good.write_text(GOOD)
    for arguments in (
        ["info", bad],
        ["info", bad, "--json"],
        ["info", good, bad],
        ["convert", bad, "out.conllu"],
        ["show", bad, "--svg"],
        ["evaluate", good, bad],
        ["evaluate", bad, good, "--conll18"],
        ["compare", good, good, bad],
        ["train", bad, "-o", "out.rearc"],
        ["train", good, "--dev", bad, "-o", "out.rearc", "--epochs", "1"],
    ):
        result = invoke(*arguments)
        assert_one_line(result)
        assert "bad.conllu" in result.stderr
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("kind", ["cycle", "undecodable bytes", "empty file"])
def test_bad_content_has_no_traceback_in_a_process_of_its_own(kind: str, run: Run, tmp_path: Path):
    (tmp_path / "bad.conllu").write_bytes(BAD[kind])
    done = run("info", "bad.conllu")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_good_trees_before_a_bad_one_are_shown(run: Run):
    done = run("show", "-", input=HEARING + BAD["cycle"].decode())
    assert done.returncode == 1
    assert "scheduled" in done.stdout
    assert "Dogs" not in done.stdout
    assert "<stdin>" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "nosuch.conllu"],
        ["info", "."],
        ["info", "small.conllu", "nosuch.conllu"],
        ["convert", "nosuch.conllu", "out.conllu"],
        ["convert", "small.conllu", "."],
        ["convert", "small.conllu", "nosuch/out.conllu"],
        ["convert", "small.conllu", "out.conllu", "--single-root"],
        ["convert", "greek.conllu", "out.conllu", "--output-encoding", "latin-1"],
        ["show", "small.conllu", "--sentence", "4"],
        ["show", "small.conllu", "--sentence", "nosuch"],
        ["show", "small.conllu", "--html", "-o", "nosuch/out.html"],
        ["show", "small.conllu", "-o", "."],
        ["evaluate", "small.conllu", "nosuch.conllu"],
        ["evaluate", "small.conllu", "greek.conllu"],
        ["evaluate", "small.conllu", "words.tok"],
        ["evaluate", "small.conllu", "small.conllu", "--conll18"],  # several roots
        ["compare", "small.conllu", "greek.conllu", "nosuch.conllu"],
        ["info", "damaged.conllu.gz"],
        ["info", "cut.conllu.gz"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_one_line(arguments: list[str], invoke, treebank: Path, tmp_path: Path):
    (tmp_path / "greek.conllu").write_text(GOOD.replace("Dogs", "Σκύλοι"), encoding="utf-8")
    (tmp_path / "words.tok").write_text("Dogs bark\n")
    (tmp_path / "damaged.conllu.gz").write_text("hello")
    (tmp_path / "cut.conllu.gz").write_bytes(gzip.compress(GOOD.encode() * 1000)[:-30])
    result = invoke(*arguments)
    if arguments[0] == "show" and "--sentence" in arguments:
        assert "small.conllu" in result.stderr
    assert_one_line(result)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(("out", ".rearc"))]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nosuch"],
        ["info"],
        ["info", "small.conllu", "--nosuch"],
        ["info", "small.conllu", "--format", "xml"],
        ["info", "small.conllu", "--encoding", "nosuch"],
        ["info", "small.conllu", "--encoding", "utf-16"],
        ["info", "small.conllu", "--encoding", "same"],
        ["evaluate", "small.conllu", "small.conllu", "--plot", "out.jpeg2000"],
        ["evaluate", "small.conllu", "small.conllu", "--encoding", "nosuch"],
        ["evaluate", "small.conllu", "small.conllu", "--predicted-encoding", "nosuch"],
        ["compare", "small.conllu", "a", "b", "--encoding", "nosuch"],
        ["convert", "small.conllu"],
        ["convert", "small.conllu", "out.conllu", "--to", "xml"],
        ["convert", "small.conllu", "out.conllu", "--from", "xml"],
        ["convert", "small.conllu", "out.conllu", "--output-encoding", "nosuch"],
        ["convert", "small.conllu", "out.conllu", "--projectivise", "tail"],
        ["convert", "small.conllu", "out.conllu", "--projectivise", "head", "--deprojectivise", "head"],
        ["show", "small.conllu", "--svg", "--html"],
        ["evaluate", "small.conllu"],
        ["evaluate", "small.conllu", "small.conllu", "--punctuation", "none"],
        ["evaluate", "small.conllu", "small.conllu", "--conll18", "--no-subtypes"],
        ["compare", "small.conllu", "small.conllu"],
        ["compare", "small.conllu", "small.conllu", "small.conllu"],
        ["compare", "small.conllu", "a", "b", "--test", "t-test"],
        ["compare", "small.conllu", "a", "b", "--rounds", "0"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], invoke, treebank: Path, tmp_path: Path):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    if arguments:
        assert result.stdout == ""
        assert result.stderr
    assert not (tmp_path / "out.conllu").exists()


@pytest.mark.parametrize("verb", [verb.__name__ for verb in VERBS])
def test_help_has_an_example_and_the_exit_codes(verb: str, invoke):
    result = invoke(verb, "--help")
    assert result.exit_code == 0
    assert f"rearc {verb} " in result.stdout.split("Examples:")[1]
    assert "Exit codes: 0" in result.stdout


def test_version(run: Run):
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("rearc ")
    assert done.stdout.split()[1][0].isdigit()


def test_an_error_of_the_program_is_not_hidden(invoke, treebank: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("rearc.treebank.statistics.Statistics.add", broken)
    result = invoke("info", treebank)
    assert isinstance(result.exception, ValueError)
