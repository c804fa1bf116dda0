from collections import Counter
from math import comb

import numpy as np
import pytest

from rearc.treebank.generate import all_trees, random_tree
from rearc.treebank.trees import is_projective, is_tree, roots


def number_of_trees(n: int, single_root: bool, projective: bool | None) -> int:
    """Cayley's formula, and for the projective ones the numbers of ternary trees (OEIS A001764, A006013)."""
    every = n ** (n - 1) if single_root else (n + 1) ** (n - 1)
    smooth = comb(3 * n - 2, n - 1) // n if single_root else comb(3 * n, n) // (2 * n + 1)
    return {None: every, True: smooth, False: every - smooth}[projective]


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("projective", [None, True, False])
@pytest.mark.parametrize("n", range(1, 7))
def test_all_trees_are_as_many_as_they_should_be(n: int, single_root: bool, projective: bool | None) -> None:
    found = list(all_trees(n, single_root, projective))
    assert len(found) == number_of_trees(n, single_root, projective)
    assert found == sorted(found)
    assert len(set(map(tuple, found))) == len(found)
    for heads in found:
        assert len(heads) == n + 1
        assert is_tree(heads)
        assert not single_root or len(roots(heads)) == 1
        assert projective is None or is_projective(heads) == projective


def test_projective_trees_of_eight_words() -> None:
    assert sum(1 for _ in all_trees(8, single_root=True, projective=True)) == 21318


def test_no_words() -> None:
    assert list(all_trees(0)) == [[0]]
    assert random_tree(0, np.random.default_rng(0)) == [0]


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("projective", [False, True])
def test_random_trees_are_uniform(single_root: bool, projective: bool) -> None:
    """χ² over all trees of 4 words, with a fixed seed: nothing here is left to chance."""
    rng = np.random.default_rng(7)
    kinds = [tuple(heads) for heads in all_trees(4, single_root, projective or None)]
    draws = 200 * len(kinds)
    counts = Counter(tuple(random_tree(4, rng, single_root, projective)) for _ in range(draws))
    assert set(counts) == set(kinds)
    chi_squared = sum((counts[kind] - 200) ** 2 / 200 for kind in kinds)
    freedom = len(kinds) - 1
    assert chi_squared < freedom + 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("n", [1, 2, 17, 50_000])
def test_random_trees_are_of_the_kind_asked_for(n: int, single_root: bool, projective: bool) -> None:
    heads = random_tree(n, np.random.default_rng(n), single_root, projective)
    assert len(heads) == n + 1
    assert is_tree(heads)
    assert not single_root or len(roots(heads)) == 1
    assert not projective or is_projective(heads)


def test_a_seed_makes_it_repeatable() -> None:
    first, second = (random_tree(30, np.random.default_rng(5)) for _ in range(2))
    assert first == second
