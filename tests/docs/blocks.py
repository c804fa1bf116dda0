"""The blocks of code of a Markdown page, and how each is run."""

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^( *)```(\w*) *(.*)$")
RUNS = ("python", "sh", "console")
SHOWS = ("", "toml", "json", "text")  # output, files: nothing to run
LOOKS_RUN = re.compile(r"^\s*(\$ |rearc |pip |python3? )", re.MULTILINE)


@dataclass
class Block:
    page: str
    line: int
    kind: str
    info: str
    text: str

    @property
    def not_run(self) -> str | None:
        """Why it is not run, where it is marked so: ```sh not run: REASON."""
        found = re.fullmatch(r"not run: (.+)", self.info)
        return found[1] if found else None

    @property
    def needs(self) -> str | None:
        """A package without which it is skipped: ```python needs PACKAGE."""
        found = re.fullmatch(r"needs (\w+)", self.info)
        return found[1] if found else None

    @property
    def asks(self) -> bool:
        """Whether it asks a service that has to be there: ```sh with a service."""
        return self.info == "with a service"

    @property
    def missing(self) -> bool:
        if self.asks:
            return find_spec("uvicorn") is None or find_spec("starlette") is None or shutil.which("curl") is None
        return self.needs is not None and find_spec(self.needs) is None

    def __str__(self) -> str:
        return f"{self.page}, line {self.line}"


def blocks(page: Path) -> tuple[list[Block], list[tuple[int, str]]]:
    """The fenced blocks of a page; and the other lines, with their numbers."""
    found: list[Block] = []
    prose: list[tuple[int, str]] = []
    inside: Block | None = None
    indent = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if inside is not None:
            if line.strip() == "```":
                found.append(inside)
                inside = None
            else:
                inside.text += line.removeprefix(indent) + "\n"
        elif fence:
            indent = fence[1]
            inside = Block(page.name, number, fence[2], fence[3].strip(), "")
        else:
            prose.append((number, line))
    assert inside is None, f"{page.name}: the fence of line {inside.line} has no end"
    return found, prose


def run(block: Block, names: dict[str, Any], environment: dict[str, str]) -> None:
    """Run a block as its kind asks for; an assertion says what went wrong."""
    if block.kind == "python" and ">>>" in block.text:
        _doctest(block, names)
    elif block.kind == "python":
        _python(block, names)
    elif block.kind == "sh" and block.asks:
        with service(environment) as address:
            text = block.text.replace("localhost:8000", address)
            run(Block(block.page, block.line, "sh", "", text), names, environment)
    elif block.kind == "sh":
        done = _bash("set -euo pipefail\n" + block.text, environment)
        assert done.returncode == 0, f"{block}: exit code {done.returncode}\n{block.text}\n{_say(done)}"
    elif block.kind == "console":
        for command, expected in sessions(block):
            done = _bash("set -o pipefail\n" + command, environment)
            assert done.returncode == 0, f"{block}: {command}\nexit code {done.returncode}\n{_say(done)}"
            found = done.stdout.decode()
            assert alike(found, expected), f"{block}: {command}\n{found}\nis not\n{expected}"


@contextmanager
def service(environment: dict[str, str]) -> Iterator[str]:
    """`rearc serve` at any free port; its address."""
    command = [sys.executable, "-m", "rearc", "serve", "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline().decode()
            found = re.search(r"http://(\S+?)/?$", said.strip())
            assert found, f"rearc serve: {said}"
            yield found[1]
        finally:
            process.terminate()


def sessions(block: Block) -> list[tuple[str, str]]:
    """The commands of a block and what it shows of their output."""
    pieces = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not pieces[0].strip(), f"{block}: output without a command"
    return [(command, output) for command, _, output in (piece.partition("\n") for piece in pieces[1:])]


def alike(found: str, shown: str) -> bool:
    """Whether output is as it is shown. … stands for anything, also for lines; spaces at line ends do not count."""
    found, shown = ("\n".join(line.rstrip() for line in text.strip("\n").split("\n")) for text in (found, shown))
    return re.fullmatch(re.escape(shown).replace("…", ".*"), found, re.DOTALL) is not None


def _bash(script: str, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, stdin=subprocess.DEVNULL, env=environment, timeout=120, check=False
    )


def _say(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode(errors="replace")[-2000:] + done.stderr.decode(errors="replace")[-2000:]


def _doctest(block: Block, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, names, str(block), block.page, block.line)
    test.globs = names  # what a block defines, later ones use
    report: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
    assert not results.failed, "".join(report)


def _python(block: Block, names: dict[str, Any]) -> None:
    """Statement by statement. Where a comment behind an expression begins with a value, it is the expression's."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        source = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
        place = f"{block.page}, line {block.line + statement.lineno}"
        try:
            if isinstance(statement, ast.Expr):
                value = eval(compile(ast.Expression(statement.value), place, "eval"), names)
                _compare(value, lines, statement, place)
            else:
                exec(compile(ast.Module([statement], []), place, "exec"), names)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(f"{place}: {source}\n{error!r}") from error


def _compare(value: Any, lines: list[str], statement: ast.Expr, place: str) -> None:
    assert statement.end_lineno is not None
    behind = lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].decode()
    below = lines[statement.end_lineno] if statement.end_lineno < len(lines) else ""
    for text in (behind, below):
        comment = text.strip()
        if comment.startswith("# "):
            shown = shown_value(comment[2:])
            assert shown is None or value == shown[0], f"{place}: {value!r} is not {shown[0]!r}"
            return


def shown_value(comment: str) -> tuple[Any] | None:
    """The value that a comment begins with: all of it, or what is before a comma or a colon."""
    ends = [len(comment), *sorted((found.start() for found in re.finditer("[,:] ", comment)), reverse=True)]
    for end in ends:
        try:
            return (ast.literal_eval(comment[:end]),)
        except (ValueError, SyntaxError):
            continue
    return None


def surroundings(shims: Path) -> dict[str, str]:
    """What commands see: the `rearc` and `python` that are tested, a terminal 100 wide, no colours."""
    shims.mkdir()
    commands = {"rearc": f'"{sys.executable}" -m rearc', "python": f'"{sys.executable}"'}
    if curl := shutil.which("curl"):
        commands["curl"] = f'"{curl}" --fail --silent --show-error'  # an answer other than 200 is an error
    for name, command in commands.items():
        (shims / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        (shims / name).chmod(0o755)
    path = f"{shims}{os.pathsep}{os.environ.get('PATH', '')}"
    chosen = {"PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}
    return {name: value for name, value in os.environ.items() if not name.startswith("REARC_")} | chosen


def check_shown(block: Block) -> None:
    """A block that is not run shows no command, and what it shows is well-formed."""
    assert not LOOKS_RUN.search(block.text), f"{block}: commands that nobody runs; make it sh, console or python"
    if block.kind == "toml":
        tomllib.loads(block.text)
