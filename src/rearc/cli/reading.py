"""Reading a treebank, with a progress bar for somebody who waits in front of a terminal."""

from __future__ import annotations

import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rearc.cli.guard import Skipped, say

if TYPE_CHECKING:
    from rich.progress import Progress

    from rearc.cli.peeking import Peeked
    from rearc.treebank import Sentence

SAMPLE = "sample"  # stands for the treebank that rearc brings; a file of that name is ./sample
PATIENCE = 1.0  # seconds that need no progress bar
STRIDE = 64  # sentences between two looks at the clock


def reading(source: str | Peeked, skipped: Skipped, *, bar: bool = True, **options: Any) -> Iterator[Sentence]:
    """The sentences of a file. `options` are those of rearc.read; `bar` says whether a progress bar is welcome."""
    from rearc.treebank import read, sample

    if source == SAMPLE:
        source = str(sample())
    options |= {"on_invalid": skipped.on_invalid, "on_note": say}
    if not bar or not sys.stderr.isatty():
        return read(source, **options)  # type: ignore[arg-type]
    return _watched(source, options)


def _watched(source: str | Peeked, options: dict[str, Any]) -> Iterator[Sentence]:
    from rearc.treebank import read

    size, stream = 0, None
    if isinstance(source, str) and source != "-" and not source.endswith((".gz", ".xz")):
        path = Path(source)
        if path.exists() and stat.S_ISREG(path.stat().st_mode):
            size, stream = path.stat().st_size, path.open("rb", buffering=0)
    progress: Progress | None = None
    begin = time.monotonic()
    try:
        sentences = read(stream or source, **options)  # type: ignore[arg-type]
        for count, sentence in enumerate(sentences, start=1):
            if count % STRIDE == 0:
                if progress is None and time.monotonic() - begin > PATIENCE:
                    progress = _bar(str(source), size)
                if progress is not None:
                    _advance(progress, count, stream)
            yield sentence
    finally:
        if progress is not None:
            progress.stop()
        if stream is not None:
            stream.close()


def _bar(source: str, size: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[sentences]:,} sentences"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    progress.add_task(source, total=size or None, sentences=0)
    progress.start()
    return progress


def _advance(progress: Progress, count: int, stream: IO[bytes] | None) -> None:
    task = progress.task_ids[0]
    progress.update(task, completed=stream.tell() if stream else count, sentences=count)
