"""A parse, and beside it a beam that tells how sure to be of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rearc.parser.confidence import (
    ALTERNATIVES,
    Confidence,
    Evidence,
    Floats,
    evidence,
    make_confidence,
    with_confidence,
)
from rearc.parser.engine import Margins
from rearc.parser.given import takes_predicted
from rearc.parser.model import Pieces
from rearc.parser.parts import content_of
from rearc.search.forest import Forest
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.parser.constrained import Within
    from rearc.parser.parser import Parser


def weigh(
    parser: Parser,
    confidence: Confidence,
    batch: list[Sentence],
    of_tagger: Margins,
    tags: str,
    beam: int,
    within: Within | None = None,
) -> tuple[list[Sentence], Evidence, dict[str, Floats]]:
    """The sentences parsed, what is known of each of their words, and how likely its predicted tags are right.

    confidence: that of tags is asked; of_tagger: the margins of the tags that the sentences have already; within: the
    constraints of the batch, if there are any.
    """
    beams = [(beam, 1), (ALTERNATIVES, ALTERNATIVES)]
    (tree, others), predicted, margins = parser._search(batch, beams, within)
    parsed = parser._finished(batch, tree.heads, tree.labels, predicted, tags)
    mended = parsed
    if within:
        mended = [one for own in within.complying(parsed, tree) for one in own if one]
    elif parser._second_pass:
        mended = parser._second_pass.repaired(parsed)
    if mended is not parsed:
        tree = _as_mended(tree, parsed, mended, parser._labels)
        parsed = mended
    if not parser._scale:
        others = others._replace(scores=others.scores * parser._engine.unit)
    known = confidence.known
    found = predicted.get("upos") or [tag for sentence in batch for tag in sentence.upos]
    upos = np.array([known.get(tag, 0) for tag in found], dtype=np.intp)
    of_tags = confidence.of_tags(upos, margins or of_tagger)
    seen = evidence(batch, upos, of_tags, tree, others, parser._engine.unit)
    if margins:  # a network goes by its own tags, and keeps silent about those that are given
        given = np.repeat([not takes_predicted(s, tags) for s in batch], [len(s) for s in batch])
        of_tags = {column: np.where(given, np.nan, own) for column, own in of_tags.items()}
    return parsed, seen, of_tags


def _as_mended(tree: Forest, parsed: list[Sentence], mended: list[Sentence], labels: list[str]) -> Forest:
    """One tree of each sentence, with the heads and labels that constraints or a second pass have changed."""
    number = {name: k for k, name in enumerate(labels)}
    heads, numbers = tree.heads.copy(), tree.labels.copy()
    start = 0
    for old, new in zip(parsed, mended, strict=True):
        if old is not new:
            both = zip(old.heads, new.heads, old.deprels, new.deprels, strict=True)
            for w, (head, new_head, label, new_label) in enumerate(both, start):
                heads[w] = heads[w] if head == new_head else new_head
                numbers[w] = numbers[w] if label == new_label else number.get(new_label, numbers[w])
        start += len(old)
    return tree._replace(heads=heads, labels=numbers)


def sure(
    parser: Parser,
    confidence: Confidence,
    batch: list[Sentence],
    of_tagger: Margins,
    tags: str,
    beam: int,
    within: Within | None = None,
) -> list[Sentence]:
    """The sentences parsed, with how sure to be of them. of_tagger: the margins of the tags that they have already."""
    if not batch:
        return []
    parsed, seen, of_tags = weigh(parser, confidence, batch, of_tagger, tags, beam, within)
    of_words = confidence.of_words(seen)
    if within:
        of_words = within.settled(of_words)
    return list(with_confidence(parsed, of_words, confidence.of_sentences(seen, of_words), of_tags))


def confidence_of(members: Mapping[str, Pieces], labels: int) -> Confidence | None:
    """The confidence again, if a model file keeps one. ValueError says what is wrong with it."""
    return make_confidence(*content_of(members, "confidence"), labels) if members else None
