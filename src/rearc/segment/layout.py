"""Text laid out in lines, as people write it. Treebanks seldom have line ends; the sentence model has to know them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rearc.segment.characters import class_of
from rearc.segment.gold import Pieces

WAYS = ("plain", "wrapped", "lines", "points", "rows")
SHARES = (0.87, 0.05, 0.03, 0.03, 0.02)  # of text as it is, wrapped to a width, a line a sentence, lists, long lines
STRETCH = 10  # sentences that are laid out in one way, on average
WIDTHS = 40, 100  # the characters of wrapped lines
VERSES = 0.005  # the share of the spaces within sentences that are line ends where each sentence has a line
BULLETS = "-*•–+"  # with which the points of a list begin
FOLLOWED = 0.7  # the share of the sentences behind which a long line goes on
UNFINISHED = 0.5  # the share of the points that have no full stop


def laid_out(sentences: Sequence[Pieces], rng: np.random.Generator, shares: Sequence[float] = SHARES) -> list[Pieces]:
    """The sentences with line ends in the place of some spaces. Text without spaces is wrapped anywhere.

    Stretches that are laid out in different ways are paragraphs of their own.

    >>> text = [[("Dogs", " "), ("bark", ""), (".", " ")], [("Cats", " "), ("sleep", ""), (".", " ")]]
    >>> laid_out(text, np.random.default_rng(1), (0, 0, 1, 0, 0))
    [[('Dogs', ' '), ('bark', ''), ('.', '\\n')], [('Cats', ' '), ('sleep', ''), ('.', ' ')]]
    """
    stretches = np.cumsum(rng.random(len(sentences)) < 1 / STRETCH)  # the number of each sentence's
    dealt = _ways(int(stretches[-1]) + 1 if len(stretches) else 0, rng, shares)
    ways = [dealt[k] for k in stretches]
    sentences = [
        _point(pieces, rng) if way == "points" else pieces for (way, _), pieces in zip(ways, sentences, strict=True)
    ]
    flat = [piece for pieces in sentences for piece in pieces]
    anywhere = [not after and class_of(then[0]) == "ideograph" for (_, after), (then, _) in pairwise(flat)] + [False]
    room = [0] * (len(flat) + 1)  # what goes on one line together: from each token to where a line can end
    for k in reversed(range(len(flat))):
        token, after = flat[k]
        room[k] = len(token) + (0 if after or anywhere[k] else room[k + 1])
    result = []
    k = column = 0
    for own, then, pieces in zip(ways, [*ways[1:], ways[-1]], sentences, strict=True):
        way, width = own
        verses = rng.random(len(pieces)) < VERSES
        ends = way in ("lines", "points") or (way == "rows" and rng.random() >= FOLLOWED)
        lines: Pieces = []
        for n, (token, after) in enumerate(pieces, 1):
            column += len(token)
            space, last, full = after == " ", n == len(pieces), column + len(after) + room[k + 1] > width
            if space and last and then != own and {way, then[0]} != {"plain"}:
                after = "\n\n"  # a line here should not be compared with one that is laid out otherwise
            elif k + 1 < len(flat):
                on_purpose = ends and space and (last or (verses[n - 1] and n > 1))
                wrapped = way == "wrapped" and full and (space or anywhere[k])
                after = "\n" if on_purpose or wrapped else after
            column = 0 if "\n" in after else column + len(after)
            lines.append((token, after))
            k += 1
        result.append(lines)
    return result


def in_another_order(sentences: Sequence[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """The sentences shuffled. Where most have a space behind them, each gets one, as others follow it now.

    >>> text = [[("Go", ""), ("!", " ")], [("Stop", ""), ("!", "")], [("No", ""), (".", " ")]]
    >>> in_another_order(text, np.random.default_rng(3))
    [[('No', ''), ('.', ' ')], [('Stop', ''), ('!', ' ')], [('Go', ''), ('!', ' ')]]
    """
    spaced = 2 * sum(bool(pieces[-1][1]) for pieces in sentences) > len(sentences)
    shuffled = [sentences[k] for k in rng.permutation(len(sentences))]
    return [[*pieces[:-1], (pieces[-1][0], pieces[-1][1] or " " * spaced)] for pieces in shuffled]


def _ways(count: int, rng: np.random.Generator, shares: Sequence[float]) -> list[tuple[str, int]]:
    """The ways of so many stretches, and widths. They are dealt like cards, so that each has its share of a small
    treebank too."""
    places = (np.arange(count) + 0.5) / max(count, 1)
    cards = rng.permutation(np.searchsorted(np.cumsum(shares)[:-1], places, side="right"))
    return [(WAYS[card], int(width)) for card, width in zip(cards, rng.integers(*WIDTHS, count), strict=True)]


def _point(pieces: Pieces, rng: np.random.Generator) -> Pieces:
    """The sentence as a point of a list. Bullets change from point to point: a small treebank should know them all.

    >>> _point([("Dogs", " "), ("bark", ""), (".", " ")], np.random.default_rng(1))
    [('•', ' '), ('Dogs', ' '), ('bark', ''), ('.', ' ')]
    """
    bullet = str(rng.choice(list(BULLETS)))
    if rng.random() < UNFINISHED and len(pieces) > 1 and pieces[-1][0] == ".":
        pieces = [*pieces[:-2], (pieces[-2][0], pieces[-1][1])]
    return pieces if pieces[0][0] in BULLETS else [(bullet, " "), *pieces]
