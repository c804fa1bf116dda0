"""Partial gold trees (0, g(1), …, g(n)) with None for an unknown head, and their losses by search alone."""

from functools import cache

from .gold import Tree, all_trees, gold_trees

Partial = tuple[int | None, ...]


@cache
def partial_trees(n: int, single_root: bool, projective: bool) -> list[Partial]:
    """All parts of all such trees, the whole ones included, each once."""
    found = set()
    for tree in gold_trees(n, single_root, projective):
        for known in range(1 << n):
            found.add((0, *(tree[d] if known >> (d - 1) & 1 else None for d in range(1, n + 1))))
    return sorted(found, key=str)


def wrong(heads: Tree, gold: Partial) -> int:
    """Known heads that are wrong."""
    return sum(g is not None and h != g for h, g in zip(heads, gold, strict=True))


@cache
def balls(gold: Partial) -> list[int]:
    """For k = 0, 1, …: the trees with at most k known heads wrong."""
    distances = [wrong(tree, gold) for tree in all_trees(len(gold) - 1)]
    return [sum(1 << t for t, d in enumerate(distances) if d <= k) for k in range(len(gold))]


def least(trees: int, gold: Partial) -> int:
    """The fewest wrong known heads of a set of trees, as `search.Space` has it."""
    return next(k for k, ball in enumerate(balls(gold)) if trees & ball)
