"""The oracles of Attardi's system: a static rule, and the loss by search through all that can still happen."""

from .stack import Configuration
from .stack_oracles import StackOracle


class Static(StackOracle):
    """An arc when its dependent is complete, the nearer first, else shift."""

    root_at_end = False

    def choice(self, c: Configuration) -> str:
        for transition, after in self.system.successors(c).items():
            new = [d for d in range(1, self.n + 1) if c.head[d] != after.head[d]]
            right = new and after.head[new[0]] == self.g(new[0])
            if right and all(self.has_gold_head(c, d) for d in self.dependents(new[0])):
                return transition
        return "shift"


class Dynamic(StackOracle):
    """What comes depends on stack and buffer alone, so the search remembers no more than these."""

    root_at_end = False

    def loss(self, c: Configuration) -> int:
        done = [d for d in range(1, self.n + 1) if c.head[d] is not None]
        return sum(not self.has_gold_head(c, d) for d in done) + self.ahead(c)

    def ahead(self, c: Configuration) -> int:
        """The fewest wrong heads of the words that have none yet."""
        if not hasattr(self, "memory"):
            self.memory: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        key = c.stack, c.buffer
        if key not in self.memory:
            found = [self.wrong(c, after) + self.ahead(after) for after in self.system.successors(c).values()]
            self.memory[key] = min(found, default=0)
        return self.memory[key]

    def wrong(self, c: Configuration, after: Configuration) -> int:
        return sum(after.head[d] != c.head[d] and after.head[d] != self.g(d) for d in range(1, self.n + 1))

    def optimal(self, c: Configuration) -> set[str]:
        """Of the transitions of least cost those that build a gold arc, or all if none does."""
        costs = self.costs(c)
        best = {t for t, cost in costs.items() if cost == min(costs.values())}
        arcs = {t for t in best if t != "shift" and self.wrong(c, self.system.apply(c, t)) == 0}
        return arcs or best

    def cost(self, c: Configuration, transition: str) -> int:
        after = self.system.apply(c, transition)
        return self.wrong(c, after) + self.ahead(after) - self.ahead(c)
