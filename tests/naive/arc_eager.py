"""Arc-eager (Nivre 2003) and its three relatives of paper 004."""

from .stack import Configuration, StackSystem, no_heads, words

EXHAUSTED = frozenset({0})


class ArcEager(StackSystem):
    """The root r = n+1 ends the buffer."""

    name = "arc-eager"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (), (*words(n), n + 1), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return c.stack == () and c.buffer == (c.n + 1,)

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = {}
        b, r = c.buffer[0], c.n + 1
        last = self.single_root and len(c.buffer) == 2
        headless = len(c.headless_on_stack())
        if b != r and not (last and headless > 0):
            after["shift"] = c._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
        if c.stack:
            s0 = c.stack[-1]
            if c.head[s0] is None:
                after["left-arc"] = c.with_arc(b, s0)._replace(stack=c.stack[:-1])
            else:
                after["reduce"] = c._replace(stack=c.stack[:-1])
            if b != r and not (last and headless != 1):
                after["right-arc"] = c.with_arc(s0, b)._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
        return after


class ArcEagerNonmonotonic(ArcEager):
    """Honnibal, Goldberg & Johnson 2013: left-arc replaces a head, reduce of a headless word adds s1→s0."""

    name = "arc-eager-nonmonotonic"

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = {}
        b, r = c.buffer[0], c.n + 1
        if b != r:
            after["shift"] = c._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
        if c.stack:
            s0, popped = c.stack[-1], c._replace(stack=c.stack[:-1])
            if b != r or not self.single_root or len(c.stack) == 1:
                after["left-arc"] = popped.with_arc(b, s0)
            if b != r:
                after["right-arc"] = c.with_arc(s0, b)._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
            if c.head[s0] is not None:
                after["reduce"] = popped
            elif len(c.stack) > 1:
                after["reduce"] = popped.with_arc(c.stack[-2], s0)
        return after


class ArcEagerTree(StackSystem):
    """Nivre & Fernández-González 2014: no root node; unshift once the buffer has been exhausted."""

    name = "arc-eager-tree"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (), words(n), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return len(c.stack) == 1 and c.buffer == ()

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        if self.is_terminal(c):
            return {}
        after = {}
        if c.buffer:
            b = c.buffer[0]
            pushed = c._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
            if pushed.buffer == ():
                pushed = pushed._replace(marks=EXHAUSTED)
            if c.marks != EXHAUSTED or c.stack == ():
                after["shift"] = pushed
            if c.stack:
                s0 = c.stack[-1]
                after["right-arc"] = pushed.with_arc(s0, b)
                if c.head[s0] is None:
                    after["left-arc"] = c.with_arc(b, s0)._replace(stack=c.stack[:-1])
        if c.stack and c.head[c.stack[-1]] is not None:
            after["reduce"] = c._replace(stack=c.stack[:-1])
        if c.buffer == () and len(c.stack) > 1 and c.head[c.stack[-1]] is None:
            after["unshift"] = c._replace(stack=c.stack[:-1], buffer=(c.stack[-1],))
        return after


class ArcEagerUnshift(StackSystem):
    """Honnibal & Johnson 2015, Table 1 as SPEC 3 corrects it; `marks` are the words with S(i) = 1."""

    name = "arc-eager-unshift"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (), words(n), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return len(c.stack) == 1 and c.buffer == ()

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        if self.is_terminal(c):
            return {}
        after = {}
        if c.buffer:
            b = c.buffer[0]
            pushed = c._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
            if b not in c.marks or c.stack == ():
                after["shift"] = pushed._replace(marks=c.marks | {b})
            if c.stack:
                after["left-arc"] = c.with_arc(b, c.stack[-1])._replace(stack=c.stack[:-1])
                after["right-arc"] = pushed.with_arc(c.stack[-1], b)
        if c.stack and c.head[c.stack[-1]] is not None:
            after["reduce"] = c._replace(stack=c.stack[:-1])
        if len(c.stack) > 1 and c.head[c.stack[-1]] is None:
            after["unshift"] = c._replace(stack=c.stack[:-1], buffer=(c.stack[-1], *c.buffer))
        return after
