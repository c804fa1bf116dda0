"""Every tree that a system can derive is derived by each of its oracles."""

from random import Random

import pytest

from rearc.oracles import oracle
from rearc.systems import system

from ..lockstep import derivable, random_derivable
from ..naive import NAMES, ORACLES, naive_oracle, naive_system
from ..naive.gold import Tree
from ..naive.tally import checked

JUDGES = [(name, kind) for name in NAMES for kind in ORACLES[name]]
# `lower` may call a transition free that is not: it alone need not find the way.
GUIDES = [(name, kind) for name, kind in JUDGES if kind != "lower"]
# Oracles whose rules leave no choice of order.
LITERAL = [
    ("covington", "static"),
    ("nl-covington", "static"),
    ("arc-standard", "static"),
    ("arc-standard-swap", "static"),
    ("arc-standard-swap", "static-lazy"),
    ("arc-swift", "static"),
    ("attardi", "static"),
]
either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])


def derive(name: str, kind: str, gold: Tree, single_root: bool) -> list[str]:
    """The derivation, after replaying it in the naive and in the compiled system."""
    derivation = oracle(name, kind, gold, single_root=single_root).derivation()
    slow, compiled = naive_system(name, single_root), system(name, single_root=single_root)
    c, state = slow.start(len(gold) - 1), compiled.start(len(gold) - 1)
    for transition in derivation:
        c = slow.apply(c, transition)
        compiled.apply(state, transition)
    assert slow.is_terminal(c)
    assert state.is_terminal
    assert slow.heads(c) == gold == tuple(state.heads), derivation
    checked["derivations"] += 1
    return derivation


@pytest.mark.parametrize(("name", "kind"), GUIDES)
@either_root
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_tree_is_derived(name: str, kind: str, single_root: bool, n: int) -> None:
    for gold in derivable(name, single_root, n):
        derive(name, kind, gold, single_root)


@pytest.mark.parametrize(("name", "kind"), GUIDES)
@either_root
@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_random_trees_are_derived(name: str, kind: str, single_root: bool, n: int) -> None:
    rng = Random(f"{name} {kind} {n}")
    for _ in range(20):
        derive(name, kind, random_derivable(name, single_root, n, rng), single_root)


@pytest.mark.parametrize(("name", "kind"), LITERAL)
@either_root
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_rules_to_the_letter(name: str, kind: str, single_root: bool, n: int) -> None:
    slow = naive_system(name, single_root)
    for gold in derivable(name, single_root, n):
        naive, c, derivation = naive_oracle(name, kind, gold, single_root=single_root), slow.start(n), []
        while not slow.is_terminal(c):
            derivation.append(naive.choice(c))
            c = slow.apply(c, derivation[-1])
        assert oracle(name, kind, gold, single_root=single_root).derivation() == derivation, gold


def arcs(gold: Tree) -> int:
    return sum(h != 0 for h in gold)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_lengths(n: int) -> None:
    """Lengths that the papers and SPEC 1.1, 4 and 5 state."""
    for gold in derivable("nl-covington", False, n):
        assert len(oracle("nl-covington", "static", gold).derivation()) == n + arcs(gold)
        for kind in ("static", "static-lazy"):
            swapped = oracle("arc-standard-swap", kind, gold).derivation()
            assert len(swapped) == 2 * n + 2 * swapped.count("swap")
    for gold in derivable("arc-swift", False, n):
        left_arcs = sum(h > d for d, h in enumerate(gold))
        assert len(oracle("arc-swift", "static", gold).derivation()) == n + left_arcs


@pytest.mark.parametrize("name", ["nl-covington", "arc-swift"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_one_derivation_a_tree(name: str, n: int) -> None:
    """NL-Covington and arc-swift have no spurious ambiguity: one free transition at each step."""
    compiled = system(name)
    for gold in derivable(name, False, n):
        judge, state = oracle(name, "dynamic", gold), compiled.start(n)
        while not state.is_terminal:
            (free,) = (t for t, cost in judge.costs(state).items() if cost == 0)
            compiled.apply(state, free)
        assert tuple(state.heads) == gold


def test_lazy_swaps_less() -> None:
    swaps = {
        kind: sum(
            oracle("arc-standard-swap", kind, gold).derivation().count("swap")
            for gold in derivable("arc-standard-swap", False, 5)
        )
        for kind in ("static", "static-lazy")
    }
    assert swaps["static-lazy"] < swaps["static"]
