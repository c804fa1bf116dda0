"""Pipes that close, interrupts, terminals: what only a process of its own shows."""

import contextlib
import io
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rearc.files.sources import standard_input
from tests.cli.conftest import CANNOT, HEARING, Run, command
from tests.processes import Child, heard

BAD = "1\tx\t_\t_\t_\t_\t9\t_\t_\t_\n\n"


@pytest.mark.parametrize(
    "arguments",
    [["show", "long.conllu"], ["show", "long.conllu", "--html"], ["convert", "long.conllu", "-"]],
    ids=" ".join,
)
def test_a_pipe_that_closes_early_is_no_error(arguments: list[str], long_treebank: Path):
    with Child(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=long_treebank.parent
    ) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0


def test_nobody_listens_from_the_start(treebank: Path):
    reader, writer = os.pipe()
    os.close(reader)
    with Child(command("info", treebank), stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize("arguments", [["info", "-"], ["convert", "-", "out.conllu"]], ids=" ".join)
def test_an_interrupt_ends_quietly_with_130_and_leaves_no_half_file(arguments: list[str], tmp_path: Path):
    with Child(
        command(*arguments, "--skip-invalid"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        process.stdin.write((HEARING + BAD + HEARING).encode())
        process.stdin.flush()
        assert process.stderr.readline().startswith(b"rearc: skipped: <stdin>")  # now it waits for more
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
        assert process.stderr.read() == b""
        assert process.stdout.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_standard_input_and_output(run: Run):
    done = run("convert", "-", "-", input=HEARING + CANNOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, HEARING + CANNOT, "")
    assert json.loads(run("info", "-", "--json", input=HEARING).stdout)["words"] == 9


def test_skipped_sentences_are_reported_and_counted(run: Run, tmp_path: Path):
    done = run("convert", "-", "-", "--skip-invalid", input=BAD + HEARING + BAD + CANNOT)
    assert done.returncode == 3
    assert done.stdout == HEARING + CANNOT
    *each, total = done.stderr.splitlines()
    assert [line.split(":")[:4] for line in each] == [
        ["rearc", " skipped", " <stdin>", "1"],
        ["rearc", " skipped", " <stdin>", "15"],
    ]
    assert total == "rearc: 2 invalid sentences skipped"
    for verb in (["info", "-", "--json"], ["show", "-"]):
        assert run(*verb, "--skip-invalid", input=BAD + HEARING).returncode == 3


def _drained(master: int) -> bytes:
    output = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while piece := os.read(master, 65536):
            output += piece
    os.close(master)
    return output


def terminal(arguments: list[str], folder: Path, code: str = "", **environment: str) -> tuple[bytes, bytes]:
    """What `rearc` writes to a terminal as standard output, and to another as standard error."""
    program = f"{code}\nfrom rearc.cli import main\nmain()"
    masters, slaves = zip(*(pty.openpty() for _ in range(2)), strict=True)
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=slaves[0],
        stderr=slaves[1],
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "60", **environment},
    )
    for slave in slaves:
        os.close(slave)
    with ThreadPoolExecutor(2) as pool:  # both at once: who writes much to one that nobody reads waits for ever
        outputs = list(pool.map(_drained, masters))
    assert process.wait(timeout=30) == 0, outputs
    return outputs[0], outputs[1]


def test_trees_are_coloured_on_a_terminal_unless_no_color(treebank: Path):
    coloured, errors = terminal(["show", "small.conllu", "-s", "1"], treebank.parent)
    assert b"\x1b[" in coloured
    assert b"91m" in coloured  # the non-projective arc
    assert errors == b""
    plain, _ = terminal(["show", "small.conllu", "-s", "1"], treebank.parent, NO_COLOR="1")
    assert b"91m" not in plain
    assert "┗━┷━►".encode() in plain


def test_long_lines_are_neither_cut_nor_wrapped(tmp_path: Path):
    words = "".join(f"{k}\tword{k}\t_\t_\t_\t_\t{k - 1}\tlabel{k}\t_\t_\n" for k in range(1, 60)) + "\n"
    (tmp_path / "deep.conllu").write_text(words)
    shown, _ = terminal(["show", "deep.conllu"], tmp_path, NO_COLOR="1")
    lines = shown.decode().replace("\r", "").splitlines()
    assert len([line for line in lines if "label" in line]) == 59
    assert all(f"word{k}" in lines[k] and f"label{k}" in lines[k] for k in range(1, 60))


def test_no_colour_and_no_progress_in_a_pipe(run: Run, treebank: Path):
    for arguments in (["show", treebank], ["info", treebank], ["evaluate", treebank, treebank]):
        done = run(*arguments, TERM="xterm-256color")
        assert done.returncode == 0
        assert "\x1b" not in done.stdout
        assert done.stderr == ""


def test_a_progress_bar_only_on_a_terminal_and_when_it_takes_long(long_treebank: Path):
    _, quick = terminal(["info", "long.conllu"], long_treebank.parent, "import rearc.cli.reading as r; r.PATIENCE = 60")
    assert quick == b""
    _, long = terminal(["info", "long.conllu"], long_treebank.parent, "import rearc.cli.reading as r; r.PATIENCE = 0")
    assert b"sentences" in long
    assert b"%" in long


def test_the_locale_does_not_matter(run: Run, treebank: Path):
    done = run("show", treebank, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "┗━┷━►" in done.stdout


@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("info small.conllu >&-", 0, ""),
        ("show small.conllu >&-", 0, ""),
        ("convert small.conllu - >&-", 0, ""),
        ("info - <&-", 1, "<stdin>:1:1: found an empty file"),
        ("show small.conllu >/dev/full", 1, "no space left on device"),
        ("info small.conllu --json >/dev/full", 1, "no space left on device"),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])  # with a buffer an error may come as late as the last flush
