"""Each measure against its naive definition: over all trees of up to 6 words, and on larger random ones."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.treebank import trees
from rearc.treebank.generate import all_trees, random_tree
from tests.naive import trees as naive


def check_against_naive(heads: list[int]) -> None:
    n = len(heads) - 1
    assert trees.is_tree(heads)
    assert trees.roots(heads) == naive.roots(heads)
    assert trees.non_projective_arcs(heads) == naive.non_projective_arcs(heads)
    assert np.flatnonzero(~trees.projective_arcs(heads)).tolist() == naive.non_projective_arcs(heads)
    assert trees.is_projective(heads) == naive.is_projective(heads)
    assert trees.gap_degree(heads) == naive.gap_degree(heads)
    assert trees.edge_degree(heads) == naive.edge_degree(heads)
    assert trees.is_planar(heads) == naive.is_planar(heads)
    assert trees.is_well_nested(heads) == naive.is_well_nested(heads)
    for root_arcs in (False, True):
        pairs = naive.crossing_arcs(heads, root_arcs)
        assert trees.crossing_arcs(heads, root_arcs) == pairs
        per_arc = [sum(d in pair for pair in pairs) for d in range(n + 1)]
        assert trees.crossings_per_arc(heads, root_arcs).tolist() == per_arc
    assert trees.projective_order(heads).tolist() == naive.projective_order(heads)
    components = naive.maximal_projective_components(heads)
    assert trees.maximal_projective_components(heads).tolist() == components
    distances = naive.root_distances(heads)
    assert trees.root_distances(heads).tolist() == distances
    assert trees.depth(heads) == max(distances)
    assert trees.arc_lengths(heads).tolist() == naive.arc_lengths(heads)


@pytest.mark.parametrize("n", range(7))
def test_all_trees(n: int) -> None:
    for heads in all_trees(n):
        check_against_naive(heads)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**32), st.booleans(), st.booleans())
def test_random_trees(n: int, seed: int, single_root: bool, projective: bool) -> None:
    check_against_naive(random_tree(n, np.random.default_rng(seed), single_root, projective))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32), st.integers(1, 5))
def test_nearly_projective_trees(n: int, seed: int, moves: int) -> None:
    """The trees of treebanks: projective but for a few words."""
    rng = np.random.default_rng(seed)
    heads = random_tree(n, rng, projective=True)
    for _ in range(moves):
        word, head = rng.integers(1, n + 1, 2).tolist()
        if not naive.dominates(heads, word, head):
            heads[word] = head
    check_against_naive(heads)


@pytest.mark.parametrize("n", range(6))
def test_what_projective_amounts_to(n: int) -> None:
    """Gap degree 0, edge degree 0, no crossings even with the root's arcs, one component; and planar."""
    for heads in all_trees(n):
        projective = trees.is_projective(heads)
        assert projective == (trees.gap_degree(heads) == 0)
        assert projective == (trees.edge_degree(heads) == 0)
        assert projective == (not trees.crossing_arcs(heads, root_arcs=True))
        assert projective == (trees.projective_order(heads).tolist() == list(range(n + 1)))
        assert projective == (not trees.maximal_projective_components(heads).any())
        assert not projective or trees.is_planar(heads)


@pytest.mark.parametrize("n", range(6))
def test_projective_order_makes_the_tree_projective(n: int) -> None:
    for heads in all_trees(n):
        order = trees.projective_order(heads).tolist()
        moved = [0] * (n + 1)
        for word in range(1, n + 1):
            moved[order[word]] = order[heads[word]]
        assert trees.is_projective(moved)


def test_is_tree_over_all_heads() -> None:
    n = 4
    for code in range((n + 2) ** n):
        heads = [0, *(code // (n + 2) ** k % (n + 2) for k in range(n))]  # 0…5: 5 is out of range
        assert trees.is_tree(heads) == naive.is_tree(heads)


def test_kuhlmann_and_nivre_examples() -> None:
    assert trees.is_planar([0, 2, 0, 1])  # the arc 1 → 3 covers the root word 2 and crosses nothing
    assert not trees.is_projective([0, 2, 0, 1])
    assert not trees.is_well_nested([0, 0, 0, 1, 2])
    assert trees.gap_degree([0, 0, 1, 0, 1, 0, 1]) == 2  # 1 2 _ 4 _ 6
    assert trees.edge_degree([0, 0, 1, 0, 1, 0, 1]) == 2  # 1 → 6 spans 3 and 5


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint32, np.int32, np.int64])
def test_any_integer_array_will_do(dtype: type) -> None:
    heads = np.array([0, 2, 0, 2, 1], dtype=dtype)
    assert trees.non_projective_arcs(heads) == [4]
    assert trees.non_projective_arcs(np.repeat(heads, 2)[::2]) == [4]
    heads.setflags(write=False)
    assert trees.non_projective_arcs(heads) == [4]


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([0, 2, 5, 0], "word 2 has head 5, expected 0…3"),
        ([0, 0, -1], "word 2 has head -1, expected 0…2"),
        ([0, 0, 2**32], "word 2 has head 4294967296, expected 0…2"),
        (np.array([0, 3, 0], dtype=np.int32), "word 1 has head 3, expected 0…2"),
        ([0, 2, 3, 4, 2, 0], r"word 1 does not reach the root 0, its heads run in a cycle: 4 ← 2 ← 3 ← 4"),
        ([0, 1], "word 1 does not reach the root 0, its heads run in a cycle: 1 ← 1"),
        ([2, 0], r"heads\[0\] is 2, expected 0"),
        ([], r"heads of shape \(0,\)"),
        (np.array([[0, 0]]), r"heads of shape \(1, 2\)"),
    ],
)
def test_what_is_no_tree(heads: list[int], message: str) -> None:
    for measure in (
        trees.projective_arcs, trees.non_projective_arcs, trees.is_projective, trees.projective_order,
        trees.maximal_projective_components, trees.gap_degree, trees.edge_degree, trees.crossing_arcs,
        trees.crossings_per_arc, trees.is_planar, trees.is_well_nested, trees.root_distances, trees.depth,
        trees.arc_lengths,
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            measure(heads)


def test_a_long_cycle_is_shown_in_short() -> None:
    with pytest.raises(ValueError, match="…") as raised:
        trees.depth([0, *range(2, 1001), 1])
    assert len(str(raised.value)) < 150


def test_heads_must_be_integers() -> None:
    with pytest.raises(TypeError, match="float64, expected integers"):
        trees.is_tree([0, 0.0])


def test_very_long_and_very_deep() -> None:
    n = 100_000
    chain = np.arange(-1, n, dtype=np.int32)
    chain[0] = 0
    assert trees.depth(chain) == n
    assert trees.is_projective(chain)
    assert trees.maximal_projective_components(chain).max() == 0
    rng = np.random.default_rng(2)
    heads = random_tree(n, rng)
    order = trees.projective_order(heads)
    assert sorted(order.tolist()) == list(range(n + 1))
    assert not trees.is_planar(heads)
    assert not trees.is_well_nested(heads)
    assert trees.gap_degree(heads) > 100
    assert trees.edge_degree(heads) > 100
    assert trees.crossings_per_arc(heads).sum() % 2 == 0


def test_threads_side_by_side() -> None:
    rng = np.random.default_rng(3)
    sentences = [random_tree(200, rng) for _ in range(50)]
    expected = [trees.edge_degree(heads) for heads in sentences]
    found: dict[int, list[int]] = {}

    def measure(name: int) -> None:
        found[name] = [trees.edge_degree(heads) for heads in sentences]

    threads = [threading.Thread(target=measure, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), expected)
