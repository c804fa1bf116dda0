"""Everything that can happen from a configuration, by search: the measure of all oracles."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, Protocol

from .gold import Tree, all_trees


class System(Protocol):
    name: str
    single_root: bool

    def start(self, n: int) -> Any: ...
    def legal(self, c: Any) -> list[str]: ...
    def apply(self, c: Any, transition: str) -> Any: ...
    def is_terminal(self, c: Any) -> bool: ...
    def heads(self, c: Any) -> Tree: ...


class Stuck(AssertionError):
    """A configuration that is not terminal has no legal transition."""


class Loop(AssertionError):
    """A configuration can be reached from itself."""


class Space:
    """All configurations reachable from the start over n words, each with its successors and reachable trees.

    A set of trees is the bits of an integer, in the order of `all_trees(n)`.
    """

    def __init__(self, system: System, n: int) -> None:
        self.n = n
        self.system = system
        self.number = {tree: k for k, tree in enumerate(all_trees(n))}
        self.after: dict[Any, dict[str, Any]] = {}
        self.trees: dict[Any, int] = {}
        self.longest: dict[Any, int] = {}
        self._open: set[Hashable] = set()
        self.first = system.start(n)
        self._visit(self.first)

    def _visit(self, c: Any) -> None:
        if c in self.trees:
            return
        if c in self._open:
            raise Loop(c)
        self._open.add(c)
        legal = self.system.legal(c)
        if self.system.is_terminal(c):
            assert legal == [], f"a terminal configuration has legal transitions: {c} {legal}"
            self.after[c], self.longest[c] = {}, 0
            self.trees[c] = 1 << self.number[self.system.heads(c)]
        else:
            if not legal:
                raise Stuck(c)
            successors = {t: self.system.apply(c, t) for t in legal}
            trees = longest = 0
            for d in successors.values():
                self._visit(d)
                trees |= self.trees[d]
                longest = max(longest, 1 + self.longest[d])
            self.after[c], self.longest[c], self.trees[c] = successors, longest, trees
        self._open.discard(c)

    def exact_loss(self, c: Any, gold: Tree) -> int:
        """The least number of wrong heads among the trees that c can still reach."""
        return nearest(self.trees[c], gold)


def nearest(trees: int, gold: Tree) -> int:
    return next(k for k, ball in enumerate(balls(gold)) if trees & ball)


@cache
def balls(gold: Tree) -> list[int]:
    """For k = 0, 1, …: the trees with at most k wrong heads."""
    distances = [hamming(tree, gold) for tree in all_trees(len(gold) - 1)]
    return [sum(1 << t for t, d in enumerate(distances) if d <= k) for k in range(len(gold))]


def hamming(heads: Sequence[int], gold: Sequence[int]) -> int:
    return sum(h != g for h, g in zip(heads, gold, strict=True))


def search_loss(system: System, c: Any, gold: Tree, memory: dict[Any, int] | None = None) -> int:
    """The exact loss of one configuration, for sentences too long for a `Space`."""
    memory = {} if memory is None else memory
    if c not in memory:
        memory[c] = (
            hamming(system.heads(c), gold)
            if system.is_terminal(c)
            else min(search_loss(system, system.apply(c, t), gold, memory) for t in system.legal(c))
        )
    return memory[c]
