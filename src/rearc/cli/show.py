"""`rearc show`: trees to look at."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import EncodingOption, FileArgument, FormatOption, OutputOption, SkipInvalidOption
from rearc.cli.guard import Skipped
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.treebank import Sentence

STYLES = {
    "arc": "blue",
    "non-projective": "bold bright_red",
    "root": "bold",
    "upos": "dim",
    "label": "cyan",
    "non-projective label": "bold bright_red",
}


def show(
    file: FileArgument = "sample",
    sentence: Annotated[
        list[str] | None,
        typer.Option(
            "--sentence", "-s", metavar="N|SENT_ID", help="Only this one: its number or its sent_id; may be repeated."
        ),
    ] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Draw SVG: arcs above the words.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Draw an HTML page with all the trees.")] = False,
    output: OutputOption = "-",
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """Draw trees: in the terminal, or as SVG or HTML.

    Each word has a line, and an arrow from its head; the root's comes from
    the left edge. Non-projective arcs are heavy lines. Where lines cross,
    the vertical one passes over the other.

    Examples:

    rearc show
    rearc show treebank.conllu --sentence 12 -o tree.svg
    rearc show treebank.conllu | less
    """
    if svg and html:
        raise typer.BadParameter("choose one of --svg and --html", param_hint="--svg")
    if not svg and not html:  # then the name of the output says it
        svg, html = output.endswith(".svg"), output.endswith((".html", ".htm"))
    skipped = Skipped(skip_invalid)
    sentences = reading(file, skipped, bar=output != "-", format=format, encoding=encoding)
    if sentence:
        sentences = chosen(sentences, sentence, file)
    from rearc.treebank.drawing import draw_html, draw_svg

    if svg:
        _put([draw_svg(sentences)], output)
    elif html:
        _put(draw_html(sentences, title=file), output)
    elif output == "-" and sys.stdout.isatty():
        _colour(sentences)
    else:
        _put(_texts(sentences), output)
    skipped.finish()


def chosen(sentences: Iterable[Sentence], wanted: list[str], file: str) -> Iterator[Sentence]:
    """The sentences with these numbers or ids, in the order of the file."""
    from rearc.treebank import TreebankError

    missing = set(wanted)
    number = 0
    for number, sentence in enumerate(sentences, start=1):
        names = {str(number), sentence.sent_id} & missing
        if names:
            missing -= names
            yield sentence
        if not missing:
            return
    found = f"no sentence {', '.join(sorted(missing))}"
    raise TreebankError(file, 0, 0, found, f"a number from 1 to {number:,}, or a sent_id", "check --sentence")


def _heading(sentence: Sentence) -> tuple[str, str]:
    from rearc.treebank.drawing.characters import showable

    return showable(sentence.sent_id or ""), showable(sentence.text)


def _texts(sentences: Iterable[Sentence]) -> Iterator[str]:
    from rearc.treebank.drawing import draw_text

    for sentence in sentences:
        name, text = _heading(sentence)
        comments = f"# {name}\n# {text}" if name else f"# {text}"
        yield f"{comments}\n{draw_text(sentence)}\n\n"


def _colour(sentences: Iterable[Sentence]) -> None:
    from rich.text import Text

    from rearc.cli.tables import console
    from rearc.treebank.drawing import draw_lines

    out = console()
    for sentence in sentences:
        name, text = _heading(sentence)
        if name:
            out.print(Text(f"# {name}", style="dim"), soft_wrap=True)
        out.print(Text.assemble(("# ", "dim"), (text, "italic")), soft_wrap=True)
        for line in draw_lines(sentence):
            out.print(Text.assemble(*((text, STYLES.get(kind, "")) for text, kind in line)), soft_wrap=True)
        out.print()


def _put(pieces: Iterable[str], output: str) -> None:
    from rearc.files.names import name_of
    from rearc.files.targets import Target

    with Target(output, name_of(output, "<stdout>")) as target:
        for piece in pieces:
            target.write(piece.encode())
