"""Treebank text with what a treebank may lack: addresses, hashtags, emoticons, initials, acronyms and numbers before a
full stop, and spaces left out behind marks. Books and newspapers have little of that; the token model learns it from
copies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from rearc.segment.gold import Pieces

Some = TypeVar("Some")

KINDS = {  # what is one token, mostly
    "address": re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
    "mail": re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+"),
    "hashtag": re.compile(r"#[^\W\d]\w*"),
    "mention": re.compile(r"@[^\W\d]\w*"),
    "emoticon": re.compile(r"[:;=][-'^]?[()DPpO/|]+|<3|\^_?\^|[xX]D+"),
    "number": re.compile(r"\d+[.,]\d+(?:[.,]\d+)*"),
    "time": re.compile(r"\d{1,2}:\d\d"),
    "emphasis": re.compile(r"[!?]{2,}"),
    "initials": re.compile(r"(?<!\w)(?:[A-Z\u00c0-\u00de\u0386-\u03ab\u0400-\u042f]\.)+(?!\w)"),
}
EMOTICONS = (":)", ":-)", ";)", ";-)", ":(", ":-(", ":D", ":-D", ":P", ":/", ":'(", "<3", "^^", "xD", ":-))")
APART = ("emoticon", "initials")  # a mark behind them would run together with theirs
EMPHASES = ("!!", "!!!", "??", "???", "?!", "!?", "!!!!")
BEFORE_MARKS = 0.5  # the share of the others that stand before a comma, a full stop or the like
COMMAS = 0.5  # of what is left, the share that get a comma behind them
ENDS = ("com", "org", "net", "info", "eu", "edu", "co.uk", "io")
SHARE = 0.02  # the share of the sentences that come once more with something of a kind in them
MOST = 60  # such copies of each kind
ENOUGH = 200  # tokens of a kind in a treebank that teaches enough of it by itself
LEAST = 16  # such copies of each kind, where there are as many sentences
RUN_ON = 0.03  # the share of the sentences that come once more with a space left out
MOST_RUN_ON, LEAST_RUN_ON = 200, 30
SMALLEST = 5  # of so many sentences one comes once more, not of fewer
LAST = ("acronym", "number")  # what else a sentence may end with
_MARKS = frozenset(".,;:!?…")
_FINAL = frozenset(".!?")


def with_rare_tokens(sentences: Iterable[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """Copies: some with an address, a hashtag and so on in the place of a word, some that end with an acronym or a
    number, some without the space behind a mark.

    What the treebank has often enough is left as the treebank has it.

    >>> text = [[("Dogs", " "), ("bark", ""), (",", " "), ("cats", " "), ("sleep", ""), (".", " ")]] * 8
    >>> for pieces in with_rare_tokens(text, np.random.default_rng(1))[::8]:
    ...     print("".join(map("".join, pieces)).rstrip())
    Dogs http://dogsbark.eu/dogs?c=538, cats sleep.
    D. bark, cats sleep.
    """
    sentences = list(sentences)
    runs = [run for pieces in sentences for run in "".join(map("".join, pieces)).split()]
    tokens = [token for pieces in sentences for token, _ in pieces]
    words = [token.lower() for token in tokens if token.isalpha()]
    capitals = [token[0] for token in tokens if token[0].isupper()]
    ascii_words = [word for word in words if word.isascii()]
    made: list[Pieces] = []
    for kind, pattern in KINDS.items():
        there = sum(pattern.search(run) is not None for run in runs)
        if there >= ENOUGH or 2 * sum(map(bool, map(pattern.search, tokens))) < there:
            continue  # it has taught enough, or has a way of its own
        letters = {"address": ascii_words, "mail": ascii_words, "initials": capitals}.get(kind, words)
        for k in _some(len(sentences), SHARE, LEAST, MOST, rng):
            made += _with_one(sentences[k], kind, letters or ["example"], rng)
    for kind in LAST:
        for k in _some(len(sentences), SHARE, LEAST, MOST, rng):
            made += _with_last(sentences[k], kind, capitals or ["A"], rng)
    for k in _some(max(len(sentences) - 1, 0), RUN_ON, LEAST_RUN_ON, MOST_RUN_ON, rng):
        made += _run_on(sentences[k], sentences[k + 1], rng)
    return made


def _some(count: int, share: float, least: int, most: int, rng: np.random.Generator) -> list[int]:
    """A share of the numbers below count, but enough to learn from if that is not too much of the whole."""
    size = min(most, max(least, int(share * count)), count // SMALLEST)
    return sorted(int(k) for k in rng.permutation(count)[:size])


def _with_one(pieces: Pieces, kind: str, words: Sequence[str], rng: np.random.Generator) -> list[Pieces]:
    """The sentence with a token of the kind in the place of a word with a space before it, or of the last full stop."""
    if kind == "emphasis":
        last = len(pieces) - 1
        places = [last] if last and pieces[last][0] in (".", "!", "?") and pieces[last - 1][0].isalpha() else []
    else:
        alone = [k for k, (token, _) in enumerate(pieces) if token.isalpha() and (k == 0 or pieces[k - 1][1])]
        before_marks = [k for k in alone if not pieces[k][1] and _ends(pieces[k + 1 : k + 2])]
        places = [k for k in alone if pieces[k][1]]
        if kind not in APART and (not places or rng.random() < BEFORE_MARKS):
            places = before_marks or places
    if not places:
        return []
    k = places[int(rng.integers(len(places)))]
    token, spaces = _token(kind, words, rng), pieces[k][1]
    comma = spaces and kind not in APART and rng.random() < COMMAS
    put_in = [(token, ""), (",", spaces)] if comma else [(token, spaces)]
    return [[*pieces[:k], *put_in, *pieces[k + 1 :]]]


def _with_last(pieces: Pieces, kind: str, capitals: Sequence[str], rng: np.random.Generator) -> list[Pieces]:
    """The sentence with an acronym or a number in the place of its last word, before the mark at its end."""
    if len(pieces) < 3:
        return []
    *first, (word, spaces), last = pieces
    if not first[-1][1] or spaces or not word.isalnum() or last[0] not in _FINAL:
        return []
    size = int(rng.integers(2, 6))
    letters = "".join(capitals[int(rng.integers(len(capitals)))] for _ in range(size))
    return [[*first, (letters if kind == "acronym" else str(int(rng.integers(10 ** (size - 1)))), ""), last]]


def _ends(behind: Pieces) -> bool:
    """Whether what stands behind a word without a space is a mark, such as a comma, or nothing at all."""
    return all(len(token) == 1 and not token.isalnum() and token not in "'\u2019-/" for token, _ in behind)


def _token(kind: str, words: Sequence[str], rng: np.random.Generator) -> str:
    def word() -> str:
        return words[int(rng.integers(len(words)))]

    def one(of: Sequence[Some]) -> Some:
        return of[int(rng.integers(len(of)))]

    if kind in ("emoticon", "emphasis"):
        return one(EMOTICONS if kind == "emoticon" else EMPHASES)
    if kind == "initials":
        return "".join(f"{word()}." for _ in range(one((1, 1, 1, 2, 3))))
    if kind == "time":
        return f"{rng.integers(24)}:{rng.integers(60):02}"
    if kind == "number":
        whole, part = (int(rng.integers(10 ** int(rng.integers(1, 5)))) for _ in range(2))
        point, comma = one([(".", ","), (",", ".")])
        thousands = f"{whole % 1000}{comma}{part % 1000:03}"
        return one([f"{whole}{point}{part}", thousands, f"{thousands}{point}50"])
    if kind in ("hashtag", "mention"):
        return {"hashtag": "#", "mention": "@"}[kind] + one([word(), word().capitalize(), f"{word()}_{word()}"])
    site = one([word(), word() + word()]) + "." + one(ENDS)  # without hyphens, which treebanks split or do not
    if kind == "mail":
        return one([word(), f"{word()}.{word()}", f"{word()}{rng.integers(100)}"]) + "@" + site
    rest = one(["", "/", f"/{word()}", f"/{word()}/{word()}.html", f"/{word()}?{word()[0]}={rng.integers(1000)}"])
    return one(["www.", "http://", "http://www.", "https://"]) + site + rest


def _run_on(pieces: Pieces, then: Pieces, rng: np.random.Generator) -> list[Pieces]:
    """The sentence, and the next one, without one of the spaces that stand between a mark behind a word and a word."""
    both = [*pieces[:-1], (pieces[-1][0], pieces[-1][1] or " "), *then]
    places = [
        k
        for k, ((mark, spaces), (word, _)) in enumerate(pairwise(both))
        if k and mark in _MARKS and spaces and word.isalpha() and both[k - 1][0].isalpha() and not both[k - 1][1]
    ]
    if not places:
        return []
    k = places[int(rng.integers(len(places)))]
    return [[*both[:k], (both[k][0], ""), *both[k + 1 :]]]
