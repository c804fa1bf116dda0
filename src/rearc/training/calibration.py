"""How sure a parser may be, learnt from sentences that it did not learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from rearc.parser.confidence import Confidence, Evidence, columns, sentence_numbers
from rearc.parser.parser import Parser
from rearc.parser.parts import members_of
from rearc.parser.weighing import weigh
from rearc.treebank import Sentence
from rearc.treebank.batches import batches

Floats = NDArray[np.float64]

LEAST = 20  # sentences: fewer teach nothing


def calibrated(parser: Parser, dev: Sequence[Sentence], tags: str = "given") -> Parser:
    """The parser with a confidence that these sentences teach, whose trees are known; without, if they are too few.

    tags: as for `Parser.parse`; the tags should be such as the parser will see.
    """
    if len(dev) < LEAST:
        return parser
    batch = parser._prepared(list(dev), tags, ())
    labels = len(parser.header.labels)
    upos = tuple(sorted({tag for sentence in batch for tag in sentence.upos} - {"_"}))
    known = Confidence(upos, labels, {}).known
    parsed: list[Sentence] = []
    parts = []
    for some in batches(batch):
        trees, of_some = weigh(parser, some, tags, parser._beam(None), known)
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
    matrix = columns(seen, labels, len(upos))[judged]
    weights = {name: regress(matrix, np.array(right)[judged]) for name, right in (("head", heads), ("both", both))}
    of_words = Confidence(upos, labels, weights).of_words(seen)
    rows = sentence_numbers(seen, of_words[:, 0])
    complete = np.array([min(gold.heads) >= 0 for gold in dev])
    weights["sentence"] = regress(np.column_stack([np.ones(len(rows)), rows])[complete], np.array(whole)[complete])
    members = members_of(Confidence(upos, labels, weights))
    return parser._with(confidence={name: [b"".join(pieces)] for name, pieces in members.items()})


def regress(rows: Floats, right: NDArray[np.bool_], penalty: float = 1.0) -> Floats:
    """The weights of a logistic regression, by Newton's method; the first column, a bias, is not held down."""
    weights = np.zeros(rows.shape[1])
    held = np.full(len(weights), penalty)
    held[0] = 1e-6

    def loss(w: Floats) -> float:
        scores = rows @ w
        return float((np.logaddexp(0, scores) - right * scores).sum() + (held * w * w).sum() / 2)

    now = loss(weights)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (right - p) - held * weights
        bend = (rows * (p * (1 - p))[:, None]).T @ rows + np.diag(held)
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
