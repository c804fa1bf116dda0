"""What the stack systems have in common: an immutable configuration and the base of a system."""

from typing import NamedTuple


class Configuration(NamedTuple):
    """σ with its top at the right, β with its front at the left, `head[d]` None where d is headless.

    `marks` is what single systems remember besides: the words shifted once (arc-eager-unshift), or {0} once
    the buffer has been exhausted (arc-eager-tree).
    """

    n: int
    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    head: tuple[int | None, ...]
    marks: frozenset[int] = frozenset()

    def with_arc(self, x: int, y: int) -> "Configuration":
        return self._replace(head=tuple(x if d == y else h for d, h in enumerate(self.head)))

    def headless_on_stack(self) -> list[int]:
        return [s for s in self.stack if s != 0 and self.head[s] is None]


class StackSystem:
    """A system is its `start`, `is_terminal` and `successors` (every legal transition with its result)."""

    name: str

    def __init__(self, single_root: bool = False) -> None:
        self.single_root = single_root

    def start(self, n: int) -> Configuration:
        raise NotImplementedError

    def is_terminal(self, c: Configuration) -> bool:
        raise NotImplementedError

    def successors(self, c: Configuration) -> dict[str, Configuration]:
        raise NotImplementedError

    def legal(self, c: Configuration) -> list[str]:
        return list(self.successors(c))

    def apply(self, c: Configuration, transition: str) -> Configuration:
        return self.successors(c)[transition]

    def heads(self, c: Configuration) -> tuple[int, ...]:
        """Headless words and words on the root node n+1 hang on 0."""
        return tuple(0 if h is None or h > c.n else h for h in c.head)


def words(n: int) -> tuple[int, ...]:
    return tuple(range(1, n + 1))


def no_heads(n: int) -> tuple[int | None, ...]:
    return (None,) * (n + 1)