def test_closed_and_full_streams(line: str, code: int, error: str, unbuffered: str, treebank: Path):
    shell = f"{shlex.quote(sys.executable)} -m rearc {line}"
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        shell, shell=True, capture_output=True, text=True, cwd=treebank.parent, env=environment, check=False
    )
    assert done.returncode == code
    assert done.stderr.startswith("rearc: " if error else "")
    assert error in done.stderr
    assert done.stderr.count("\n") == bool(error)


def test_help_and_import_load_nothing_heavy():
    program = (
        "import sys, rearc, rearc.cli.app\n"
        "heavy = {'numpy', 'rich', 'matplotlib', 'rearc.treebank', 'rearc.evaluation'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert rearc.read and rearc.write and rearc.evaluate and rearc.load and rearc.train\n"
        "assert set(dir(rearc)) == set(rearc.__all__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("kind", "forms", "note"),
    [
        ("whole_model", [b"Owls", b"see", b"well", b"."], b"read as text;"),
        ("model_without_segmenter", [b"Owls", b"see", b"well."], b"read as tokens, a sentence a line;"),
    ],
)
def test_sentences_typed_at_a_terminal(
    kind: str, forms: list[bytes], note: bytes, tmp_path: Path, request: pytest.FixtureRequest
):
    parse = command("parse", "-m", request.getfixturevalue(kind))
    master, slave = pty.openpty()
    with Child(parse, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        os.close(slave)
        said = heard(process.stderr, b"\n")  # before anything is typed
        assert said == b"rearc: reading what you type, plain text or CoNLL-U; Ctrl-D ends it\n"
        os.write(master, b"Owls see well.\n\x04")
        output, errors = process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert [line.split(b"\t")[1] for line in output.splitlines() if b"\t" in line] == forms
    assert note in errors


@pytest.mark.parametrize("format", [(), ("--format", "text"), ("--format", "lines")], ids="".join)
def test_a_process_that_is_fed_line_by_line(format: tuple[str, ...], whole_model: Path, tmp_path: Path):
    parse = command("parse", "-m", whole_model, "--flush", *format)
    with Child(parse, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        for number, word in enumerate([b"Owls", b"Dogs"], start=1):
            process.stdin.write(word + b" see well.\n")
            process.stdin.flush()
            answer = heard(process.stdout, b"\n\n")  # while it waits for more
            assert answer.count(b"\n\n") == 1
            assert b"# sent_id = %d\n# text = %s see well.\n1\t%s\t" % (number, word, word) in answer
        assert process.communicate(timeout=60)[0] == b""
    assert process.returncode == 0


def test_what_was_read_ahead_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    """Standard input is waited for in turns, but not for bytes that have come already."""
    to_read, to_write = os.pipe()
    with os.fdopen(to_read, "rb") as ours, os.fdopen(to_write, "wb", buffering=0) as theirs:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(ours))
        theirs.write(b"some bytes")
        assert ours.peek(1) == b"some bytes"  # the pipe is empty now
        stream = standard_input()
        assert [stream.read1(4), stream.read1(4), stream.read1(100)] == [b"some", b" byt", b"es"]
        theirs.write(b"more")
        assert stream.read1(100) == b"more"
