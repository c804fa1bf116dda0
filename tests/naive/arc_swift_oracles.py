"""The oracles of arc-swift (SPEC 4)."""

from .arc_eager_oracles import stranded_penalty
from .stack import Configuration
from .stack_oracles import StackOracle


class Static(StackOracle):
    """The nearest gold arc between b and the stack, down to the first headless word; else shift."""

    root_at_end = False

    def choice(self, c: Configuration) -> str:
        b = c.buffer[0]
        for k, word in enumerate(reversed(c.stack), start=1):
            for arc, (x, y) in {"left-arc": (b, word), "right-arc": (word, b)}.items():
                if self.g(y) == x and f"{arc}:{k}" in self.system.legal(c):
                    return f"{arc}:{k}"
        return "shift"


class Dynamic(StackOracle):
    """Arc-eager with the root at the left; but every headless stack word must find a head in the buffer."""

    root_at_end = False

    def loss(self, c: Configuration) -> int:
        σ, B = set(c.stack), set(c.buffer)
        if self.system.single_root and 0 in c.head:
            σ -= {0}
        stranded = [s for s in c.headless_on_stack() if self.gold[s] not in B]
        return stranded_penalty(self, c, stranded) + sum(
            not self.has_gold_head(c, d)
            and not (d in σ and c.head[d] is None and self.g(d) in B)
            and not (d in B and self.g(d) in σ | B)
            for d in range(1, self.n + 1)
        )

    def cost(self, c: Configuration, transition: str) -> int:
        return self.loss(self.system.apply(c, transition)) - self.loss(c)
