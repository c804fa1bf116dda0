"""A student learns from a treebank and from what a teacher makes of text that nobody annotated."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from rearc.parser import Parser, load
from rearc.parser.document import Numbering
from rearc.parser.header import Taught
from rearc.training.committee import parsed_by, sureness, voted
from rearc.training.corpus import Corpus, Source, make_corpus, read_corpus
from rearc.training.errors import TrainingError
from rearc.training.loop import train_on
from rearc.training.options import Options, make_options
from rearc.training.plan import check
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence

LONGEST = 200  # words: what is longer is no sentence

Teacher = str | os.PathLike[str] | Parser


def distil(
    teacher: Teacher | Sequence[Teacher],
    text: Iterable[str | Sentence],
    treebank: Source,
    dev: Source | None = None,
    options: Options | None = None,
    *,
    confident: float = 0.0,
    copies: int = 1,
    alone: int = 0,
    threads: int = 1,
    watcher: Watcher | None = None,
    **overrides: Any,
) -> Parser:
    """Train a student on a treebank and on text that a teacher has parsed, or several who vote.

    text: raw texts, which the (first) teacher splits into sentences, or sentences.
    confident: heads of which the teacher is less sure than this, or several on average, are unknown to the student.
    copies: how often each sentence of the treebank counts.
    alone: the last so many epochs learn from the treebank alone.
    options: those of `rearc.train`, of the student.

    >>> from rearc.treebank import sample
    >>> student = distil("en", ["The owl hunts. It sees mice at night."], sample(), epochs=2, system="arc-hybrid")
    >>> student.header.taught.sentences
    2
    """
    given = [teacher] if isinstance(teacher, (str, os.PathLike, Parser)) else list(teacher)
    if not given:
        raise TrainingError("found no teacher, expected one at least")
    parsers = [one if isinstance(one, Parser) else load(one) for one in given]
    chosen = make_options(options, overrides)
    check(chosen)
    check_amounts(parsers, confident, copies, alone)
    gold = read_corpus(treebank)
    found = list(lessons(parsers, _sentences(parsers[0], text), confident, threads))
    name = ", ".join("<parser>" if isinstance(one, Parser) else PurePath(one).name for one in given)
    corpus, taught = joined(gold, found, name, confident, copies, alone)
    dev_corpus = read_corpus(dev) if dev is not None else None
    return with_teacher(train_on(corpus, dev_corpus, chosen, watcher=watcher, texts=gold), taught)


def check_amounts(teachers: Sequence[Parser], confident: float, copies: int, alone: int) -> None:
    """TrainingError for what cannot be."""
    if not isinstance(confident, (int, float)) or not 0 <= confident < 1:
        raise TrainingError(f"found confident {confident!r}, expected a probability from 0 to below 1; choose one")
    if confident and not all(teacher.has_confidence for teacher in teachers):
        raise TrainingError(
            "found a teacher that does not know how sure it is, expected one that does; leave out the limit, or train "
            "the teacher with development data"
        )
    if not isinstance(copies, int) or not 1 <= copies <= 1000:
        raise TrainingError(f"found {copies!r} copies, expected a whole number from 1 to 1,000; choose one")
    if not isinstance(alone, int) or not 0 <= alone < 1 << 31:
        raise TrainingError(
            f"found {alone!r} epochs of the treebank alone, expected a whole number from 0 on; choose one"
        )


def lessons(
    teachers: Sequence[Parser], sentences: Iterable[Sentence], confident: float = 0.0, threads: int = 1
) -> Iterator[Sentence]:
    """The sentences as the teachers tag and parse them, but for those of one word and those too long.

    confident: heads of which they are less sure are unknown.
    """
    fit = (s for s in sentences if 2 <= len(s) <= LONGEST)
    for trees in parsed_by(teachers, fit, threads, confidence=confident > 0):
        tree = voted(trees) if len(trees) > 1 else trees[0]
        if not confident:
            yield tree
            continue
        sure = [share >= confident for share in sureness(trees, tree.heads)]
        if any(sure):
            heads = [head if known else -1 for head, known in zip(tree.heads, sure, strict=True)]
            labels = [label if known else "_" for label, known in zip(tree.deprels, sure, strict=True)]
            yield tree.replace(heads=heads, deprels=labels)


def joined(
    gold: Corpus, found: list[Sentence], teacher: str, confident: float, copies: int, alone: int
) -> tuple[Corpus, Taught]:
    """The treebank and what the teacher made, and a note on where that comes from."""
    if not found:
        raise TrainingError("found no sentence that the teacher could teach, expected some; give it more text")
    corpus = make_corpus(gold.about.name, [*(gold.sentences * copies), *found])
    corpus = replace(corpus, own=len(gold.sentences), alone=alone)
    return corpus, Taught(teacher, len(found), sum(map(len, found)), float(confident), copies, alone)


def with_teacher(parser: Parser, taught: Taught) -> Parser:
    """The parser with a note on its teacher."""
    return parser._with(header=replace(parser.header, taught=taught))


def _sentences(teacher: Parser, text: Iterable[str | Sentence]) -> Iterator[Sentence]:
    for piece in text:
        if isinstance(piece, Sentence):
            yield piece
        elif teacher.segmenter is None:
            raise TrainingError("found raw text and a teacher without a segmenter, expected sentences; split it first")
        else:
            yield from Numbering().sentences(teacher.segmenter.segment(piece))
