"""Arc-standard (Nivre 2004) and with swap (Nivre 2009); the root 0 lies at the bottom of the stack."""

from .stack import Configuration, StackSystem, no_heads, words


class ArcStandard(StackSystem):
    name = "arc-standard"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (0,), words(n), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return c.stack == (0,) and c.buffer == ()

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = {}
        if c.buffer:
            after["shift"] = c._replace(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])
        if len(c.stack) >= 2:
            *rest, s1, s0 = c.stack
            if s1 != 0:
                after["left-arc"] = c.with_arc(s0, s1)._replace(stack=(*rest, s0))
            if s1 != 0 or not self.single_root or c.buffer == ():
                after["right-arc"] = c.with_arc(s1, s0)._replace(stack=(*rest, s1))
        return after


class ArcStandardSwap(ArcStandard):
    name = "arc-standard-swap"

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = super().successors(c)
        if len(c.stack) >= 2 and 0 < c.stack[-2] < c.stack[-1]:
            *rest, s1, s0 = c.stack
            after["swap"] = c._replace(stack=(*rest, s0), buffer=(s1, *c.buffer))
        return after
