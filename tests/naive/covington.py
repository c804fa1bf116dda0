"""Covington's family (papers 003, 000 and 001): focus positions (i, j) and a tuple of heads."""

from functools import cache
from typing import NamedTuple


class Configuration(NamedTuple):
    """λ1 = 1…i, λ2 = i+1…j−1, B = j…n; `head[d]` is d's head in A, 0 where d is headless; `head[0]` is 0."""

    n: int
    i: int
    j: int
    head: tuple[int, ...]


def above(head: tuple[int, ...], d: int) -> list[int]:
    """The ancestors of d, the nearest first."""
    ancestors = []
    while head[d]:
        d = head[d]
        ancestors.append(d)
    return ancestors


def headless(c: Configuration) -> list[int]:
    return [d for d in range(1, c.n + 1) if c.head[d] == 0]


def monotonic_arc(c: Configuration, x: int, y: int) -> tuple[int, ...] | None:
    """A with x→y; None where y has a head or the arc would close a cycle."""
    if c.head[y] or y in above(c.head, x):
        return None
    return tuple(x if d == y else h for d, h in enumerate(c.head))


def nonmonotonic_arc(c: Configuration, x: int, y: int) -> tuple[int, ...]:
    """A with x→y: the old head of y goes, and the head of x too where y →* x held before."""
    cut = {y, x} if y in above(c.head, x) else {y}
    return tuple(x if d == y else 0 if d in cut else h for d, h in enumerate(c.head))


class Covington:
    """covington, covington-nonmonotonic, nl-covington and nl-covington-nonmonotonic."""

    def __init__(self, name: str, single_root: bool = False) -> None:
        self.name, self.single_root = name, single_root
        self.add = nonmonotonic_arc if "nonmonotonic" in name else monotonic_arc
        self.non_local = name.startswith("nl-")
        self.can_end_with_one_root = cache(self._can_end_with_one_root)

    def start(self, n: int) -> Configuration:
        return Configuration(n, 0, 1, (0,) * (n + 1))

    def is_terminal(self, c: Configuration) -> bool:
        return c.j > c.n

    def heads(self, c: Configuration) -> tuple[int, ...]:
        return c.head

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        """Every transition possible without the single-root option, with its result."""
        if self.is_terminal(c):
            return {}
        n, i, j, head = c
        after = {"shift": Configuration(n, j, j + 1, head)}
        if not self.non_local and i >= 1:
            after["no-arc"] = Configuration(n, i - 1, j, head)
        for k in range(1, (i if self.non_local else min(i, 1)) + 1):
            word = i - k + 1
            suffix = f":{k}" if self.non_local else ""
            for arc, (x, y) in {"left-arc": (j, word), "right-arc": (word, j)}.items():
                added = self.add(c, x, y)
                if added is not None:
                    after[arc + suffix] = Configuration(n, i - k, j, added)
        return after

    def _can_end_with_one_root(self, c: Configuration) -> bool:
        if self.is_terminal(c):
            return len(headless(c)) == 1
        # Arcs first: the search then ends soon wherever there is an answer.
        return any(self.can_end_with_one_root(after) for after in reversed(self.successors(c).values()))

    def legal(self, c: Configuration) -> list[str]:
        return [
            t for t, after in self.successors(c).items() if not self.single_root or self.can_end_with_one_root(after)
        ]

    def apply(self, c: Configuration, transition: str) -> Configuration:
        return self.successors(c)[transition]
