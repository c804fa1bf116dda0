"""What is right in a second pass, counted from scratch: every configuration has a forest and two foci."""

from collections.abc import Sequence

from .covington import Configuration, Covington
from .covington_oracles import Arc
from .gold import Tree


class SecondPassOracle:
    """Arcs may stand between words whose pair is still to come."""

    def __init__(self, system: Covington, gold: Tree) -> None:
        self.system = system
        self.gold_arcs = {(h, d) for d, h in enumerate(gold) if d and h}

    def built(self, c: Configuration) -> set[Arc]:
        return {(h, d) for d, h in enumerate(c.head) if d and h}

    def loss(self, c: Configuration) -> int:
        """Gold arcs that are not there, and whose pair will not come again."""
        to_come = {
            (x, y) for y in range(c.j, c.n + 1) for x in range(1, c.i + 1 if y == c.j else y)
        }  # of two words the left one first
        return sum((min(arc), max(arc)) not in to_come for arc in self.gold_arcs - self.built(c))

    def costs(self, c: Configuration) -> dict[str, int]:
        return {t: self.loss(self.system.apply(c, t)) - self.loss(c) for t in self.system.legal(c)}

    def optimal(self, c: Configuration) -> set[str]:
        costs = self.costs(c)
        best = [t for t, cost in costs.items() if cost == min(costs.values())]
        new = {t: self.new_arcs(c, t) for t in best}
        good = {t for t in best if t.endswith("-arc") and t != "no-arc" and new[t] and new[t] <= self.gold_arcs}
        if "no-arc" in best:
            good.add("no-arc")
        if not good and "shift" in best:
            good.add("shift")
        return good or set(best)

    def new_arcs(self, c: Configuration, transition: str) -> set[Arc]:
        return self.built(self.system.apply(c, transition)) - self.built(c)


def repaired(table: Sequence[Sequence[float]], heads: Sequence[int], single_root: bool) -> tuple[list[int], float]:
    """The second pass of a network whose table has the score of h → d, and by how much its narrowest choice was made.

    Of three trees, that of before and those with an arc between two words, the one with the highest total goes on.
    """
    tree = [0, *heads]
    narrowest = float("inf")
    for j in range(1, len(tree)):
        for i in range(j - 1, 0, -1):
            ways = [tree, *(_with_arc(tree, h, d) for h, d in ((j, i), (i, j)))]
            totals = {
                tuple(way): sum(table[h][d] for d, h in enumerate(way) if d)
                for way in ways
                if not single_root or _roots(way) <= _roots(tree)
            }
            tree = list(max(totals, key=lambda way: totals[way]))  # the first of equal ones: the tree as it is
            best, *others = sorted(totals.values(), reverse=True)
            narrowest = min([narrowest, *(best - other for other in others[:1])])
    return tree[1:], narrowest


def _with_arc(tree: list[int], h: int, d: int) -> list[int]:
    """What contradicts the arc goes: the old head of d, and that of h if it is below d."""
    new = list(tree)
    new[d] = h
    above = h
    while above and above != d:
        above = tree[above]
    if above:
        new[h] = 0
    return new


def _roots(tree: list[int]) -> int:
    return tree[1:].count(0)
