"""Sentences from files through a model into one file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from rearc.cli.guard import Skipped, SkippedOrBlank, say
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.treebank import Sentence


def stream(
    work: Callable[[Iterable[Sentence]], Iterable[Sentence]],
    done: str,
    lacking: str,
    files: list[str] | None,
    output: str,
    format: str | None,
    encoding: str,
    skip_invalid: bool,
    load_seconds: float | None,
) -> Skipped:
    """Read, work, write. What was skipped is returned, for the verb to finish with.

    done: what the work does, for the report that `load_seconds` asks for; lacking: what blank lines have none of.
    """
    from rearc.treebank import write
    from rearc.treebank.formats import format_of

    begin = time.perf_counter()
    counts: Counter[str] = Counter()
    skipped = SkippedOrBlank(skip_invalid, counts)
    sources = files or ["-"]
    sentences = chain.from_iterable(
        reading(source, skipped, bar=output != "-", format=format, encoding=encoding) for source in sources
    )
    to_format = None
    if output == "-":
        to_format = format_of(sources[0], format)
        to_format = "conllu" if to_format == "text" else to_format
    write(work(_counted(sentences, counts)), output, format=to_format)
    if counts["blank"]:
        say(f"blank lines have no {lacking}: there are some in {counts['blank']:,} places")
    if load_seconds is not None:
        seconds = time.perf_counter() - begin
        words = counts["words"]
        say(
            f"{counts['sentences']:,} sentences, {words:,} words read, {done} and written in {seconds:.2f} s, "
            f"{words / seconds:,.0f} words/s; the model took {load_seconds:.2f} s to load"
        )
    return skipped


def _counted(sentences: Iterable[Sentence], counts: Counter[str]) -> Iterator[Sentence]:
    for sentence in sentences:
        counts["sentences"] += 1
        counts["words"] += len(sentence)
        yield sentence
