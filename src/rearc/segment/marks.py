"""Treebank text with other marks: a treebank mostly has one kind of quotation marks, apostrophes and brackets, and few
of them; people write all kinds.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rearc.segment.gold import Pieces

QUOTATIONS = (("'", "'"), ("\u2018", "\u2019"), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"), ("\u201e", "\u201c"))
QUOTES = frozenset(
    ('"', "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb", "''", "``")
)  # tokens that are marks, whatever is around
_STRAIGHT, _CURLY = "'", "\u2019"
APOSTROPHES = 0.3  # the share of the sentences with apostrophes that come with the other kind too
BRACKETS = "()", "[]", "{}"
_BRACKETS = frozenset("".join(BRACKETS))
ENOUGH = 100  # copies with other brackets: a large treebank has taught enough by itself


def in_other_marks(sentences: Iterable[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """Copies: of each sentence with pairs of quotation marks or of brackets one with others, of some one with other
    apostrophes.

    >>> in_other_marks([[('"', ""), ("Go", ""), ('"', "")]], np.random.default_rng(3))
    [[('„', ''), ('Go', ''), ('“', '')]]
    """
    sentences = list(sentences)
    share = min(1.0, ENOUGH / max(1, sum(any(token in _BRACKETS for token, _ in pieces) for pieces in sentences)))
    made = []
    for pieces in sentences:
        marks = [k for k, (token, _) in enumerate(pieces) if token in QUOTES]
        if marks and len(marks) % 2 == 0:
            made.append(_quoted(pieces, marks, QUOTATIONS[int(rng.integers(len(QUOTATIONS)))]))
        words = [token for token, _ in pieces if token not in QUOTES]
        straight, curly = (sum(word.count(mark) for word in words) for mark in (_STRAIGHT, _CURLY))
        if straight + curly and rng.random() < APOSTROPHES:
            old, new = (_STRAIGHT, _CURLY) if straight >= curly else (_CURLY, _STRAIGHT)
            made.append([(t if t in QUOTES else t.replace(old, new), spaces) for t, spaces in pieces])
        if rng.random() < share:
            made += _in_other_brackets(pieces, rng)
    return made


def _quoted(pieces: Pieces, marks: list[int], kinds: tuple[str, str]) -> Pieces:
    """With these marks, the first of each two opening, in the place of those that are there."""
    made = list(pieces)
    for n, k in enumerate(marks):
        made[k] = kinds[n % 2], pieces[k][1]
    return made


def _in_other_brackets(pieces: Pieces, rng: np.random.Generator) -> list[Pieces]:
    """With brackets of another kind in the place of the sentence's, or nothing where these are no pairs."""
    kinds = [next((kind for kind in BRACKETS if token in tuple(kind)), "") for token, _ in pieces]
    waiting: list[str] = []
    for kind, (token, _) in zip(kinds, pieces, strict=True):
        if kind and token == kind[0]:
            waiting.append(kind)
        elif kind and (not waiting or waiting.pop() != kind):
            return []
    if waiting or not any(kinds):
        return []
    others = [kind for kind in BRACKETS if kind not in kinds] or BRACKETS
    new = others[int(rng.integers(len(others)))]
    both = zip(kinds, pieces, strict=True)
    return [[(new[kind.index(token)] if kind else token, spaces) for kind, (token, spaces) in both]]
