"""Slow, obvious versions of what a report says of several seeds."""

from math import sqrt


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def sd(values: list[float]) -> float:
    middle = mean(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))


def holm(p_values: list[float]) -> list[float]:
    """By its definition: the corrected p of a test is the smallest level at which Holm's procedure rejects it. The
    procedure takes the tests by their p-values and stops at the first with p > level / (tests not rejected yet)."""

    def rejected(level: float) -> set[int]:
        order = sorted(range(len(p_values)), key=lambda k: p_values[k])
        found: set[int] = set()
        for rank, k in enumerate(order):
            if p_values[k] * (len(order) - rank) > level:
                break
            found.add(k)
        return found

    levels = sorted({min(1.0, p * m) for p in p_values for m in range(1, len(p_values) + 1)} | {1.0})
    return [next((level for level in levels if k in rejected(level)), 1.0) for k in range(len(p_values))]


def randomisation_counts(a: dict[int, list[bool]], b: dict[int, list[bool]], size: int) -> tuple[list[int], list[int]]:
    """Right words of each sentence of `size` words, all seeds together, of two systems by seed."""
    length = len(next(iter(a.values())))
    sums: tuple[list[int], list[int]] = ([], [])
    for start in range(0, length, size):
        for side, flags in ((0, a), (1, b)):
            sums[side].append(sum(flags[seed][k] for seed in flags for k in range(start, start + size)))
    return sums
