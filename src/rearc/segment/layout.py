"""Text laid out in lines, as people write it. Treebanks seldom have line ends; the sentence model has to know them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rearc.segment.characters import class_of
from rearc.segment.gold import Pieces

WAYS = ("plain", "wrapped", "lines")
SHARES = (0.9, 0.05, 0.05)  # of the text that is left as it is, wrapped to a width, and has a line for each sentence
STRETCH = 10  # sentences that are laid out in one way, on average
WIDTHS = 40, 100  # the characters of wrapped lines
VERSES = 0.005  # the share of the spaces within sentences that are line ends where each sentence has a line


def laid_out(sentences: Sequence[Pieces], rng: np.random.Generator, shares: Sequence[float] = SHARES) -> list[Pieces]:
    """The sentences with line ends in the place of some spaces. Text without spaces is wrapped anywhere.

    Stretches that are laid out in different ways are paragraphs of their own.

    >>> text = [[("Dogs", " "), ("bark", ""), (".", " ")], [("Cats", " "), ("sleep", ""), (".", " ")]]
    >>> laid_out(text, np.random.default_rng(1), (0, 0, 1))
    [[('Dogs', ' '), ('bark', ''), ('.', '\\n')], [('Cats', ' '), ('sleep', ''), ('.', ' ')]]
    """
    flat = [piece for pieces in sentences for piece in pieces]
    anywhere = [not after and class_of(then[0]) == "ideograph" for (_, after), (then, _) in pairwise(flat)] + [False]
    room = [0] * (len(flat) + 1)  # what goes on one line together: from each token to where a line can end
    for k in reversed(range(len(flat))):
        token, after = flat[k]
        room[k] = len(token) + (0 if after or anywhere[k] else room[k + 1])
    ways: list[tuple[str, int]] = []  # and widths, of the sentences
    for changes in rng.random(len(sentences)) < 1 / STRETCH:
        fresh = changes or not ways
        ways.append((str(rng.choice(WAYS, p=shares)), int(rng.integers(*WIDTHS))) if fresh else ways[-1])
    result = []
    k = column = 0
    for (way, width), then, pieces in zip(ways, [*ways[1:], ways[-1]], sentences, strict=True):
        verses = rng.random(len(pieces)) < VERSES
        lines: Pieces = []
        for n, (token, after) in enumerate(pieces, 1):
            column += len(token)
            space, last, full = after == " ", n == len(pieces), column + len(after) + room[k + 1] > width
            if space and last and then != (way, width) and {way, then[0]} != {"plain"}:
                after = "\n\n"  # a line here should not be compared with one that is laid out otherwise
            elif k + 1 < len(flat):
                on_purpose = way == "lines" and space and (last or verses[n - 1])
                wrapped = way == "wrapped" and full and (space or anywhere[k])
                after = "\n" if on_purpose or wrapped else after
            column = 0 if "\n" in after else column + len(after)
            lines.append((token, after))
            k += 1
        result.append(lines)
    return result
