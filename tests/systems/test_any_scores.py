"""Whatever a scorer says, a tree comes out: cycle-free, single-headed, connected, and with one root if wanted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.systems import system

from ..naive import NAMES
from ..naive.trees import is_tree, roots
from .test_against_naive import LONGEST, either_root

scorers = st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=8), min_size=1, max_size=30)


@pytest.mark.parametrize("name", NAMES)
@either_root
@given(n=st.integers(1, 25), scores=scorers)
@settings(max_examples=60, deadline=None)
def test_a_tree_comes_out(name: str, single_root: bool, n: int, scores: list[list[int]]) -> None:
    """At each step the legal transition with the best score is taken; the scores go round where they are too few."""
    compiled = system(name, single_root=single_root)
    state = compiled.start(n)
    steps = 0
    while not state.is_terminal:
        row = scores[steps % len(scores)]
        legal = compiled.legal(state)
        best = max(range(len(legal)), key=lambda k: row[k % len(row)])
        compiled.apply(state, legal[best])
        steps += 1
        assert steps <= LONGEST[name](n)
    assert is_tree(state.heads)
    if single_root or name in ("arc-eager-tree", "arc-eager-unshift"):
        assert len(roots(state.heads)) == 1
