"""What is right in a second pass, counted from scratch: every configuration has a forest and two foci."""

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
