"""Treebank text with marks put in: words in brackets and in quotation marks, marks behind words, dashes between them.

A treebank may have few of them, or write them apart from the words. The token model learns from copies what is usual.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rearc.segment.gold import Pieces
from rearc.segment.marks import BRACKETS, QUOTATIONS, QUOTES

KINDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "brackets": tuple(map(tuple, BRACKETS)),
    "quotes": (('"', '"'), *QUOTATIONS, ("*", "*")),
    "marks": ((";",), (":",), ("!",), ("?",), ("\u2026",), ("...",)),  # behind a word
    "dashes": (("\u2014",), ("\u2013",)),  # between two
}
PAIRS = ("brackets", "quotes")
SHARE = 0.03  # the share of the sentences that come once more with something of a kind put in
LEAST, MOST = 10, 100  # such copies of each kind; a large treebank has taught enough by itself
SMALLEST = 4  # of so many sentences one comes once more, not of fewer


def with_marks(sentences: Iterable[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """Copies with a mark, or a pair of them, put in. Marks that the treebank has within words are left to it.

    >>> text = [[("Dogs", " "), ("see", " "), ("old", " "), ("cats", ""), (".", " ")]] * 4
    >>> for pieces in with_marks(text, np.random.default_rng(1)):
    ...     print("".join(map("".join, pieces)).rstrip())
    Dogs (see) old cats.
    Dogs "see old cats".
    Dogs see; old cats.
    Dogs see—old cats.
    """
    sentences = list(sentences)
    size = min(MOST, max(LEAST, int(SHARE * len(sentences))), len(sentences) // SMALLEST)
    made: list[Pieces] = []
    for kind, marks in KINDS.items():
        fit = [mark for mark in marks if mark in QUOTATIONS or not any(_is_within_words(m, sentences) for m in mark)]
        for n, k in enumerate(rng.permutation(len(sentences))[: size if fit else 0].tolist()):
            made += _with(sentences[k], kind, fit[n % len(fit)], rng)
    return made


def _is_within_words(mark: str, sentences: list[Pieces]) -> bool:
    """Whether most tokens that it is in have letters or digits too."""
    having = [token for pieces in sentences for token, _ in pieces if mark in token]
    return 2 * sum(any(map(str.isalnum, token)) for token in having) > len(having)


def _with(pieces: Pieces, kind: str, mark: tuple[str, ...], rng: np.random.Generator) -> list[Pieces]:
    """The sentence with a mark of the kind put in; nothing where there is no place for it."""
    size = int(rng.integers(1, 4)) if kind == "quotes" else 1
    places = [k for k in range(1, len(pieces) - size) if _fits(pieces, k, size, kind)]
    if not places or (kind == "quotes" and any(token in QUOTES for token, _ in pieces)):
        return []
    k = places[int(rng.integers(len(places)))]
    inside = [*pieces[k : k + size - 1], (pieces[k + size - 1][0], "")]
    if kind == "brackets" and rng.random() < 0.5:
        inside = [(str(int(rng.integers(1, 10 ** int(rng.integers(1, 5))))), "")]
    before = [(mark[0], "")] if kind in PAIRS else []
    spaces = "" if kind == "dashes" else pieces[k + size - 1][1]
    return [[*pieces[:k], *before, *inside, (mark[-1], spaces), *pieces[k + size :]]]


def _fits(pieces: Pieces, k: int, size: int, kind: str) -> bool:
    """Whether a mark of the kind can be put in at so many tokens from k on: words, with spaces around them. A mark may
    stand behind a pair."""
    inside, (behind, _) = pieces[k : k + size], pieces[k + size]
    if not pieces[k - 1][1] or not all(token.isalnum() for token, _ in inside):
        return False
    if kind == "dashes" and not behind.isalnum():
        return False
    return bool(inside[-1][1]) or (kind in PAIRS and len(behind) == 1 and not behind.isalnum())
