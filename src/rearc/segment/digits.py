"""Treebank text with other digits: which of them stand in *1914-1918* or *12.5%* says nothing of where tokens end."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from rearc.segment.gold import Pieces

COPIES = 2  # of each sentence that has a number written together with something else
MOST = 400  # such sentences; a large treebank has taught enough by itself
LONGER = 0.15  # the share of the numbers that get a digit more; as many get one less

_NUMBER = re.compile(r"\d+")


def with_other_digits(sentences: Iterable[Pieces], rng: np.random.Generator) -> list[Pieces]:
    """Copies of the sentences that have a number written together with something else, with other digits.

    >>> text = [[("Page", " "), ("7", " "), (".", "")], [("In", " "), ("1914", ""), ("-", ""), ("18", ""), (".", "")]]
    >>> for pieces in with_other_digits(text, np.random.default_rng(1)):
    ...     print("".join(map("".join, pieces)))
    In 7901-3.
    In 3282-40.
    """
    fit = [pieces for pieces in sentences if _has_mixed_run(pieces)]
    chosen = [fit[k] for k in sorted(rng.permutation(len(fit))[:MOST].tolist())]
    return [
        [(_NUMBER.sub(lambda number: _another(number[0], rng), token), spaces) for token, spaces in pieces]
        for _ in range(COPIES)
        for pieces in chosen
    ]


def _has_mixed_run(pieces: Pieces) -> bool:
    """Whether a digit stands together with something else, without white space between them."""
    runs = "".join(map("".join, pieces)).split()
    return any(_NUMBER.search(run) and not run.isdigit() for run in runs)


def _another(number: str, rng: np.random.Generator) -> str:
    """Another number in digits of the same script, of about the same size. It may begin with 0 if this one does."""
    zero = ord(number[0]) - int(number[0])
    change = rng.random()
    size = max(1, len(number) + (change < LONGER) - (change > 1 - LONGER))
    least = 0 if int(number[0]) == 0 else 1
    digits = [int(rng.integers(least, 10)), *rng.integers(10, size=size - 1).tolist()]
    return "".join(chr(zero + digit) for digit in digits)
