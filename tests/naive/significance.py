"""Slow, obvious versions of the significance tests, over given random draws."""

from fractions import Fraction
from itertools import product
from math import comb


def randomisation(a: list[int], b: list[int], coins: list[list[int]]) -> Fraction:
    """`coins` has one row per round and one coin per sentence."""
    observed = abs(sum(a) - sum(b))
    count = 0
    for row in coins:
        first = [y if coin else x for x, y, coin in zip(a, b, row, strict=True)]
        second = [x if coin else y for x, y, coin in zip(a, b, row, strict=True)]
        count += abs(sum(first) - sum(second)) >= observed
    return Fraction(count + 1, len(coins) + 1)


def randomisation_exact(a: list[int], b: list[int]) -> Fraction:
    """The share of all assignments of outputs to systems with a difference at least as large."""
    observed = abs(sum(a) - sum(b))
    assignments = list(product([1, -1], repeat=len(a)))
    hits = [
        abs(sum(sign * (x - y) for sign, x, y in zip(signs, a, b, strict=True))) >= observed for signs in assignments
    ]
    return Fraction(sum(hits), len(assignments))


def bootstrap(a: list[int], b: list[int], words: list[int], draws: list[list[int]]) -> Fraction:
    """`draws` has one row of sentence numbers per sample."""

    def difference(sentences: list[int]) -> Fraction:
        size = sum(words[i] for i in sentences)
        return Fraction(sum(a[i] for i in sentences), size) - Fraction(sum(b[i] for i in sentences), size)

    observed = difference(list(range(len(words))))
    count = sum(abs(difference(draw) - observed) >= abs(observed) for draw in draws)
    return Fraction(count + 1, len(draws) + 1)


def mcnemar(only_a: int, only_b: int) -> Fraction:
    n, k = only_a + only_b, min(only_a, only_b)
    return min(Fraction(1), Fraction(2 * sum(comb(n, i) for i in range(k + 1)), 2**n))
