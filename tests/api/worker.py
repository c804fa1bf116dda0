"""One process that makes calls. It writes down each call before it makes it: the last one is known when it dies.

python -m tests.api.worker --seed 1 --examples 500      calls that hypothesis chooses
python -m tests.api.worker --calls FILE                 calls of a file: one list of strings in JSON a line
"""

import argparse
import faulthandler
import json
import os
import resource
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.api.calls import Call, calls
from tests.api.material import namespace
from tests.api.surface import targets

PATIENCE = float(os.environ.get("REARC_API_PATIENCE", "1"))  # a sanitizer makes everything slower
SLOW, HUNG = 3 * PATIENCE, 10 * PATIENCE  # seconds of processor time
MEMORY = int(os.environ.get("REARC_API_MEMORY", str(6 << 30)))  # bytes; 0 where a sanitizer needs much more
LOG = 900  # a file number that no call hits by chance


class TooSlow(BaseException):
    """Python code that works long. It can be interrupted, so the process does not hang."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--calls", type=Path)
    parser.add_argument("--log", type=Path, default=Path(os.devnull))
    parser.add_argument("--only", nargs="*", default=[""])  # how the names of modules begin
    parser.add_argument("--without", nargs="*", default=[])  # targets
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.modules["torch"] = None  # type: ignore[assignment]  # it takes seconds, and its own calls are not ours to try
    sys.stdout = sys.stderr  # what calls print
    given_calls = (
        [tuple(json.loads(line)) for line in options.calls.read_text().splitlines()] if options.calls else None
    )
    worker = Worker(options.log)
    if given_calls is not None:
        for call in given_calls:
            worker.make(call)
    else:
        every = [
            target
            for target in targets()
            if target.module.startswith(tuple(options.only)) and f"{target.module}.{target.name}" not in options.without
        ]
        run = settings(
            max_examples=options.examples, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(given(calls(every))(worker.make))  # fmt: skip
        seed(options.seed)(run)()
    worker.write({"done": worker.made, "raised": worker.raised, "slow": worker.slow})
    os._exit(0)  # what calls left behind may not spoil the end


class Worker:
    def __init__(self, log: Path) -> None:
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), LOG)
        self.names = namespace()
        self.made = self.raised = 0
        self.calling = False
        self.slow: list[Call] = []
        faulthandler.enable()
        signal.signal(signal.SIGPROF, self.interrupt)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)  # which ends the process, whatever it is at
        sys.unraisablehook = self.ignored
        if MEMORY:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def make(self, call: Call) -> None:
        self.write(call)
        self.made += 1
        self.wait(SLOW, HUNG)
        try:
            self.call(call)
        except TooSlow:
            self.slow.append(call)
        except Exception:
            self.raised += 1
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
        finally:
            self.wait(0, 0)

    def call(self, call: Call) -> None:
        names = dict(self.names)
        self.calling = True
        try:
            names["x"] = self.value(call[0], names)
            for step in call[1:]:
                with suppress(Exception):
                    self.value(step, names)
        finally:
            self.calling = False  # a signal that waited for compiled code to end may come only now

    def value(self, source: str, names: dict[str, Any]) -> Any:
        try:
            value = eval(source, names)
            if isinstance(value, Iterator):
                list(islice(value, 20))
            repr(value)
        except SystemError as error:
            self.wrong(f"SystemError: {error}")
            raise
        return value

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.calling:
            raise TooSlow

    def ignored(self, what: "sys.UnraisableHookArgs") -> None:
        if not isinstance(what.exc_value, TooSlow):  # which may come in the middle of a callback; it comes again
            self.wrong(f"ignored {what.exc_value!r} in {what.object!r}")

    def wait(self, slow: float, hung: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, slow, slow / 3)
        signal.setitimer(signal.ITIMER_VIRTUAL, hung)

    def wrong(self, what: str) -> None:
        self.write({"wrong": what})

    def write(self, record: object) -> None:
        os.write(LOG, json.dumps(record).encode() + b"\n")


if __name__ == "__main__":
    main()
