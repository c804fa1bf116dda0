"""What becomes of errors, the exit codes, and the standard streams. Needs no Typer."""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, ParamSpec

from rearc.errors import RearcError

if TYPE_CHECKING:
    from rearc.treebank import TreebankError

P = ParamSpec("P")

OK, ERROR, USAGE, SKIPPED = 0, 1, 2, 3
EXIT_CODES = (
    "Exit codes: 0 done; 1 error in the input; 2 wrong usage; 3 done, but sentences were skipped under --skip-invalid."
)


class Terminated(KeyboardInterrupt):
    """Another signal that ends the command as Ctrl-C does: files that are not complete yet are taken away."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class WrongUsage(Exception):
    """An option that does not go with what was found only later."""

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.option = option


class Skipped:
    """Reports the bad sentences that reading goes on behind, and counts them."""

    def __init__(self, skip: bool) -> None:
        self.count = 0
        self.on_invalid = self._report if skip else None

    def _report(self, error: TreebankError) -> None:
        self.count += 1
        say(f"skipped: {error}")

    def finish(self) -> None:
        """Say how many were skipped, if any, and leave with the exit code for that."""
        if self.count:
            say(f"{counted(self.count, 'invalid sentence')} skipped")
            sys.exit(SKIPPED)


def counted(count: int, one: str, more: str = "") -> str:
    """A number and what there is so many of.

    >>> counted(1, "arc"), counted(1200, "arc")
    ('1 arc', '1,200 arcs')
    """
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def replaced(output: str, inputs: Iterable[str | None]) -> str | None:
    """What is wrong with an output that is one of the inputs, which it would replace; None where it is none."""
    if not Path(output).is_file():
        return None
    if any(name and Path(name).exists() and Path(output).samefile(name) for name in inputs):
        return f"found {output!r}, which is read too, expected another file; it would be replaced"
    return None


def say(message: str) -> None:
    """One line on standard error."""
    print(f"rearc: {message}", file=sys.stderr)


def guarded(verb: Callable[P, None]) -> Callable[P, None]:
    """The verb, with a user's mistake as one line on standard error, and no word where nobody listens any more."""

    @functools.wraps(verb)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        code = OK
        try:
            try:
                verb(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            _drop_output()
        except KeyboardInterrupt as interrupt:
            code = code_of(interrupt)
        except (RearcError, OSError) as error:
            say(_one_line(error))
            code = ERROR
            _drop_output()
        if code != OK:  # only now, when the error and with it all open files are gone
            sys.exit(code)

    return run


def _drop_output() -> None:
    """Let go of what standard output does not take. Python would try once more when it ends, and have another code."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def heed_signals() -> None:
    """Let SIGTERM and SIGHUP end the command as Ctrl-C does. What is ignored already, as by nohup, stays so."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)


def code_of(interrupt: KeyboardInterrupt) -> int:
    """The exit code that shells know for what ended the command."""
    return 128 + (interrupt.number if isinstance(interrupt, Terminated) else signal.SIGINT)


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        reason = error.strerror[:1].lower() + error.strerror[1:]
        return f"{error.filename}: {reason}" if error.filename else reason
    return " ".join(str(error).split("\n"))


def prepare_streams() -> None:
    """Let neither closed streams nor the locale stand in the way: files get UTF-8, a terminal what it can show."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
