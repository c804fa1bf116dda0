"""Gold trees (0, g(1), …, g(n)) to check oracles against."""

from functools import cache
from itertools import product
from random import Random

from .trees import is_projective, is_tree, roots

Tree = tuple[int, ...]


@cache
def all_trees(n: int) -> list[Tree]:
    """The (n+1)ⁿ⁻¹ trees over n words, several roots allowed."""
    return [(0, *heads) for heads in product(range(n + 1), repeat=n) if is_tree((0, *heads))]


@cache
def gold_trees(n: int, single_root: bool = False, projective: bool = False) -> list[Tree]:
    return [
        tree
        for tree in all_trees(n)
        if (not single_root or len(roots(tree)) == 1) and (not projective or is_projective(tree))
    ]


def random_tree(n: int, rng: Random, single_root: bool = False, projective: bool = False) -> Tree:
    """A tree by hanging words, in random order, below any that hang already (not uniform)."""
    while True:
        heads = [0] * (n + 1)
        order = rng.sample(range(1, n + 1), n)
        for k in range(1, n):
            heads[order[k]] = rng.choice(order[:k] if single_root else [0, *order[:k]])
        if not projective or is_projective(heads):
            return tuple(heads)
