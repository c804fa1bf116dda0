"""`rearc parse`: trees for sentences."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import EncodingOption, FormatOption, OutputOption, SkipInvalidOption, SkippedOrBlank, choice, say
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.parser import Parser
    from rearc.treebank import Sentence


def parse(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE…", help="Sentences to parse; - or none is standard input."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="MODEL", help="Model file, or one that rearc brings by its name.")
    ] = "en",
    output: OutputOption = "-",
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads that parse.")] = 1,
    tags: Annotated[
        str,
        typer.Option(
            "--tags",
            metavar="WHICH",
            callback=choice("given", "predict", "auto"),
            help="Tags to go by: those [bold]given[/] in the file, those that the model can [bold]predict[/], or given "
            "ones where there are some ([bold]auto[/]).",
        ),
    ] = "auto",
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    skip_invalid: SkipInvalidOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how fast it went.")] = False,
) -> None:
    """Parse sentences: fill in HEAD and DEPREL, and keep all else as it is.

    Plain text has a sentence a line, its words separated by spaces; it becomes CoNLL-U.

    Examples:

    rearc parse words.conllu -m my.rearc -o parsed.conllu --threads 2
    echo "I saw Jack" | rearc parse --format text | rearc show -
    """
    from rearc.parser import load
    from rearc.treebank import write
    from rearc.treebank.formats import format_of

    begin = time.perf_counter()
    parser = load(model)
    if tags == "predict" and not parser.tags:
        raise typer.BadParameter(f"{model} has no tagger: give tagged sentences", param_hint="--tags")
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
