"""Configurations that begin with a tree, and what is right in them: all trees, all gold trees, all pairs of words."""

import pickle
from collections.abc import Iterator

import pytest

from rearc.oracles import exact_loss, oracle, oracles
from rearc.systems import State, system

from ..naive import naive_system
from ..naive.covington import Configuration
from ..naive.gold import Tree, all_trees, gold_trees
from ..naive.second_pass import SecondPassOracle
from ..naive.tally import checked

NAME, KIND = "covington-nonmonotonic", "second-pass"
either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])
up_to_four = pytest.mark.parametrize("n", [1, 2, 3, 4])


def wrong(heads: Tree, gold: Tree) -> int:
    return sum(a != b for a, b in zip(heads, gold, strict=True))


def configurations(single_root: bool, n: int, begun: Tree) -> Iterator[tuple[Configuration, State]]:
    """All that can be reached from a tree, each once, in both implementations."""
    made, naive = system(NAME, single_root=single_root), naive_system(NAME, single_root)
    found = {Configuration(n, 0, 1, begun): made.start(n, begun)}
    waiting = list(found)
    while waiting:
        c = waiting.pop()
        yield c, found[c]
        assert set(made.legal(found[c])) == set(naive.legal(c)), (begun, c)
        for transition in naive.legal(c):
            after = naive.apply(c, transition)
            if after not in found:
                found[after] = found[c].copy()
                made.apply(found[after], transition)
                assert tuple(found[after].heads) == after.head
                waiting.append(after)


@either_root
@up_to_four
def test_costs_and_what_is_optimal(single_root: bool, n: int) -> None:
    """By the foci and the arcs, whatever the tree was that led to them; from four words on from some trees."""
    begun = gold_trees(n, single_root) if single_root else all_trees(n)
    known: dict[Configuration, State] = {}
    for tree in begun if n < 4 else begun[::7]:
        known |= {c: state for c, state in configurations(single_root, n, tree) if c not in known}
    for gold in begun if n < 4 else begun[::5]:
        judge = oracle(NAME, KIND, gold, single_root=single_root)
        naive = SecondPassOracle(naive_system(NAME, single_root), gold)
        for c, state in known.items():
            assert judge.loss(state) == naive.loss(c), (gold, c)
            assert judge.costs(state) == naive.costs(c), (gold, c)
            if not state.is_terminal:
                assert set(judge.optimal(state)) == naive.optimal(c), (gold, c)
            checked[f"cost vectors of the second pass of {n} words"] += 1


@up_to_four
def test_a_way_that_is_optimal_never_makes_a_tree_worse(n: int) -> None:
    """Every one of them; and a tree that is right stays so."""
    made = system(NAME)
    trees = all_trees(n)
    for gold in trees if n < 4 else trees[::3]:
        judge = oracle(NAME, KIND, gold)
        for begun in trees if n < 4 else trees[::4]:
            waiting = [made.start(n, begun)]
            while waiting:
                state = waiting.pop()
                if state.is_terminal:
                    assert wrong(tuple(state.heads), gold) <= wrong(begun, gold), (begun, gold)
                    assert begun != gold or tuple(state.heads) == gold
                    continue
                for transition in judge.optimal(state):
                    after = state.copy()
                    made.apply(after, transition)
                    waiting.append(after)


def test_one_root_is_kept_from_every_tree() -> None:
    for begun in gold_trees(4, single_root=True):
        for c, state in configurations(True, 4, begun):
            assert state.is_terminal or system(NAME, single_root=True).legal(state), c
            if state.is_terminal:
                assert state.heads[1:].count(0) == 1


def test_an_unknown_head_costs_nothing() -> None:
    judge = oracle(NAME, KIND, [0, None, 0, 2])
    state = system(NAME).start(3, [0, 2, 3, 0])
    while not state.is_terminal:
        best = judge.optimal(state)
        assert best
        system(NAME).apply(state, best[0])
    assert state.heads == [0, 2, 0, 2]


def test_a_state_that_began_with_a_tree_travels() -> None:
    made = system(NAME)
    state = made.start(3, [0, 2, 0, 2])
    made.apply(state, "shift")
    made.apply(state, "right-arc", label="x")
    for other in (state.copy(), pickle.loads(pickle.dumps(state))):
        assert str(other) == str(state) == "([], [1], [2, 3], {1→2, 2→3})"
        assert other.deprels == [None, None, "x", None]


@pytest.mark.parametrize("name", [NAME, "nl-" + NAME])
def test_other_judges_refuse_a_state_that_began_with_a_tree(name: str) -> None:
    """Their formulas take it that an arc's pair has been passed."""
    state = system(name).start(3, [0, 2, 0, 2])
    for kind in oracles(name):
        judge = oracle(name, kind, [0, 2, 0, 2])
        for ask in (judge.loss, judge.costs, judge.optimal):
            with pytest.raises(ValueError, match="began with a tree"):
                ask(state)
    with pytest.raises(ValueError, match="began with a tree"):
        exact_loss(name, state, [0, 2, 0, 2])


def test_it_is_not_offered_for_training() -> None:
    assert KIND not in oracles(NAME)
    with pytest.raises(ValueError, match="found oracle 'second-pass'"):
        oracle("covington", KIND, [0, 0])


@pytest.mark.parametrize(
    ("name", "heads", "message"),
    [
        (NAME, [0, 2, 1], "cycle"),
        (NAME, [0, 0], "expected 3"),
        (NAME, [0, 5, 0], "head"),
        ("covington", [0, 2, 0], "expected none"),
        ("arc-hybrid", [0, 2, 0], "expected none"),
        ("arc-eager-nonmonotonic", [0, 2, 0], "expected none"),
    ],
)
def test_trees_that_nothing_can_begin_with(name: str, heads: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        system(name).start(2, heads)
