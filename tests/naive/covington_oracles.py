"""The oracles of Covington's family (papers 003 and 000, SPEC 1.1–1.3 and 8): every loss counted from scratch."""

from collections.abc import Iterable
from itertools import pairwise

from .covington import Configuration, Covington, above, nonmonotonic_arc
from .gold import Tree

Arc = tuple[int, int]


def covington_order(arc: Arc) -> Arc:
    """The order in which pairs of words are visited: right end ascending, left end descending."""
    return max(arc), -min(arc)


def elementary_cycles(arcs: Iterable[Arc]) -> list[list[int]]:
    """The elementary cycles of a graph, each as its nodes from the least one on."""
    arcs = set(arcs)
    cycles = []

    def extend(path: list[int]) -> None:
        for x, y in arcs:
            if x == path[-1]:
                if y == path[0]:
                    cycles.append(path)
                elif y > path[0] and y not in path:
                    extend([*path, y])

    for start in {x for x, _ in arcs}:
        extend([start])
    return cycles


class CovingtonOracle:
    """`mislabelled` are gold arcs that were built with a wrong label: from then on they are wrong arcs."""

    def __init__(self, system: Covington, gold: Tree, mislabelled: frozenset[Arc] = frozenset()) -> None:
        self.system, self.gold, self.mislabelled = system, gold, mislabelled
        self.word_arcs = {(g, d) for d, g in enumerate(gold) if d and g}
        self.gold_roots = {d for d, g in enumerate(gold) if d and g == 0}

    def built(self, c: Configuration) -> set[Arc]:
        return {(h, d) for d, h in enumerate(c.head) if h}

    def unbuilt(self, c: Configuration) -> set[Arc]:
        return self.word_arcs - (self.built(c) - self.mislabelled)

    def passed(self, c: Configuration) -> set[Arc]:
        """The unbuilt gold arcs whose pair of words has been visited."""
        return {(x, y) for x, y in self.unbuilt(c) if c.j > max(x, y) or (c.j == max(x, y) and c.i < min(x, y))}

    def headed_roots(self, c: Configuration) -> set[int]:
        return {d for d in self.gold_roots if c.head[d]}

    def loss(self, c: Configuration) -> int:
        raise NotImplementedError

    def costs(self, c: Configuration) -> dict[str, int]:
        return {t: self.loss(self.system.apply(c, t)) - self.loss(c) for t in self.system.legal(c)}


class Dynamic(CovingtonOracle):
    """Paper 003: the exact loss of the monotonic systems is |U| + nc(A ∪ I)."""

    def component(self, c: Configuration, x: int) -> int:
        return ([x, *above(c.head, x)])[-1]

    def unreachable(self, c: Configuration) -> set[Arc]:
        return self.passed(c) | {
            (x, y) for x, y in self.unbuilt(c) if c.head[y] or self.component(c, x) == self.component(c, y)
        }

    def loss(self, c: Configuration) -> int:
        lost = self.unreachable(c)
        cycles = elementary_cycles(self.built(c) | (self.word_arcs - lost))
        return len(lost) + len(self.headed_roots(c)) + len(cycles)


class Upper(CovingtonOracle):
    """Paper 000: |U| + nc(A ∪ I), stopped at the number of unbuilt arcs in I."""

    def cycles(self, c: Configuration) -> list[list[int]]:
        return elementary_cycles(self.built(c) | (self.word_arcs - self.passed(c)))

    def counted(self, c: Configuration) -> int:
        return len(self.cycles(c))

    def loss(self, c: Configuration) -> int:
        cap = len(self.unbuilt(c) - self.passed(c))
        return len(self.passed(c)) + len(self.headed_roots(c)) + min(self.counted(c), cap)


class PcUpper(Upper):
    """Paper 000: only the problematic cycles count."""

    def counted(self, c: Configuration) -> int:
        return sum(self.is_problematic(cycle) for cycle in self.cycles(c))

    def is_problematic(self, cycle: list[int]) -> bool:
        arcs = list(pairwise([*cycle, cycle[0]]))
        x, _ = max(arcs, key=covington_order)
        return next((z, d) for z, d in arcs if d == x) in self.word_arcs - self.mislabelled


class Lower(CovingtonOracle):
    """Paper 000: |U|, with the gold roots that can no longer become headless."""

    def loss(self, c: Configuration) -> int:
        return len(self.passed(c)) + sum(not can_become_headless(c, y) for y in self.gold_roots)


class Simulated(CovingtonOracle):
    """Build what is left of the gold tree in Covington's order and count the wrong heads."""

    def loss(self, c: Configuration) -> int:
        for x, y in sorted(self.unbuilt(c) - self.passed(c), key=covington_order):
            c = c._replace(head=nonmonotonic_arc(c, x, y))
        return len(self.unbuilt(c)) + len(self.headed_roots(c))


class Straight(CovingtonOracle):
    """SPEC 8: of the transitions of least cost, those after which the monotonic loss is least."""

    @property
    def straight(self) -> Dynamic:
        return Dynamic(self.system, self.gold, self.mislabelled)

    def optimal(self, c: Configuration) -> set[str]:
        costs = self.costs(c)
        losses = {t: self.straight.loss(self.system.apply(c, t)) for t in costs if costs[t] == min(costs.values())}
        return {t for t, loss in losses.items() if loss == min(losses.values())}


class LowerMonotonic(Straight, Lower): ...


class PcUpperMonotonic(Straight, PcUpper): ...


class UpperMonotonic(Straight, Upper): ...


class SimulatedMonotonic(Straight, Simulated): ...


def can_become_headless(c: Configuration, y: int) -> bool:
    """SPEC 1.3, for the non-monotonic systems."""
    n, i, j, head = c
    if head[y] == 0 or n - j >= 2:
        return True
    if j > n:
        return False
    ancestors = above(head, y)
    if y == j:
        return any(a <= i for a in ancestors) or any(
            a < w and (j not in above(head, w) or any(w < x <= i and j in above(head, x) for x in above(head, a)))
            for w in range(1, i + 1)
            for a in above(head, w)
        )
    if n - j == 1:
        return y <= i or any(a > y or a <= i for a in ancestors)
    return y <= i and (j in ancestors or any(y < a <= i for a in ancestors))


class Static(CovingtonOracle):
    """SPEC 1.1; the answer is meant on the way to the gold tree only."""

    def choice(self, c: Configuration) -> str:
        joined = [w for w in range(c.i, 0, -1) if {(w, c.j), (c.j, w)} & self.unbuilt(c)]
        if not joined:
            return "shift"
        arc = "left-arc" if (c.j, joined[0]) in self.word_arcs else "right-arc"
        if self.system.non_local:
            return f"{arc}:{c.i - joined[0] + 1}"
        return arc if joined[0] == c.i else "no-arc"
