"""`rearc tag`: tags for words."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from rearc.cli.common import EncodingOption, FormatOption, OutputOption, SkipInvalidOption
from rearc.cli.stream import stream


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
    from rearc.parser.model_tagger import load_tagger

    begin = time.perf_counter()
    tagger = load_tagger(model)
    load_seconds = time.perf_counter() - begin if verbose else None
    stream(tagger.tag_many, "tagged", "words", files, output, format, encoding, skip_invalid, load_seconds).finish()
