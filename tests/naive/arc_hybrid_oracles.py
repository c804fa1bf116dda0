"""The oracles of arc-hybrid (Goldberg & Nivre 2013) and arc-hybrid-swap (paper 002, Figure 1; SPEC 2)."""

from typing import NamedTuple

from .stack import Configuration
from .stack_oracles import StackOracle
from .trees import projective_order


class Static(StackOracle):
    """Arcs when the dependent is complete, else shift."""

    def choice(self, c: Configuration) -> str:
        legal = self.system.legal(c)
        if c.stack:
            s0 = c.stack[-1]
            complete = all(self.has_gold_head(c, d) for d in self.dependents(s0))
            if "left-arc" in legal and complete and self.g(s0) == c.buffer[0]:
                return "left-arc"
            if "right-arc" in legal and complete and self.g(s0) == c.stack[-2]:
                return "right-arc"
        return "shift"


class Dynamic(StackOracle):
    """The projective dynamic oracle; with one root, a gold root is lost on anything but an empty stack."""

    def cost(self, c: Configuration, transition: str) -> int:
        σ, B = set(c.stack), set(c.buffer)
        b = c.buffer[0]
        s0 = c.stack[-1] if c.stack else None
        s1 = c.stack[-2] if len(c.stack) > 1 else None
        if transition == "shift":
            if self.system.single_root and self.g(b) == self.root and σ:
                return 1 + len(self.dependents(b) & σ)
            return (self.g(b) in σ - {s0}) + len(self.dependents(b) & σ)
        assert s0 is not None
        loses_dependents = len(self.dependents(s0) & B)
        if self.system.single_root and self.g(s0) == self.root and s1 is not None:
            return loses_dependents
        if transition == "left-arc":
            return (self.g(s0) in ({s1} | B) - {b}) + loses_dependents
        return (self.g(s0) in B) + loses_dependents


class WithReachable(NamedTuple):
    """A configuration with the books of the static-dynamic oracle: RDEPS(x) is `reachable[x]`."""

    c: Configuration
    reachable: tuple[frozenset[int], ...]


class StaticDynamic(StackOracle):
    def start(self) -> WithReachable:
        nodes = range(self.n + 2)
        return WithReachable(self.system.start(self.n), tuple(frozenset(self.dependents(x)) for x in nodes))

    def PROJ(self, x: int) -> int:
        return self.n + 1 if x == self.root else projective_order(self.gold)[x]

    def swap_is_forced(self, c: Configuration) -> bool:
        return "swap" in self.system.legal(c) and self.PROJ(c.stack[-1]) > self.PROJ(c.buffer[0])

    def allowed(self, c: Configuration) -> list[str]:
        if self.swap_is_forced(c):
            return ["swap"]
        return [t for t in self.system.legal(c) if t != "swap"]

    def will_be_swapped_back(self, c: Configuration) -> bool:
        b, *rest = c.buffer
        return any(b < i and self.PROJ(b) > self.PROJ(i) for i in rest)

    def costs(self, state: WithReachable) -> dict[str, int]:
        return {t: self.cost_in(state, t) for t in self.allowed(state.c)}

    def cost_in(self, state: WithReachable, transition: str) -> int:
        c, reachable = state
        b, Σ = c.buffer[0], set(c.stack)
        if transition == "swap":
            return 0
        if transition == "shift":
            if self.will_be_swapped_back(c):
                return 0
            return len(reachable[b] & Σ) + (self.loses_head(c) and b in reachable[self.g(b)])
        s0 = c.stack[-1]
        head = b if transition == "left-arc" else c.stack[-2]
        return len(reachable[s0]) + (self.g(s0) != head and s0 in reachable[self.g(s0)])

    def loses_head(self, c: Configuration) -> bool:
        """Shift takes its gold head from b: one deep in the stack; or the root, if b must be the only one."""
        b = c.buffer[0]
        return self.g(b) in c.stack[:-1] or (self.system.single_root and self.g(b) == self.root and bool(c.stack))

    def apply(self, state: WithReachable, transition: str) -> WithReachable:
        c, reachable = state
        after = self.system.apply(c, transition)
        new = list(reachable)
        if transition == "shift" and not self.will_be_swapped_back(c):
            b = c.buffer[0]
            if self.loses_head(c):
                new[self.g(b)] -= {b}
            new[b] -= set(c.stack)
        elif transition in ("left-arc", "right-arc"):
            s0 = c.stack[-1]
            new[s0] = frozenset()
            new[self.g(s0)] -= {s0}
        return WithReachable(after, tuple(new))

    def loss(self, state: WithReachable) -> int:
        """The words that are attached wrongly, or can no longer be attached rightly."""
        c, reachable = state
        return sum(
            not self.has_gold_head(c, d) and not (c.head[d] is None and d in reachable[self.g(d)])
            for d in range(1, self.n + 1)
        )


class StaticSwap(StaticDynamic):
    """The forced swap first, then the static choice."""

    def choice(self, c: Configuration) -> str:
        return "swap" if self.swap_is_forced(c) else Static.choice(self, c)
