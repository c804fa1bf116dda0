"""`rearc tag`: tags for words."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import EncodingOption, FormatOption, OutputOption, SkipInvalidOption
from rearc.cli.guard import SkippedOrBlank, say
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.treebank import Sentence


def tag(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE…", help="Sentences to tag; - or none is standard input."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="MODEL", help="Model file, or one that rearc brings by its name.")
    ] = "en",
    output: OutputOption = "-",
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    skip_invalid: SkipInvalidOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how fast it went.")] = False,
) -> None:
    """Tag words: fill in the columns that the model's tagger knows, UPOS at least, and keep all else as it is.

    Plain text has a sentence a line, its words separated by spaces; it becomes CoNLL-U.

    Examples:

    rearc tag words.conllu -m my.rearc -o tagged.conllu
    echo "I saw Jack" | rearc tag --format text
    """
    from rearc.parser.tagging import load_tagger
    from rearc.treebank import write
    from rearc.treebank.formats import format_of

    begin = time.perf_counter()
    tagger = load_tagger(model)
    loaded = time.perf_counter()
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
    write(tagger.tag_many(_counted(sentences, counts)), output, format=to_format)
    if counts["blank"]:
        say(f"blank lines have no words: there are some in {counts['blank']:,} places")
    if verbose:
        seconds = time.perf_counter() - loaded
        words = counts["words"]
        say(
            f"{counts['sentences']:,} sentences, {words:,} words read, tagged and written in {seconds:.2f} s, "
            f"{words / seconds:,.0f} words/s; the model took {loaded - begin:.2f} s to load"
        )
    skipped.finish()


def _counted(sentences: Iterable[Sentence], counts: Counter[str]) -> Iterator[Sentence]:
    for sentence in sentences:
        counts["sentences"] += 1
        counts["words"] += len(sentence)
        yield sentence
