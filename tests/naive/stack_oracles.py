"""What the oracles of the stack systems have in common."""

from .gold import Tree
from .stack import Configuration, StackSystem

Arc = tuple[int, int]


class StackOracle:
    """`g(d)` is the gold head of d as the system sees it: for a gold root the system's root node.

    `mislabelled` are gold arcs that were built with a wrong label: from then on they are like any wrong arc.
    """

    root_at_end = True

    def __init__(self, system: StackSystem, gold: Tree, mislabelled: frozenset[Arc] = frozenset()) -> None:
        self.system, self.gold, self.mislabelled = system, gold, mislabelled
        self.n = len(gold) - 1
        self.root = self.n + 1 if self.root_at_end else 0

    def g(self, d: int) -> int | None:
        if d == self.root or d == 0:
            return None
        return self.gold[d] or self.root

    def dependents(self, x: int) -> set[int]:
        return {d for d in range(1, self.n + 1) if self.g(d) == x}

    def has_gold_head(self, c: Configuration, d: int) -> bool:
        """h(d) = g(d), built with the right label."""
        return c.head[d] is not None and c.head[d] == self.g(d) and (c.head[d], d) not in self.mislabelled

    def costs(self, c: Configuration) -> dict[str, int]:
        return {t: self.cost(c, t) for t in self.system.legal(c)}

    def cost(self, c: Configuration, transition: str) -> int:
        raise NotImplementedError
