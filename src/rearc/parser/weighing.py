"""A parse, and beside it a beam that tells how sure to be of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rearc.parser.confidence import ALTERNATIVES, Confidence, Evidence, evidence, make_confidence, with_confidence
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
    parser: Parser, batch: list[Sentence], tags: str, beam: int, known: dict[str, int], within: Within | None = None
) -> tuple[list[Sentence], Evidence, Margins]:
    """The sentences parsed, what is known of each of their words, and the margins of tags that the engine predicted.

    known: numbers of UPOS tags; within: the constraints of the batch, if there are any.
    """
    beams = [(beam, 1), (ALTERNATIVES, ALTERNATIVES)]
    (tree, others), predicted, margins = parser._search(batch, beams, within)
    parsed = parser._finished(batch, tree.heads, tree.labels, predicted, tags)
    if within:
        mended = [one for own in within.complying(parsed, tree) for one in own if one]
        tree = _as_mended(tree, parsed, mended, parser._labels)
        parsed = mended
    upos = predicted.get("upos") or [tag for sentence in batch for tag in sentence.upos]
    if not parser._scale:
        others = others._replace(scores=others.scores * parser._engine.unit)
    seen = evidence(batch, upos, known, tree, others, parser._engine.unit)
    if margins:
        given = np.repeat([not takes_predicted(s, tags) for s in batch], [len(s) for s in batch])
        margins = {column: np.where(given, np.float32(np.nan), own) for column, own in margins.items()}
    return parsed, seen, margins


def _as_mended(tree: Forest, parsed: list[Sentence], mended: list[Sentence], labels: list[str]) -> Forest:
    """One tree of each sentence, with the heads and labels that constraints have changed."""
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
    parsed, seen, margins = weigh(parser, batch, tags, beam, confidence.known, within)
    of_words = confidence.of_words(seen)
    if within:
        of_words = within.settled(of_words)
    of_tags = confidence.of_tags(seen, margins or of_tagger)
    return list(with_confidence(parsed, of_words, confidence.of_sentences(seen, of_words), of_tags))


def confidence_of(members: Mapping[str, Pieces], labels: int) -> Confidence | None:
    """The confidence again, if a model file keeps one. ValueError says what is wrong with it."""
    return make_confidence(*content_of(members, "confidence"), labels) if members else None
