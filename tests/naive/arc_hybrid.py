"""Arc-hybrid (Kuhlmann et al. 2011), also with swap (de Lhoneux et al. 2017); the root r = n+1 ends the buffer."""

from .stack import Configuration, StackSystem, no_heads, words


class ArcHybrid(StackSystem):
    name = "arc-hybrid"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (), (*words(n), n + 1), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return c.stack == () and c.buffer == (c.n + 1,)

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = {}
        b, r = c.buffer[0], c.n + 1
        if b != r:
            after["shift"] = c._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
        if c.stack and (b != r or not self.single_root or len(c.stack) == 1):
            after["left-arc"] = c.with_arc(b, c.stack[-1])._replace(stack=c.stack[:-1])
        if len(c.stack) > 1:
            after["right-arc"] = c.with_arc(c.stack[-2], c.stack[-1])._replace(stack=c.stack[:-1])
        return after


class ArcHybridSwap(ArcHybrid):
    name = "arc-hybrid-swap"

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = super().successors(c)
        if c.stack and len(c.buffer) > 1 and c.stack[-1] < c.buffer[0]:
            b, *rest = c.buffer
            after["swap"] = c._replace(stack=c.stack[:-1], buffer=(b, c.stack[-1], *rest))
        return after
