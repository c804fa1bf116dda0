"""`rearc tag`: tags for words."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import (
    EncodingOption,
    FlushOption,
    InputFormatOption,
    KeepOption,
    OutputEncodingOption,
    OutputOption,
    RangesOption,
    SkipInvalidOption,
    StrictOption,
    ToOption,
)
from rearc.cli.guard import WrongUsage
from rearc.cli.stream import Stream, columns_to_keep

if TYPE_CHECKING:
    from rearc.treebank import Sentence


def tag(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE…", help="Text or sentences to tag; - or none is standard input."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="MODEL", help="Model file, or one that rearc brings by its name.")
    ] = "en",
    output: OutputOption = "-",
    keep: KeepOption = "",
    format: InputFormatOption = None,
    to: ToOption = None,
    encoding: EncodingOption = "utf-8",
    output_encoding: OutputEncodingOption = "utf-8",
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how fast it went.")] = False,
    ranges: RangesOption = False,
    flush: FlushOption = False,
) -> None:
    """Tag words: fill in the columns that the model's tagger knows, UPOS at least.

    XPOS, FEATS and LEMMA of the input stay only where --keep says so; trees, comments and all else stay as they are.
    Plain text is split into sentences and words by the model, and becomes CoNLL-U.

    Examples:

    rearc tag words.conllu -m my.rearc -o tagged.conllu
    echo "Don't panic, John's here." | rearc tag
    """
    from rearc.parser.given import without_tags
    from rearc.parser.model_segmenter import load_segmenter
    from rearc.parser.model_tagger import load_tagger

    stream = Stream(
        files, output, format, to, encoding, output_encoding, strict, skip_invalid, ranges or to == "json", flush
    )
    try:
        stream.check("tags", model)
        kept = columns_to_keep(keep)
    except WrongUsage as error:
        raise typer.BadParameter(str(error), param_hint=error.option) from None
    begin = time.perf_counter()
    tagger = load_tagger(model)
    loaded = time.perf_counter()

    def work(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        bare = (without_tags(sentence, kept) for sentence in sentences)
        if stream.at_once:
            return (tagged for sentence in bare for tagged in tagger.tag_many([sentence]))
        return tagger.tag_many(bare)

    try:
        skipped = stream.run(work, model, lambda: load_segmenter(model), need_trees=strict)
    except WrongUsage as error:
        raise typer.BadParameter(str(error), param_hint=error.option) from None
    if verbose:
        stream.say_how_fast("tagged", loaded, loaded - begin)
    skipped.finish()
