"""The static oracles of arc-standard and arc-standard-swap (SPEC 5)."""

from .stack import Configuration
from .stack_oracles import StackOracle
from .trees import maximal_projective_components, projective_order


class Static(StackOracle):
    """An arc when its dependent is complete, then swap where the order is wrong, else shift."""

    root_at_end = False

    def choice(self, c: Configuration) -> str:
        if len(c.stack) > 1:
            s1, s0 = c.stack[-2:]
            if self.g(s1) == s0 and self.is_complete(c, s1):
                return "left-arc"
            if self.g(s0) == s1 and self.is_complete(c, s0) and "right-arc" in self.system.legal(c):
                return "right-arc"
            if self.wants_swap(c, s1, s0):
                return "swap"
        return "shift"

    def is_complete(self, c: Configuration, x: int) -> bool:
        return all(self.has_gold_head(c, d) for d in self.dependents(x))

    def wants_swap(self, c: Configuration, s1: int, s0: int) -> bool:
        proj = projective_order(self.gold)
        return "swap" in self.system.legal(c) and proj[s0] < proj[s1]


class StaticLazy(Static):
    """Nivre, Kuhlmann & Hall 2009: no swap while s0 and b are in one maximal projective component."""

    def wants_swap(self, c: Configuration, s1: int, s0: int) -> bool:
        component = maximal_projective_components(self.gold)
        return super().wants_swap(c, s1, s0) and not (c.buffer and component[s0] == component[c.buffer[0]])
