"""`rearc parse`: trees for sentences."""

from __future__ import annotations

from typing import Annotated

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
    choice,
)
from rearc.cli.guard import WrongUsage
from rearc.cli.parsing import TAGS, parse_files


def parse(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE…", help="Text or sentences to parse; - or none is standard input."),
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
    keep: KeepOption = "",
    format: InputFormatOption = None,
    to: ToOption = None,
    encoding: EncodingOption = "utf-8",
    output_encoding: OutputEncodingOption = "utf-8",
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
    beam: Annotated[
        int | None,
        typer.Option(
            "--beam",
            metavar="N",
            min=1,
            max=1000,
            show_default="what the model was trained for",
            help="Derivations to follow side by side; 1 is greedy.",
        ),
    ] = None,
    n_best: Annotated[
        int | None,
        typer.Option(
            "--n-best",
            metavar="K",
            min=1,
            max=1000,
            help="The K best trees of each sentence, one after another, with [bold]# rank[/] and [bold]# score[/].",
        ),
    ] = None,
    confidence: Annotated[
        bool,
        typer.Option(
            "--confidence",
            help="Say in MISC how likely heads, labels and predicted tags are right, if the model knows.",
        ),
    ] = False,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="Heads and labels that the input has stay, in all trees of a beam; what is [bold]_[/] is filled in.",
        ),
    ] = False,
    constraints: Annotated[
        str | None,
        typer.Option(
            "--constraints",
            metavar="RULES",
            callback=choice("ud"),
            help="Rules that the trees keep: [bold]ud[/], of Universal Dependencies (one root, one subject, …).",
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how fast it went.")] = False,
    ranges: RangesOption = False,
    flush: FlushOption = False,
) -> None:
    """Parse text or sentences: fill in HEAD and DEPREL, and keep all else as it is.

    Plain text is split into sentences and words by the model, and becomes CoNLL-U; every space of it is kept in MISC.
    With --tags predict no column holds tags or lemmas of the input but those of --keep.

    Examples:

    rearc parse words.conllu -m my.rearc -o parsed.conllu --threads 2
    echo "Don't panic, John's here." | rearc parse --to text
    rearc parse words.conllu --n-best 5
    rearc parse half-annotated.conllu --partial --constraints ud
    rearc parse half-annotated.conllu --partial --n-best 3
    rearc parse letters.txt --to json -o letters.jsonl
    """
    try:
        parse_files(
            files, model, output, threads, tags, keep, format, to, encoding, output_encoding, strict, skip_invalid,
            verbose, ranges, flush, beam, n_best, confidence, partial, constraints,
        )  # fmt: skip
    except WrongUsage as error:
        raise typer.BadParameter(str(error), param_hint=error.option) from None
