"""Every system against its naive second implementation: legality, results, termination."""

from random import Random

import pytest

from rearc.systems import IllegalTransition, system, systems

from ..lockstep import ONE_ROOT_ALWAYS, derivable, space, states
from ..naive import NAMES, naive_system
from ..naive.gold import Tree
from ..naive.tally import checked
from ..naive.trees import is_tree, roots

every_system = pytest.mark.parametrize("name", NAMES)
either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])
up_to_four = pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])


def test_names() -> None:
    assert set(systems()) == set(NAMES)


@every_system
@either_root
@up_to_four
def test_every_configuration(name: str, single_root: bool, n: int) -> None:
    """`space` itself fails where the naive system is stuck or loops: the compiled one must be the same graph."""
    compiled, naive = system(name, single_root=single_root), space(name, single_root, n)
    for c, state in states(name, single_root, n).items():
        legal = compiled.legal(state)
        assert sorted(legal) == sorted(naive.after[c]), state
        assert state.is_terminal == (not legal), state
        assert tuple(state.heads) == naive.system.heads(c), state
        for transition, after in naive.after[c].items():
            copy = state.copy()
            compiled.apply(copy, transition)
            assert tuple(copy.heads) == naive.system.heads(after), (str(state), transition)
            assert sorted(compiled.legal(copy)) == sorted(naive.after[after]), (str(state), transition)
            checked["transitions of systems"] += 1


@every_system
@either_root
@up_to_four
def test_derivable_trees(name: str, single_root: bool, n: int) -> None:
    naive = space(name, single_root, n)
    assert naive.trees[naive.first] == sum(1 << naive.number[tree] for tree in derivable(name, single_root, n))


LONGEST = {
    "covington": lambda n: n * (n + 1) // 2,
    "covington-nonmonotonic": lambda n: n * (n + 1) // 2,
    "nl-covington": lambda n: 2 * n - 1,
    "nl-covington-nonmonotonic": lambda n: n * (n + 1) // 2,
    "arc-standard": lambda n: 2 * n,
    "arc-standard-swap": lambda n: n * (n + 1),
    "arc-hybrid": lambda n: 2 * n,
    "arc-hybrid-swap": lambda n: n * (n + 1),
    "arc-eager": lambda n: 2 * n,
    "arc-eager-tree": lambda n: 4 * n - 3,
    "arc-eager-nonmonotonic": lambda n: 2 * n,
    "arc-eager-unshift": lambda n: 4 * n - 3,
    "arc-swift": lambda n: 2 * n - 1,
    "attardi": lambda n: 2 * n,
}


@every_system
@up_to_four
def test_longest_derivation(name: str, n: int) -> None:
    naive = space(name, False, n)
    assert naive.longest[naive.first] == LONGEST[name](n)


@every_system
@either_root
@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_random_walks(name: str, single_root: bool, n: int) -> None:
    compiled, naive = system(name, single_root=single_root), naive_system(name, single_root)
    rng = Random(f"{name} {n}")
    for _ in range(12):
        state, c, steps = compiled.start(n), naive.start(n), 0
        while not naive.is_terminal(c):
            legal = naive.legal(c)
            assert sorted(compiled.legal(state)) == sorted(legal), state
            transition = rng.choice(legal)
            compiled.apply(state, transition)
            c = naive.apply(c, transition)
            assert tuple(state.heads) == naive.heads(c), state
            checked["transitions of systems"] += 1
            steps += 1
        assert state.is_terminal
        assert compiled.legal(state) == []
        assert steps <= LONGEST[name](n)
        assert_output_is_a_tree(name, single_root, tuple(state.heads))


def assert_output_is_a_tree(name: str, single_root: bool, heads: Tree) -> None:
    assert is_tree(heads)
    if single_root or name in ONE_ROOT_ALWAYS:
        assert len(roots(heads)) == 1


@every_system
def test_illegal_transitions_are_refused(name: str) -> None:
    compiled, naive = system(name), space(name, False, 3)
    everything = {t for after in naive.after.values() for t in after}
    for c, state in states(name, False, 3).items():
        before = str(state)
        for transition in everything - set(naive.after[c]):
            with pytest.raises(IllegalTransition, match="legal"):
                compiled.apply(state, transition)
            assert str(state) == before


@every_system
def test_a_copy_stands_alone(name: str) -> None:
    compiled = system(name)
    state = compiled.start(4)
    before = str(state), state.heads
    copy = state.copy()
    while not copy.is_terminal:
        compiled.apply(copy, compiled.legal(copy)[-1])
    assert (str(state), state.heads) == before
