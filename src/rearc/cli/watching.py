"""A training as one watches it in a terminal, or in a log, and stops it."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import time
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO, TYPE_CHECKING, Any

from rearc.cli.guard import Terminated, say
from rearc.cli.reading import PATIENCE
from rearc.training import Epoch, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress

    from rearc.parser.header import Trial
    from rearc.segment import SegmentEpoch
    from rearc.tagger.learning import TagEpoch


GRACE = 0.25  # CPU seconds from a signal to where training can stop in order, if steps took no longer before
NOTHING_YET = "stopped before there was a model"
IN_THE_MIDDLE = "stopped in the middle of something long; what this epoch has learnt is lost"


class TerminalWatcher(Watcher):
    """Lines and a bar on standard error, a log of JSON. The first SIGINT or SIGTERM asks the training to stop.

    It stops where it can go on from; but where that takes longer than somebody who waits likes, it stops at once.
    """

    def __init__(self, epochs: int, log: str | None) -> None:
        self.epochs = epochs
        self.history: list[Epoch] = []
        self.signal: int | None = None
        self.learnt = False  # whether there is anything worth keeping
        self.trials = 0  # made
        self._log: IO[str] | None = None
        if log is not None:
            self._log = sys.stdout if log == "-" else Path(log).open("w", encoding="utf-8")  # noqa: SIM115
        self._progress: Progress | None = None
        self._begin = time.monotonic()
        self._handlers: dict[int, Any] = {}
        self._last = time.process_time()
        self._longest = 0.0  # CPU seconds of a step

    def __enter__(self) -> TerminalWatcher:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._handlers[number] = signal.signal(number, self._on_signal)
        if hasattr(signal, "SIGPROF"):
            self._handlers[signal.SIGPROF] = signal.signal(signal.SIGPROF, self._at_once)
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, traceback: TracebackType | None) -> None:
        self._set_alarm(0)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            say(IN_THE_MIDDLE if self.learnt else self.nothing_yet)
        if self._progress is not None:
            self._progress.stop()
        if self._log is not None and self._log is not sys.stdout:
            with contextlib.suppress(OSError):
                self._log.close()

    @property
    def nothing_yet(self) -> str:
        """What is said of a stop before there is a model."""
        return NOTHING_YET + (f"; --resume goes on behind {self.trials} trials" if self.trials else "")

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:  # the second time it is meant at once
            raise Terminated(number)
        self.signal = number
        self._set_alarm(max(GRACE, 2 * self._longest))

    def _at_once(self, number: int, frame: FrameType | None) -> None:
        raise Terminated(self.signal or number)

    def _set_alarm(self, seconds: float) -> None:
        if hasattr(signal, "SIGPROF"):
            signal.setitimer(signal.ITIMER_PROF, seconds)

    def stop(self) -> bool:
        if self.signal is not None:
            self._set_alarm(0)
        return self.signal is not None

    def note(self, message: str) -> None:
        say(message)

    def step(self, epoch: int, done: int, sentences: int) -> None:
        self.learnt = True
        now = time.process_time()
        self._last, self._longest = now, max(self._longest, now - self._last)
        self._show(f"epoch {epoch} of {self.epochs}", done, sentences)

    def trying(self, what: str, done: int, sentences: int) -> None:
        now = time.process_time()
        self._last, self._longest = now, max(self._longest, now - self._last)
        self._show(what, done, sentences)

    def trial(self, record: Trial) -> None:
        self._last = time.process_time()
        self.trials += 1
        say(
            f"round {record.round}, {record.sentences:,} sentences, {record.epochs} epochs: LAS {record.las:.2f} with "
            + ", ".join((record.system, record.oracle, record.non_projective))
        )

    def _show(self, what: str, done: int, all: int) -> None:
        """The bar, if there is somebody to see it and it takes long."""
        if self._progress is None:
            if not sys.stderr.isatty() or time.monotonic() - self._begin < PATIENCE:
                return
            self._progress = _bar()
        self._progress.update(self._progress.task_ids[0], description=what, completed=done, total=all)

    def segmenter(self, record: SegmentEpoch) -> None:
        self._show(f"segmenter, {record.part}", record.epoch, record.epochs)
        if record.epoch == record.epochs:
            f1 = "" if record.f1 is None else f", F1 {record.f1:.2f} on dev"
            say(f"segmenter, {record.part}: {record.mistakes:,} mistakes in the last of {_epochs(record)}{f1}")

    def tagger(self, record: TagEpoch) -> None:
        what = "part {} of {}, ".format(*record.part) if record.part else ""
        what = f"tagger, {what}{record.column}"
        if record.runs > 1:
            what += f", run {record.run} of {record.runs}"
        self._show(what, record.epoch, record.epochs)
        if record.epoch == record.epochs:
            say(f"{what}: {100 * record.mistakes / record.words:.2f} % of words wrong in the last of {_epochs(record)}")

    def epoch(self, record: Epoch) -> None:
        self.learnt = True
        self._last = time.process_time()
        self.history.append(record)
        try:
            if self._log is not None:
                self._log.write(json.dumps(record.as_dict()) + "\n")
                self._log.flush()
        except OSError as error:  # no reason to lose what has been learnt
            say(f"no more log: {str(error.strerror).lower()}")
            self._log = None
        wrong = 100 * record.mistakes / record.transitions
        line = f"epoch {record.epoch} of {self.epochs}: {wrong:.2f} % of transitions wrong"
        if record.uas is not None and record.las is not None:
            line += f", dev UAS {record.uas:.2f} LAS {record.las:.2f}{' *' if record.best else ''}"
        say(f"{line}, {record.seconds:.1f} s")


def _epochs(record: TagEpoch | SegmentEpoch) -> str:
    return f"{record.epochs} {'epoch' if record.epochs == 1 else 'epochs'}"


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    progress.add_task("", total=None)
    progress.start()
    return progress
