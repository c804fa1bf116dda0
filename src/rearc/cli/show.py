"""`rearc show`: trees to look at."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import (
    EncodingOption,
    FileArgument,
    FormatOption,
    OutputOption,
    SkipInvalidOption,
    StrictOption,
    check_apart,
)
from rearc.cli.guard import Skipped
from rearc.cli.reading import reading
from rearc.files.names import suffix_of

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
KINDS = {".svg": "svg", ".html": "html", ".htm": "html", ".png": "png", ".pdf": "pdf", ".txt": "text"}


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
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """Draw trees: in the terminal, or as SVG, HTML, PNG or PDF.

    Each word has a line, and an arrow from its head; the root's comes from
    the left edge. Non-projective arcs are heavy lines. Where lines cross,
    the vertical one passes over the other.

    Examples:

    rearc show
    rearc show treebank.conllu --sentence 12 -o tree.svg
    rearc show treebank.conllu | less
    """
    check_apart(output, [file])
    kind = _kind(svg, html, output)
    skipped = Skipped(skip_invalid)
    sentences = reading(file, skipped, bar=output != "-", format=format, encoding=encoding, strict=strict)
    if sentence:
        sentences = chosen(sentences, sentence, file)
    from rearc.treebank.drawing import draw_html, draw_pixels, draw_svg

    if kind == "svg":
        _put([draw_svg(sentences)], output)
    elif kind == "html":
        _put(draw_html(sentences, title="standard input" if file == "-" else file), output)
    elif kind in ("png", "pdf"):
        _put([draw_pixels(sentences, kind, output)], output)
    elif output == "-" and sys.stdout.isatty():
        _colour(sentences)
    else:
        _put(_texts(sentences), output)
    skipped.finish()


def _kind(svg: bool, html: bool, output: str) -> str:
    """What to draw: what is asked for, or else what the name of the output says."""
    if svg and html:
        raise typer.BadParameter("choose one of --svg and --html", param_hint="--svg")
    asked = "svg" if svg else "html" if html else None
    suffix = suffix_of(output)
    named = KINDS.get(suffix)
    if asked and suffix and named not in (None, asked):
        raise typer.BadParameter(f"{output} is the name of another kind of file", param_hint=f"--{asked}")
    if not asked and suffix and named is None:
        found = f"found the ending {suffix!r}, expected {', '.join(KINDS)}, or none"
        raise typer.BadParameter(found, param_hint="--output")
    return asked or named or "text"


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
    from rearc.treebank.drawing.characters import isolated, showable

    return isolated(showable(sentence.sent_id or "")), isolated(showable(sentence.text))


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


def _put(pieces: Iterable[str | bytes], output: str) -> None:
    from rearc.files.names import name_of
    from rearc.files.targets import Target

    with Target(output, name_of(output, "<stdout>")) as target:
        for piece in pieces:
            target.write(piece.encode() if isinstance(piece, str) else piece)
