"""The options that verbs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, TypeVar

import typer

from rearc.cli.guard import replaced
from rearc.cli.stream import FROM_FORMATS, READABLE, SAME, TO_FORMATS
from rearc.errors import RearcError

Encoding = TypeVar("Encoding", str, str | None)
Choice = TypeVar("Choice", str, str | None, list[str] | None)

ONE_FORMAT = "conllu, conllx, conll2007, tokens (a sentence a line, its words separated by spaces) or json"


def choice(*allowed: str) -> Callable[[Choice], Choice]:
    """A check that what is given, if anything, is one of these; wrong usage else."""

    def check(given: Choice) -> Choice:
        for value in [given] if isinstance(given, str) else given or ():
            if value not in allowed:
                raise typer.BadParameter(f"found {value!r}, expected one of {', '.join(allowed)}")
        return given

    return check


def known_encoding(name: Encoding) -> Encoding:
    """A check that the encoding, if any, is one in which treebanks can be read and written; wrong usage else."""
    if name not in (None, "utf-8"):  # which spares an import
        from rearc.treebank.formats import codec_of

        try:
            codec_of("", str(name))
        except RearcError as error:
            raise typer.BadParameter(str(error).removeprefix(": ")) from None
    return name


def known_or_same(name: str) -> str:
    """The same for an output, which may have the encoding of the input."""
    if name != SAME:
        known_encoding(name)
    return name


def check_apart(output: str, inputs: Iterable[str | None]) -> None:
    """A check that the output is none of the inputs, which it would replace; wrong usage else."""
    reason = replaced(output, inputs)
    if reason:
        raise typer.BadParameter(reason, param_hint=["-o"])


FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="Treebank; - is standard input, sample the one that rearc brings.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on standard output.")]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="FORMAT", callback=choice(*READABLE), help=f"{ONE_FORMAT}; else by the file's name."
    ),
]
InputFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        callback=choice(*FROM_FORMATS),
        help=f"text, lines (a sentence a line, to be split into words), {ONE_FORMAT}; else by the file's name, and on "
        "standard input by its first line.",
    ),
]
RangesOption = Annotated[
    bool, typer.Option("--ranges", help="Say in MISC where the tokens stand in the text: TokenRange=first:last.")
]
FlushOption = Annotated[
    bool,
    typer.Option(
        "--flush",
        help="Write each sentence at once, and take each line of text for a whole one: for a process that is fed line "
        "by line. So it is on a terminal.",
    ),
]
EncodingOption = Annotated[
    str, typer.Option("--encoding", callback=known_encoding, help="Encoding of the input, such as latin-1.")
]
OutputEncodingOption = Annotated[
    str,
    typer.Option(
        "--output-encoding", callback=known_or_same, help=f"Encoding of the output; {SAME}: that of the input."
    ),
]
PredictedEncodingOption = Annotated[
    str | None,
    typer.Option(
        "--predicted-encoding", callback=known_encoding, help="The same for a parser's output, if it differs."
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse what else is passed over with a note: byte order marks, carriage returns, superfluous blank lines "
        "and spaces, a missing end.",
    ),
]
SkipInvalidOption = Annotated[
    bool, typer.Option("--skip-invalid", help="Report bad sentences and go on with the next (exit code 3).")
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        callback=choice(*TO_FORMATS),
        help="conllu, conllx, conll2007, json (an object a line) or text (trees drawn with letters); else by the name "
        "of OUT, and on standard output as the input.",
    ),
]
KeepOption = Annotated[
    str,
    typer.Option(
        "--keep",
        metavar="COLUMNS",
        help="Columns of the input that stay though tags are predicted: lemma, xpos, feats, separated by commas.",
    ),
]
OutputOption = Annotated[
    str, typer.Option("--output", "-o", metavar="OUT", help="File to write; - is standard output.")
]
PunctuationOption = Annotated[
    str,
    typer.Option(
        "--punctuation",
        metavar="RULE",
        callback=choice("all", "unicode", "upos"),
        help="Words that count: [bold]all[/]; or all but punctuation, by its characters ([bold]unicode[/], as "
        "CoNLL's eval.pl) or by its gold tag ([bold]upos[/]).",
    ),
]
NoSubtypesOption = Annotated[
    bool, typer.Option("--no-subtypes", help="Compare labels without what follows their colon.")
]
