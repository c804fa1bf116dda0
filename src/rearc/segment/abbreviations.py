"""Treebank text with abbreviations put in: words cut short (*vol. 3*), and letters with full stops (*e.g. owls*).

A treebank has some of them, a text has others. What stands behind them tells them from the ends of sentences: a small
letter or a digit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from rearc.segment.gold import Pieces

SHARE = 0.02  # the share of the sentences that come once more with an abbreviation of a kind
LEAST, MOST = 16, 60  # such copies of each kind; a large treebank has taught enough by itself
SMALLEST = 20  # of so many sentences one comes once more, not of fewer
LONG = 5  # letters of a word that is cut short
SIZES = (2, 3, 4)  # to so many
TWO = 0.3  # the share of the dotted ones that have parts of up to two letters (*bl.a.*)
OWN = 0.5  # the share of the dotted ones that the treebank has itself, where it has some

_SHORT = re.compile(r"[^\W\d_]{1,5}")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.){2,}")
_VOWELS = frozenset("aeiouyαεηιουωаеиоуыэюя")


def with_abbreviations(sentences: Iterable[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """Copies with an abbreviation in the place of a word. None go against the treebank's own ways.

    >>> text = [[("Old", " "), ("books", " "), ("about", " "), ("owls", ""), (".", " ")]] * 20
    >>> for pieces in with_abbreviations(text, np.random.default_rng(1)):
    ...     print("".join(map("".join, pieces)).rstrip())
    Old books ab. owls.
    Old b.a.o. about owls.
    """
    sentences = list(sentences)
    size = min(MOST, max(LEAST, int(SHARE * len(sentences))), len(sentences) // SMALLEST)
    own = sorted({token for pieces in sentences for token, _ in pieces if _is_dotted(token)})
    short = size if _joins_short(sentences) else 0
    dotted = size if _joins_dotted(sentences) else 0
    made: list[Pieces] = []
    for k in rng.permutation(len(sentences))[:short].tolist():
        made += _cut_short(sentences[k], rng)
    for k in rng.permutation(len(sentences))[:dotted].tolist():
        made += _dotted(sentences[k], own, rng)
    return made


def _joins_short(sentences: Sequence[Pieces]) -> bool:
    """Whether a short word before a small letter or a digit has the full stop behind it in one token with it, mostly:
    full stops that end a sentence there count against it."""
    joined = parted = 0
    tokens = [(piece, k + 1 == len(pieces)) for pieces in sentences for k, piece in enumerate(pieces)]
    for ((before, nothing), _), ((token, spaces), last), ((then, _), _) in zip(
        tokens, tokens[1:], tokens[2:], strict=False
    ):
        if (spaces or last) and _goes_on(then):
            joined += not last and token.endswith(".") and _SHORT.fullmatch(token[:-1]) is not None
            parted += token == "." and not nothing and _SHORT.fullmatch(before) is not None
    return joined >= parted


def _joins_dotted(sentences: Sequence[Pieces]) -> bool:
    """Whether small letters with full stops are one token, mostly."""
    tokens = sum(_is_dotted(token) for pieces in sentences for token, _ in pieces)
    runs = (run for pieces in sentences for run in "".join(map("".join, pieces)).split())
    return 2 * tokens >= sum(run.islower() and _DOTTED.match(run) is not None for run in runs)


def _is_dotted(token: str) -> bool:
    return token.islower() and _DOTTED.fullmatch(token) is not None


def _goes_on(token: str) -> bool:
    return token[0].islower() or token[0].isdigit()


def _places(pieces: Pieces, least: int) -> list[int]:
    """Words of at least so many letters with spaces around them, behind which the sentence goes on."""
    return [
        k
        for k in range(1, len(pieces) - 1)
        if pieces[k - 1][1] and pieces[k][1] and pieces[k][0].isalpha() and len(pieces[k][0]) >= least
        and _goes_on(pieces[k + 1][0])
    ]  # fmt: skip


def _cut_short(pieces: Pieces, rng: np.random.Generator) -> list[Pieces]:
    """The sentence with a word cut short, behind a consonant if it can be."""
    places = _places(pieces, LONG)
    if not places:
        return []
    k = places[int(rng.integers(len(places)))]
    word = pieces[k][0]
    sizes = [size for size in SIZES if _is_consonant(word[size - 1])] or SIZES
    return [[*pieces[:k], (word[: sizes[int(rng.integers(len(sizes)))]] + ".", pieces[k][1]), *pieces[k + 1 :]]]


def _dotted(pieces: Pieces, own: Sequence[str], rng: np.random.Generator) -> list[Pieces]:
    """The sentence with one of the treebank's own in the place of a word, or two or three beginnings of words."""
    places = _places(pieces, 1)
    if not places:
        return []
    words = [token.lower() for token, _ in pieces if token.isalpha()]
    most = 2 if rng.random() < TWO else 1
    parts = [words[int(rng.integers(len(words)))][: int(rng.integers(1, most + 1))] for _ in range(rng.integers(2, 4))]
    made = own[int(rng.integers(len(own)))] if own and rng.random() < OWN else "".join(f"{part}." for part in parts)
    k = places[int(rng.integers(len(places)))]
    return [[*pieces[:k], (made, pieces[k][1]), *pieces[k + 1 :]]]


def _is_consonant(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter.lower())[0] not in _VOWELS
