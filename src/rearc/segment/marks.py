"""Treebank text with other quotation marks and apostrophes: a treebank mostly has one kind, people write all kinds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rearc.segment.gold import Pieces

QUOTATIONS = (("'", "'"), ("\u2018", "\u2019"), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"), ("\u201e", "\u201c"))
_QUOTES = frozenset(
    ('"', "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb", "''", "``")
)  # tokens that are marks, whatever is around
_STRAIGHT, _CURLY = "'", "\u2019"
APOSTROPHES = 0.3  # the share of the sentences with apostrophes that come with the other kind too


def in_other_marks(sentences: Iterable[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """Copies: of each sentence with pairs of quotation marks one with other marks, of some one with other apostrophes.

    >>> in_other_marks([[('"', ""), ("Go", ""), ('"', "")]], np.random.default_rng(3))
    [[('„', ''), ('Go', ''), ('“', '')]]
    """
    made = []
    for pieces in sentences:
        marks = [k for k, (token, _) in enumerate(pieces) if token in _QUOTES]
        if marks and len(marks) % 2 == 0:
            made.append(_quoted(pieces, marks, QUOTATIONS[int(rng.integers(len(QUOTATIONS)))]))
        words = [token for token, _ in pieces if token not in _QUOTES]
        straight, curly = (sum(word.count(mark) for word in words) for mark in (_STRAIGHT, _CURLY))
        if straight + curly and rng.random() < APOSTROPHES:
            old, new = (_STRAIGHT, _CURLY) if straight >= curly else (_CURLY, _STRAIGHT)
            made.append([(t if t in _QUOTES else t.replace(old, new), spaces) for t, spaces in pieces])
    return made


def _quoted(pieces: Pieces, marks: list[int], kinds: tuple[str, str]) -> Pieces:
    """With these marks, the first of each two opening, in the place of those that are there."""
    made = list(pieces)
    for n, k in enumerate(marks):
        made[k] = kinds[n % 2], pieces[k][1]
    return made
