"""`rearc tag`: tags for words."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from rearc.cli.common import (
    EncodingOption,
    FormatOption,
    KeepOption,
    OutputEncodingOption,
    OutputOption,
    SkipInvalidOption,
    StrictOption,
    ToOption,
)
from rearc.cli.guard import WrongUsage
from rearc.cli.stream import Stream, columns_to_keep


def tag(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE…", help="Sentences to tag; - or none is standard input."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="MODEL", help="Model file, or one that rearc brings by its name.")
    ] = "en",
    output: OutputOption = "-",
    keep: KeepOption = "",
    format: FormatOption = None,
    to: ToOption = None,
    encoding: EncodingOption = "utf-8",
    output_encoding: OutputEncodingOption = "utf-8",
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how fast it went.")] = False,
) -> None:
    """Tag words: fill in the columns that the model's tagger knows, UPOS at least.

    XPOS, FEATS and LEMMA of the input stay only where --keep says so; trees, comments and all else stay as they are.
    Plain text has a sentence a line, its words separated by spaces; it becomes CoNLL-U.

    Examples:

    rearc tag words.conllu -m my.rearc -o tagged.conllu
    echo "I saw Jack" | rearc tag
    """
    from rearc.parser.given import without_tags
    from rearc.parser.model_tagger import load_tagger

    stream = Stream(files, output, format, to, encoding, output_encoding, strict, skip_invalid)
    try:
        stream.check("tags", model)
        kept = columns_to_keep(keep)
    except WrongUsage as error:
        raise typer.BadParameter(str(error), param_hint=error.option) from None
    begin = time.perf_counter()
    tagger = load_tagger(model)
    loaded = time.perf_counter()
    skipped = stream.run(
        lambda sentences: tagger.tag_many(without_tags(sentence, kept) for sentence in sentences), need_trees=strict
    )
    if verbose:
        stream.say_how_fast("tagged", loaded, loaded - begin)
    skipped.finish()
