"""`rearc parse`: trees for sentences."""

from __future__ import annotations

from typing import Annotated

import typer

from rearc.cli.common import EncodingOption, FormatOption, OutputOption, SkipInvalidOption, choice
from rearc.cli.guard import WrongUsage
from rearc.cli.parsing import TAGS, parse_files


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
            callback=choice(*TAGS),
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
    try:
        parse_files(files, model, output, threads, tags, format, encoding, skip_invalid, verbose)
    except WrongUsage as error:
        raise typer.BadParameter(str(error), param_hint=error.option) from None
