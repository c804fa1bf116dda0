"""The oracles of the arc-eager family and of arc-swift (SPEC 3 and 4)."""

from .stack import Configuration
from .stack_oracles import StackOracle


class Sides:
    """What the formulas speak of: σ, B, s0, s1 and b (None where absent)."""

    def __init__(self, c: Configuration) -> None:
        self.σ, self.B = set(c.stack), set(c.buffer)
        self.s0 = c.stack[-1] if c.stack else None
        self.s1 = c.stack[-2] if len(c.stack) > 1 else None
        self.b = c.buffer[0] if c.buffer else None


class Static(StackOracle):
    def choice(self, c: Configuration) -> str:
        v = Sides(c)
        if v.s0 is not None and v.b is not None:
            if self.g(v.s0) == v.b:
                return "left-arc"
            if self.g(v.b) == v.s0:
                return "right-arc"
        if v.s0 is not None and c.head[v.s0] is not None and not self.dependents(v.s0) & v.B:
            return "reduce"
        return "shift"


def stranded_penalty(oracle: StackOracle, c: Configuration, stranded: list[int]) -> int:
    """1 where headless stack words that must get a head to their right leave none for it without a loss.

    `stranded` are such words, from the bottom, without a gold head in the buffer. They can all hang below w,
    the highest gold ancestor of n inside the buffer, unless w hangs on a stack word x above one of them.
    """
    if oracle.n not in c.buffer or not stranded:
        return 0
    w = oracle.n
    while oracle.gold[w] in c.buffer:
        w = oracle.gold[w]
    x = oracle.g(w)
    return x in c.stack and c.stack.index(stranded[0]) <= c.stack.index(x)


class Dynamic(StackOracle):
    """Goldberg & Nivre 2013. In arc-eager-tree the root node is a buffer word that is never seen."""

    def cost(self, c: Configuration, transition: str) -> int:
        if self.one_root:
            return self.loss(self.system.apply(c, transition)) - self.loss(c)
        v = Sides(c)
        if transition == "unshift":
            return 0
        v.B |= {self.root}
        if transition == "left-arc":
            return (self.g(v.s0) in v.B - {v.b}) + len(self.dependents(v.s0) & v.B)
        if transition == "reduce":
            return len(self.dependents(v.s0) & v.B)
        headless = {d for d in self.dependents(v.b) & v.σ if c.head[d] is None}
        if transition == "right-arc":
            return (self.g(v.b) in (v.σ - {v.s0}) | (v.B - {v.b})) + len(headless)
        return (self.g(v.b) in v.σ) + len(headless)

    @property
    def one_root(self) -> bool:
        """Arc-eager with single_root: only the lowest word of the stack can still become a root."""
        return self.system.single_root and self.system.name == "arc-eager"

    def loss(self, c: Configuration) -> int:
        """The gold arcs that are neither built nor within reach of plain arc-eager."""
        v = Sides(c)
        v.B |= {self.root}
        lost = sum(
            not self.has_gold_head(c, d)
            and not (
                d in v.σ
                and c.head[d] is None
                and self.g(d) in v.B
                and not (self.one_root and self.g(d) == self.root and d != c.stack[0])
            )
            and not (d in v.B and self.g(d) in v.σ | v.B)
            for d in range(1, self.n + 1)
        )
        if self.one_root:
            headless = [s for s in c.stack[1:] if c.head[s] is None]
            lost += stranded_penalty(self, c, [s for s in headless if self.gold[s] not in c.buffer])
        return lost


class DynamicNonmonotonic(StackOracle):
    """Honnibal, Goldberg & Johnson 2013; with one root, a gold root is lost once a word lies below it."""

    def cost(self, c: Configuration, transition: str) -> int:
        v = Sides(c)
        one_root = self.system.single_root
        if transition in ("shift", "right-arc"):
            loses_head = self.g(v.b) in v.σ - {v.s0} or (one_root and self.g(v.b) == self.root and v.s0 is not None)
            return loses_head + len(self.dependents(v.b) & v.σ)
        g = self.g(v.s0)
        if one_root and g == self.root and v.s1 is not None:
            loses_head = False
        elif transition == "reduce":
            loses_head = g in v.B
        else:
            loses_head = g != v.b and (self.has_gold_head(c, v.s0) or g in v.B or (c.head[v.s0] is None and g == v.s1))
        return loses_head + len(self.dependents(v.s0) & v.B)


class StraightNonmonotonic(DynamicNonmonotonic):
    """SPEC 8 for arc-eager: of the transitions of least cost, those after which plain arc-eager loses least."""

    @property
    def straight(self) -> Dynamic:
        return Dynamic(self.system, self.gold, self.mislabelled)

    def optimal(self, c: Configuration) -> set[str]:
        costs = self.costs(c)
        losses = {t: self.straight.loss(self.system.apply(c, t)) for t in costs if costs[t] == min(costs.values())}
        return {t for t, loss in losses.items() if loss == min(losses.values())}


class DynamicUnshift(StackOracle):
    """Honnibal & Johnson 2015 as SPEC 3 corrects it; a gold root's head is 0, on neither side."""

    root_at_end = False

    def cost(self, c: Configuration, transition: str) -> int:
        v = Sides(c)
        if transition in ("shift", "unshift"):
            return 0
        if transition == "right-arc":
            g = self.g(v.b)
            return (g != v.s0 and (g in v.σ or g == 0)) + len(self.dependents(v.b) & v.σ)
        g = self.g(v.s0)
        loses_dependents = len(self.dependents(v.s0) & v.B)
        if transition == "reduce":
            return (g in v.B) + loses_dependents
        headless = c.head[v.s0] is None
        loses_head = g != v.b and (self.has_gold_head(c, v.s0) or g in v.B or (headless and (g in v.σ or g == 0)))
        return loses_head + loses_dependents + (len(self.dependents(v.s0) & v.σ) if headless else 0)

    def rise(self, c: Configuration, transition: str) -> int:
        """By how much plain arc-eager loses more after it; a repair is no better than the straight way."""
        monotonic = Dynamic(self.system, self.gold, self.mislabelled)
        return max(0, monotonic.loss(self.system.apply(c, transition)) - monotonic.loss(c))

    def optimal(self, c: Configuration) -> set[str]:
        """The least cost, 0 on derivable trees, and of those the least rise of the monotonic loss."""
        costs = self.costs(c)
        rises = {t: self.rise(c, t) for t, cost in costs.items() if cost == min(costs.values())}
        return {t for t, k in rises.items() if k == min(rises.values())}


class StraightUnshift(DynamicUnshift):
    """The same, but an unshift after which plain arc-eager does not lose less is half a step off the straight way."""

    def rise(self, c: Configuration, transition: str) -> int:
        monotonic = Dynamic(self.system, self.gold, self.mislabelled)
        is_idle = transition == "unshift" and monotonic.loss(self.system.apply(c, "unshift")) == monotonic.loss(c)
        return 2 * super().rise(c, transition) + is_idle
