"""`rearc distil`: a student from a teacher, text and a treebank."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import EncodingOption, StrictOption, check_apart
from rearc.cli.guard import Skipped, WrongUsage, counted, say
from rearc.cli.learning import (
    Lessons,
    LogOption,
    PlotOption,
    ResumeOption,
    check_writable,
    checked_options,
    corpus_of,
    learn,
)
from rearc.cli.options import with_options
from rearc.cli.parsing import COLUMNS
from rearc.cli.stream import Stream

if TYPE_CHECKING:
    from rearc.parser import Parser
    from rearc.treebank import Sentence


@with_options
def distil(
    teacher: Annotated[str, typer.Argument(metavar="TEACHER", help="Model that parses the text: a file, or a name.")],
    text: Annotated[
        list[str],
        typer.Option("--text", metavar="FILE", help="Raw text or sentences to parse; may be given several times."),
    ],
    treebank: Annotated[
        str, typer.Option("--treebank", metavar="TRAIN", help="Treebank to learn from beside the text.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="STUDENT", help="Model file to write.")],
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="Treebank to score on; the best epoch is kept.")
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="MODEL", help="One more teacher; several vote. May be given several times."),
    ] = None,
    confident: Annotated[
        float,
        typer.Option(
            "--confident", metavar="P", help="Heads of which the teacher is less sure are unknown to the student."
        ),
    ] = 0.0,
    copies: Annotated[int, typer.Option("--copies", metavar="N", help="How often each sentence of TRAIN counts.")] = 1,
    alone: Annotated[
        int, typer.Option("--alone", metavar="N", min=0, help="The last N epochs learn from TRAIN alone.")
    ] = 0,
    words: Annotated[
        int | None, typer.Option("--words", metavar="N", help="Of the text, take so many words.", show_default="all")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads that parse the text.")] = 1,
    log: LogOption = None,
    plot: PlotOption = None,
    resume: ResumeOption = False,
    encoding: EncodingOption = "utf-8",
    strict: StrictOption = False,
    **given: Any,
) -> None:
    """Teach a fast model what a good one knows.

    TEACHER tags and parses text that nobody annotated. The student learns from that and from TRAIN, as `rearc train`
    does and with its options, in any system. Several teachers vote (--also). What they are not sure of can be left out
    (--confident).

    Examples:

    rearc distil big.rearc --text web.txt --treebank train.conllu --dev dev.conllu -o small.rearc
    rearc distil en --text web.txt --treebank train.conllu --dev dev.conllu -o fast.rearc --confident 0.8 --words 500000
    """
    from rearc.parser import load
    from rearc.training import TrainingError
    from rearc.training.distilling import check_amounts, joined, with_teacher

    options = checked_options(given, plot)
    names = [teacher, *(also or ())]
    check_apart(str(output), [treebank, dev, *names, *text])
    check_writable(output)
    teachers = [load(name) for name in names]
    try:
        check_amounts(teachers, confident, copies, alone)
    except TrainingError as error:
        raise typer.BadParameter(
            str(error), param_hint=["--copies" if "copies" in str(error) else "--confident"]
        ) from None
    skipped = Skipped(False)
    gold = corpus_of(treebank, skipped, None, encoding, strict)
    dev_corpus = corpus_of(dev, skipped, None, encoding, strict) if dev else None
    try:
        found = _found(teachers, teacher, text, encoding, strict, confident, words, threads)
    except WrongUsage as error:
        raise typer.BadParameter(str(error), param_hint=["--text"]) from None
    corpus, taught = joined(gold, found, ", ".join(PurePath(name).name for name in names), confident, copies, alone)
    say(f"{taught.teacher} parsed {counted(taught.sentences, 'sentence')} of the text, {counted(taught.words, 'word')}")
    learn(
        output, Lessons(corpus, dev_corpus, gold), options, given, log, plot, resume,
        lambda student: with_teacher(student, taught),
    )  # fmt: skip


def _found(
    teachers: list[Parser],
    first: str,
    text: list[str],
    encoding: str,
    strict: bool,
    confident: float,
    words: int | None,
    threads: int,
) -> list[Sentence]:
    """What the teachers make of the text, which the first splits, up to so many words."""
    from rearc.training.distilling import lessons

    stream = Stream(text, encoding=encoding, strict=strict)
    sentences = stream.read(first, lambda: teachers[0].segmenter, Skipped(False), columns=COLUMNS)
    found: list[Sentence] = []
    count = 0
    for tree in lessons(teachers, sentences, confident, threads):
        found.append(tree)
        count += len(tree)
        if words is not None and count >= words:
            break
    return found
