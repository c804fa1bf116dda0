"""Progress over many runs: a bar with the time left in a terminal, a line a run elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rearc.cli.guard import say

if TYPE_CHECKING:
    from rich.progress import Progress


class Counting:
    """Tells of each run that is done, and how long the others will take: as long for as much to learn from."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.count = len(sizes)
        self.total = max(1, sum(sizes))
        self.sofar = self.finished = 0
        self.begin = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> Counting:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.add_task(f"0 of {self.count} runs", total=self.total)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def done(self, size: int, what: str) -> None:
        """A run of this size is done."""
        self.finished += 1
        self.sofar += size
        elapsed = time.monotonic() - self.begin
        left = elapsed * (self.total - self.sofar) / max(1, self.sofar)
        line = f"{self.finished} of {self.count}"
        if self._bar is not None:
            self._bar.console.print(f"rearc: {line}: {what}", highlight=False, markup=False)
            said = f"{line} runs, {duration(left)} left"
            self._bar.update(self._bar.task_ids[0], completed=self.sofar, description=said)
        else:
            say(f"{line}: {what}" + (f"; {duration(left)} left" if self.finished < self.count else ""))


def duration(seconds: float) -> str:
    """How long, roughly.

    >>> duration(42), duration(600), duration(7500)
    ('42 s', '10 min', '2 h 5 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
