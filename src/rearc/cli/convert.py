"""`rearc convert`: between formats, and between trees and pseudo-projective trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import (
    ONE_FORMAT,
    EncodingOption,
    OutputEncodingOption,
    SkipInvalidOption,
    StrictOption,
    choice,
)
from rearc.cli.guard import Skipped, counted, say
from rearc.cli.reading import reading
from rearc.cli.stream import READABLE, SAME
from rearc.files.errors import FileError

if TYPE_CHECKING:
    from rearc.treebank import Sentence

ENCODINGS = ("head", "path", "head+path")


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="File to read; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="File to write; - is standard output.")],
    from_format: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FORMAT", callback=choice(*READABLE), help=f"{ONE_FORMAT}; else by the name of IN."
        ),
    ] = None,
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            callback=choice(*READABLE, "text"),
            help="Likewise for OUT, or text: the running text. Standard output gets the format of IN.",
        ),
    ] = None,
    encoding: EncodingOption = "utf-8",
    output_encoding: OutputEncodingOption = "utf-8",
    projectivise: Annotated[
        str | None,
        typer.Option(
            "--projectivise",
            metavar="ENCODING",
            callback=choice(*ENCODINGS),
            help="Lift non-projective arcs and note it in the labels: head, path or head+path (Nivre & Nilsson 2005).",
        ),
    ] = None,
    deprojectivise: Annotated[
        str | None,
        typer.Option(
            "--deprojectivise", metavar="ENCODING", callback=choice(*ENCODINGS), help="Bring lifted arcs back."
        ),
    ] = None,
    single_root: Annotated[bool, typer.Option("--single-root", help="Trees with several roots are invalid.")] = False,
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """Convert a treebank to another format; check it on the way.

    Formats go by the names: .conllu, .conllx or .conll, .conll07, .json or .jsonl, .txt (OUT alone: running text),
    each also with .gz or .xz. In the same format, every byte stays as it is.
    What a format has no place for is counted on standard error.

    Examples:

    rearc convert danish.conll danish.conllu --encoding latin-1
    rearc convert train.conllu projective.conllu --projectivise head
    """
    if projectivise and deprojectivise:
        raise typer.BadParameter("choose one of --projectivise and --deprojectivise", param_hint="--projectivise")
    from rearc.treebank import write
    from rearc.treebank.formats import format_to_read, format_to_write

    skipped = Skipped(skip_invalid)
    from_format = format_to_read(source, from_format)
    if target == "-" and to_format is None:
        to_format = from_format
    try:
        to_format = format_to_write(target, to_format)
    except FileError as error:
        raise typer.BadParameter(f"{error} with --to", param_hint="OUT") from None
    options: Any = {"format": from_format, "encoding": encoding, "single_root": single_root, "strict": strict}
    sentences = reading(source, skipped, bar=target != "-", **options)
    output_encoding = encoding if output_encoding == SAME else output_encoding
    moved: Counter[str] = Counter()
    if projectivise:
        sentences = _projectivised(sentences, projectivise, moved)
    elif deprojectivise:
        sentences = _deprojectivised(sentences, deprojectivise, moved)
    losses: Counter[str] = Counter()
    write(sentences, target, format=to_format, encoding=output_encoding, losses=losses)
    if moved["sentences"]:
        done = "lifted" if projectivise else "brought back"
        say(f"{counted(moved['arcs'], 'arc')} {done} in {counted(moved['sentences'], 'sentence')}")
    if losses:
        lost = ", ".join(counted(count, name.removesuffix("s"), name) for name, count in losses.items())
        say(f"{target}: the format {to_format} has no place for {lost}")
    skipped.finish()


def _projectivised(sentences: Iterable[Sentence], encoding: str, moved: Counter[str]) -> Iterator[Sentence]:
    from rearc.treebank.pseudoprojective import projectivise

    for sentence in sentences:
        yield _counted(sentence, projectivise(sentence, encoding), moved)


def _deprojectivised(sentences: Iterable[Sentence], encoding: str, moved: Counter[str]) -> Iterator[Sentence]:
    from rearc.treebank.pseudoprojective import deprojectivise

    for sentence in sentences:
        yield _counted(sentence, deprojectivise(sentence, encoding), moved)


def _counted(before: Sentence, after: Sentence, moved: Counter[str]) -> Sentence:
    arcs = sum(a != b for a, b in zip(before.heads, after.heads, strict=True))
    moved["arcs"] += arcs
    moved["sentences"] += arcs > 0
    return after
