"""How sure a parser may be, learnt from sentences that it did not learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from rearc.parser.confidence import (
    CURVE,
    STRAIGHT,
    TAG,
    Confidence,
    Evidence,
    bends,
    columns,
    probability,
    sentence_numbers,
)
from rearc.parser.parser import Parser
from rearc.parser.parts import members_of
from rearc.parser.tag_confidence import COLUMNS, rows
from rearc.parser.weighing import weigh
from rearc.treebank import Sentence
from rearc.treebank.batches import batches

Floats = NDArray[np.float64]

LEAST = 20  # sentences: fewer teach nothing
FOLDS = 5  # of sentences that a regression is tried on without having seen them


def calibrated(parser: Parser, dev: Sequence[Sentence], tags: str = "given", tagged: Sequence[Sentence] = ()) -> Parser:
    """The parser with a confidence that these sentences teach, whose trees are known; without, if they are too few.

    tags: as for `Parser.parse`; the tags should be such as the parser will see.
    tagged: sentences whose tags are right, which teach how sure to be of those that the parser predicts.
    """
    if len(dev) < LEAST:
        return parser
    batch = parser._prepared(list(dev), tags, ())
    labels = len(parser.header.labels)
    upos = tuple(sorted({tag for sentence in batch for tag in sentence.upos} - {"_"}))
    of_tags = Confidence(upos, labels, _of_tags(parser, tagged, Confidence(upos, labels, {}).known))
    parsed: list[Sentence] = []
    parts = []
    beside = parser.tagger is not None and len(tagged) == len(batch)
    for some in batches(batch):
        same = tagged[len(parsed) : len(parsed) + len(some)] if beside else ()
        margins = parser._predicted_tags(list(same))[1] if same else {}
        trees, of_some, _ = weigh(parser, of_tags, some, margins, tags, parser._beam(None))
        parsed += trees
        parts.append(of_some)
    seen = Evidence(*(np.concatenate([getattr(part, entry.name) for part in parts]) for entry in fields(Evidence)))
    heads, both, whole, known_heads = [], [], [], []
    for gold, found in zip(dev, parsed, strict=True):
        right = [a == b for a, b in zip(gold.heads, found.heads, strict=True)]
        heads += right
        both += [ok and a == b for ok, a, b in zip(right, gold.deprels, found.deprels, strict=True)]
        whole.append(all(right))
        known_heads += [head >= 0 for head in gold.heads]
    judged = np.array(known_heads)  # where a head is not known, nothing is
    matrix = columns(seen, labels, len(upos))
    fold = np.repeat(np.arange(len(dev)) * FOLDS // len(dev), seen.sizes)
    weights = dict(of_tags.weights)
    for name, right in (("head", heads), ("both", both)):
        weights[name] = regress(matrix[judged], np.array(right)[judged])
        weights[name + CURVE], scores = curve(matrix, np.array(right), judged, fold)
        if name == "head":
            unseen = probability(scores)
    whole_rows = sentence_numbers(seen, unseen)
    complete = np.array([min(gold.heads) >= 0 for gold in dev])
    of_sentences = np.column_stack([np.ones(len(whole_rows)), whole_rows])
    weights["sentence"] = regress(of_sentences[complete], np.array(whole)[complete])
    members = members_of(Confidence(upos, labels, weights))
    return parser._with(confidence={name: [b"".join(pieces)] for name, pieces in members.items()})


def _of_tags(parser: Parser, gold: Sequence[Sentence], known: dict[str, int]) -> dict[str, Floats]:
    """What the mistakes of the parser's own tagger teach, by columns."""
    if not parser.has_tagger:
        return {}
    parts: dict[str, list[tuple[Floats, NDArray[np.bool_]]]] = {}
    for batch in batches(gold):
        found, margins = parser._predicted_tags(batch)
        upos = np.array([known.get(tag, 0) for tag in found["upos"]], dtype=np.intp)
        for column in COLUMNS:
            right = [tag for sentence in batch for tag in getattr(sentence, column)]
            judged = np.array([any(tag != "_" for tag in getattr(s, column)) for s in batch for _ in s], dtype=bool)
            if column in found and judged.any():
                matrix = rows(margins, column, upos, len(known))
                same = np.array([a == b for a, b in zip(found[column], right, strict=True)])
                parts.setdefault(column, []).append((matrix[judged], same[judged]))
    return {
        TAG + column: regress(np.concatenate([seen for seen, _ in found]), np.concatenate([same for _, same in found]))
        for column, found in parts.items()
    }


def curve(
    matrix: Floats, right: NDArray[np.bool_], judged: NDArray[np.bool_], fold: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """What makes the scores of a regression fit words that it has not seen, and the scores of these words so bent.

    Each fold is scored by a regression over the others; where these are too sure, or not sure enough, the curve differs
    from a straight line.
    """
    scores = np.zeros(len(matrix))
    for k in range(FOLDS):
        others = judged & (fold != k)
        scores[fold == k] = matrix[fold == k] @ regress(matrix[others], right[others])
    bent = regress(bends(scores[judged]), right[judged], prior=STRAIGHT)
    return bent, bends(scores) @ bent


def regress(matrix: Floats, right: NDArray[np.bool_], penalty: float = 1.0, prior: Floats | None = None) -> Floats:
    """The weights of a logistic regression, by Newton's method; all but the first, of a bias, are held to the prior."""
    weights = np.zeros(matrix.shape[1]) if prior is None else prior.copy()
    centre = weights.copy()
    held = np.full(len(weights), penalty)
    held[0] = 1e-6

    def loss(w: Floats) -> float:
        scores = matrix @ w
        return float((np.logaddexp(0, scores) - right * scores).sum() + (held * (w - centre) ** 2).sum() / 2)

    now = loss(weights)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        slope = matrix.T @ (right - p) - held * (weights - centre)
        bend = (matrix * (p * (1 - p))[:, None]).T @ matrix + np.diag(held)
        step = np.linalg.solve(bend, slope)
        after = loss(weights + step)
        while after > now and np.abs(step).max() > 1e-9:  # too far: half of it
            step = step / 2
            after = loss(weights + step)
        weights = weights + step
        if now - after < 1e-7 * abs(now):
            break
        now = after
    return weights
