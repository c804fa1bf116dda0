"""What `rearc parse` does, once its options are read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from rearc.cli.guard import SkippedOrBlank, WrongUsage, say
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.parser import Parser
    from rearc.treebank import Sentence

TAGS = ("given", "predict", "auto")


def parse_files(
    files: list[str] | None = None,
    model: str = "en",
    output: str = "-",
    threads: int = 1,
    tags: str = "auto",
    format: str | None = None,
    encoding: str = "utf-8",
    skip_invalid: bool = False,
    verbose: bool = False,
) -> None:
    """Parse files into one."""
    from rearc.parser import load
    from rearc.treebank import write
    from rearc.treebank.formats import format_of

    begin = time.perf_counter()
    parser = load(model)
    if tags == "predict" and not parser.tags:
        raise WrongUsage(f"{model} has no tagger: give tagged sentences", "--tags")
    loaded = time.perf_counter()
    counts: Counter[str] = Counter()
    skipped = SkippedOrBlank(skip_invalid, counts)
    sources = files or ["-"]
    sentences = chain.from_iterable(
        reading(source, skipped, bar=output != "-", format=format, encoding=encoding) for source in sources
    )
    parsed = parser.parse_many(_counted(sentences, counts, parser), threads=threads, tags=tags)
    to_format = None
    if output == "-":
        to_format = format_of(sources[0], format)
        to_format = "conllu" if to_format == "text" else to_format
    write(parsed, output, format=to_format)
    if counts["bare"] and not parser.tags:
        say(f"{counts['bare']:,} of {counts['sentences']:,} sentences have no UPOS, which {model} goes by; tag them")
    if counts["blank"]:
        say(f"blank lines have no tree: there are some in {counts['blank']:,} places")
    if verbose:
        seconds = time.perf_counter() - loaded
        words = counts["words"]
        say(
            f"{counts['sentences']:,} sentences, {words:,} words read, parsed and written in {seconds:.2f} s, "
            f"{words / seconds:,.0f} words/s; the model took {loaded - begin:.2f} s to load"
        )
    skipped.finish()


def _counted(sentences: Iterable[Sentence], counts: Counter[str], parser: Parser) -> Iterator[Sentence]:
    goes_by_upos = "upos" in parser.header.expects
    for sentence in sentences:
        counts["sentences"] += 1
        counts["words"] += len(sentence)
        counts["bare"] += goes_by_upos and sentence._column("upos") is None
        yield sentence
