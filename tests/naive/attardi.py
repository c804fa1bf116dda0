"""Attardi's system of degree 2 (SPEC 7); the root 0 lies at the bottom of the stack."""

from functools import cache

from .gold import Tree
from .stack import Configuration, StackSystem, no_heads, words


class Attardi(StackSystem):
    name = "attardi"

    def start(self, n: int) -> Configuration:
        return Configuration(n, (0,), words(n), no_heads(n))

    def is_terminal(self, c: Configuration) -> bool:
        return c.stack == (0,) and c.buffer == ()

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        after = {}
        if c.buffer:
            after["shift"] = c._replace(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])
        for k in (1, 2):
            if len(c.stack) > k:
                s0, sk = c.stack[-1], c.stack[-1 - k]
                if sk != 0:
                    after[f"left-arc:{k}"] = without(c, sk).with_arc(s0, sk)
                if sk != 0 or not self.single_root or (c.stack == (0, s0) and c.buffer == ()):
                    after[f"right-arc:{k}"] = without(c, s0).with_arc(sk, s0)
        return after


def without(c: Configuration, word: int) -> Configuration:
    return c._replace(stack=tuple(w for w in c.stack if w != word))


@cache
def derives(gold: Tree) -> bool:
    """Attardi's system derives the tree: by search among gold arcs, each after those of its dependent."""

    @cache
    def leads_home(stack: tuple[int, ...], next_word: int) -> bool:
        if stack == (0,) and next_word == len(gold):
            return True
        left = {*stack, *range(next_word, len(gold))}
        for k in (1, 2):
            for top, below in ((-1, -1 - k), (-1 - k, -1)):
                if len(stack) > k and gold[stack[top]] == stack[below] and stack[top] != 0:
                    word = stack[top]
                    complete = not any(gold[d] == word for d in left if d != 0)
                    if complete and leads_home(tuple(w for w in stack if w != word), next_word):
                        return True
        return next_word < len(gold) and leads_home((*stack, next_word), next_word + 1)

    return leads_home((0,), 1)
