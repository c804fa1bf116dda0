"""A student learns from a treebank and from what a teacher makes of text that nobody annotated."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from rearc.parser import Parser, load
from rearc.parser.document import Numbering
from rearc.parser.header import Taught
from rearc.training.corpus import Corpus, Source, make_corpus, read_corpus
from rearc.training.errors import TrainingError
from rearc.training.loop import train_on
from rearc.training.options import Options, make_options
from rearc.training.plan import check
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence

LONGEST = 200  # words: what is longer is no sentence


def distil(
    teacher: str | os.PathLike[str] | Parser,
    text: Iterable[str | Sentence],
    treebank: Source,
    dev: Source | None = None,
    options: Options | None = None,
    *,
    confident: float = 0.0,
    copies: int = 1,
    threads: int = 1,
    watcher: Watcher | None = None,
    **overrides: Any,
) -> Parser:
    """Train a student on a treebank and on text that a teacher has parsed.

    text: raw texts, which the teacher splits into sentences, or sentences.
    confident: heads of which the teacher is less sure than this are unknown to the student.
    copies: how often each sentence of the treebank counts.
    options: those of `rearc.train`, of the student.

    >>> from rearc.treebank import sample
    >>> student = distil("en", ["The owl hunts. It sees mice at night."], sample(), epochs=2, system="arc-hybrid")
    >>> student.header.taught.sentences
    2
    """
    parser = teacher if isinstance(teacher, Parser) else load(teacher)
    chosen = make_options(options, overrides)
    check(chosen)
    check_amounts(parser, confident, copies)
    gold = read_corpus(treebank)
    found = list(lessons(parser, _sentences(parser, text), confident, threads))
    name = "<parser>" if isinstance(teacher, Parser) else PurePath(teacher).name
    corpus, taught = joined(gold, found, name, confident, copies)
    dev_corpus = read_corpus(dev) if dev is not None else None
    return with_teacher(train_on(corpus, dev_corpus, chosen, watcher=watcher, texts=gold), taught)


def check_amounts(teacher: Parser, confident: float, copies: int) -> None:
    """TrainingError for what cannot be."""
    if not isinstance(confident, (int, float)) or not 0 <= confident < 1:
        raise TrainingError(f"found confident {confident!r}, expected a probability from 0 to below 1; choose one")
    if confident and not teacher.has_confidence:
        raise TrainingError(
            "found a teacher that does not know how sure it is, expected one that does; leave out the limit, or train "
            "the teacher with development data"
        )
    if not isinstance(copies, int) or not 1 <= copies <= 1000:
        raise TrainingError(f"found {copies!r} copies, expected a whole number from 1 to 1,000; choose one")


def lessons(
    teacher: Parser, sentences: Iterable[Sentence], confident: float = 0.0, threads: int = 1
) -> Iterator[Sentence]:
    """The sentences as the teacher tags and parses them, but for those of one word and those too long.

    confident: heads of which it is less sure are unknown.
    """
    fit = (s for s in sentences if 2 <= len(s) <= LONGEST)
    tags = "predict" if teacher.has_tagger else "given"
    for tree in teacher.parse_many(fit, threads=threads, tags=tags, confidence=confident > 0):
        if not confident:
            yield tree
            continue
        sure = [word.confidence is not None and word.confidence >= confident for word in tree]
        if any(sure):
            heads = [head if known else -1 for head, known in zip(tree.heads, sure, strict=True)]
            labels = [label if known else "_" for label, known in zip(tree.deprels, sure, strict=True)]
            yield tree.replace(heads=heads, deprels=labels)


def joined(gold: Corpus, found: list[Sentence], teacher: str, confident: float, copies: int) -> tuple[Corpus, Taught]:
    """The treebank and what the teacher made, and a note on where that comes from."""
    if not found:
        raise TrainingError("found no sentence that the teacher could teach, expected some; give it more text")
    corpus = make_corpus(gold.about.name, [*(gold.sentences * copies), *found])
    return corpus, Taught(teacher, len(found), sum(map(len, found)), float(confident), copies)


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
