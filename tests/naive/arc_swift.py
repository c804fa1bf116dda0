"""Arc-swift (Qi & Manning 2017); the root 0 lies at the bottom of the stack."""

from .stack import Configuration, StackSystem, no_heads, words


class ArcSwift(StackSystem):
    name = "arc-swift"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (0,), words(n), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return c.buffer == ()

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        if self.is_terminal(c):
            return {}
        b, last = c.buffer[0], len(c.buffer) == 1
        after = {}
        if not last:
            after["shift"] = c._replace(stack=(*c.stack, b), buffer=c.buffer[1:])
        for k in range(1, len(c.stack) + 1):
            word, below = c.stack[-k], c.stack[:-k]
            headless = word != 0 and c.head[word] is None
            if headless:
                after[f"left-arc:{k}"] = c.with_arc(b, word)._replace(stack=below)
            second_root = self.single_root and word == 0 and 0 in c.head
            if not (last and c.headless_on_stack()) and not second_root:
                pushed = c._replace(stack=(*below, word, b), buffer=c.buffer[1:])
                after[f"right-arc:{k}"] = pushed.with_arc(word, b)
            if headless:
                break
        return after
