"""Is the difference between two outputs more than chance? Tests over sentences and over words.

The tests over sentences take, for each sentence, how many words system A and system B got right and how
many words count. The score of a system (UAS, LAS) is the ratio of the sums; both systems share the
denominator, so the observed difference is D / N with D = Σ (aᵢ − bᵢ) and N = Σ nᵢ. All comparisons are made
between integers: a tie is a tie.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]

# Cells of a random matrix made at once: bounds the memory at some tens of megabytes whatever the treebank.
_CELLS = 1 << 20


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Result of the paired bootstrap; `low` and `high` bound the difference in percentage points.

    >>> paired_bootstrap([5, 5], [5, 5], words=[5, 5])
    Bootstrap(p=1.0, low=0.0, high=0.0)
    """

    p: float
    low: float
    high: float


def approximate_randomisation(a: ArrayLike, b: ArrayLike, *, rounds: int = 10_000, seed: int = 1) -> float:
    """Two-sided p-value by stratified approximate randomisation (Noreen 1989; Yeh 2000).

    If the systems were alike, each sentence could as well have got the other system's output: every round
    swaps the two outputs of each sentence with probability ½, and counts if the difference becomes at least
    as large as the observed one. p = (count + 1) / (rounds + 1).

    >>> approximate_randomisation([5, 5, 5, 5], [5, 5, 5, 5])
    1.0
    """
    _positive(rounds, "rounds")
    difference = _ints(a) - _ints(b)
    observed = abs(int(difference.sum()))
    # A swap changes nothing where both are equally good.
    difference = difference[difference != 0].astype(np.float64)
    count = 0
    for swapped in _coins(rounds, len(difference), np.random.default_rng(seed)):
        # Exact: the sums are integers far below 2⁵³.
        count += int((np.abs(difference.sum() - 2 * (swapped @ difference)) >= observed).sum())
    return (count + 1) / (rounds + 1)


def paired_bootstrap(
    a: ArrayLike, b: ArrayLike, words: ArrayLike, *, samples: int = 10_000, seed: int = 1
) -> Bootstrap:
    """Two-sided p-value and 95 % interval by the paired bootstrap (Efron & Tibshirani 1993; Koehn 2004).

    Each sample draws as many sentences as there are, with replacement. The differences of the samples
    scatter around the observed one, not around zero, so they are shifted (Berg-Kirkpatrick et al. 2012): a
    sample counts if it is at least as far from the observed difference as that is from zero. p = (count +
    1) / (samples + 1).

    >>> paired_bootstrap([5, 5, 4], [4, 5, 4], words=[5, 5, 5]).high > 0
    True
    """
    _positive(samples, "samples")
    correct_a, correct_b, words = _ints(a), _ints(b), _ints(words)
    filled = words > 0
    words, difference = words[filled], (correct_a - correct_b)[filled]
    if not len(words):
        raise ValueError("no sentence has words to score")
    total, observed = int(words.sum()), int(difference.sum())
    rng = np.random.default_rng(seed)
    count = 0
    deltas = []
    for rows in _chunks(samples, len(words)):
        drawn = rng.integers(0, len(words), size=(rows, len(words)), dtype=np.int32)
        sums, sizes = difference[drawn].sum(axis=1), words[drawn].sum(axis=1)
        # |D*/N* − D/N| ≥ |D|/N without a division
        count += int((np.abs(sums * total - observed * sizes) >= abs(observed) * sizes).sum())
        deltas.append(100 * sums / sizes)
    low, high = np.percentile(np.concatenate(deltas), [2.5, 97.5]).tolist()
    return Bootstrap(p=(count + 1) / (samples + 1), low=low, high=high)


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided p-value of McNemar's test by the exact binomial distribution (no χ² approximation).

    `only_a` words are right in A alone, `only_b` in B alone; if the systems were alike, each of them would
    be on either side with probability ½. It takes words as independent, which those of a sentence are not,
    so it finds differences more easily than the tests over sentences.

    >>> mcnemar(0, 5)
    0.0625
    """
    only_a, only_b = operator.index(only_a), operator.index(only_b)  # NumPy's numbers would run over
    if only_a < 0 or only_b < 0:
        raise ValueError(f"counts are not negative: {only_a}, {only_b}")
    n, k = only_a + only_b, min(only_a, only_b)
    # P(X ≤ k) = C(n, k) / 2ⁿ · (1 + k/(n−k+1) + k(k−1)/((n−k+1)(n−k+2)) + …)
    terms, term = 1.0, 1.0
    for i in range(k, 0, -1):
        term *= i / (n - i + 1)
        terms += term
        if term < 1e-18:
            break
    if n <= 1000:
        largest: float = math.comb(n, k) / 2**n
    else:
        logarithm = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
        largest = math.exp(logarithm)
    return min(1.0, 2 * largest * terms)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected for there being several (Holm 1979), in their order.

    The smallest of m is multiplied by m, the next by m − 1, and so on; none becomes smaller than one before it, or
    larger than 1. Where a corrected one is below α, the chance that any of those found is a false alarm is below α.

    >>> holm([0.04, 0.01, 0.03])
    [0.06, 0.03, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda k: p_values[k])):
        if not 0 <= p_values[place] <= 1:
            raise ValueError(f"found the p-value {p_values[place]}, expected one from 0 to 1")
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = largest
    return corrected


def _positive(number: int, name: str) -> None:
    if number < 1:
        raise ValueError(f"{name}={number}, expected at least 1")


def _ints(values: ArrayLike) -> Ints:
    return np.asarray(values, dtype=np.int64)


def _chunks(rounds: int, width: int) -> Iterator[int]:
    """Rows of the successive random matrices of `width` columns that make `rounds` in all."""
    rows = max(1, _CELLS // max(1, width))
    while rounds > 0:
        yield min(rows, rounds)
        rounds -= rows


def _coins(rounds: int, width: int, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
    """`rounds` rows of fair 0/1 coins."""
    for rows in _chunks(rounds, width):
        bits = np.frombuffer(rng.bytes(rows * ((width + 7) // 8)), dtype=np.uint8).reshape(rows, -1)
        yield np.unpackbits(bits, axis=1, count=width).astype(np.float64)
