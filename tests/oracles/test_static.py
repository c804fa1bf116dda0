"""Static oracles off the gold path, and the loss they report."""

from random import Random

import pytest

from rearc.oracles import exact_loss, oracle, oracles
from rearc.systems import system

from ..lockstep import derivable, random_derivable, states
from ..naive import STACK
from ..naive.tally import checked

STATIC = [(name, kind) for name in STACK for kind in oracles(name) if kind in ("static", "static-lazy")]
either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])


@pytest.mark.parametrize(("name", "kind"), STATIC)
@either_root
@pytest.mark.parametrize("n", [2, 3])
def test_one_transition_everywhere(name: str, kind: str, single_root: bool, n: int) -> None:
    """In every configuration one legal transition costs 0, the others 1."""
    for gold in derivable(name, single_root, n):
        judge = oracle(name, kind, gold, single_root=single_root)
        for state in states(name, single_root, n).values():
            costs = judge.costs(state)
            assert sorted(costs.values()) == [0, 1, 1, 1, 1][: len(costs)], (gold, str(state))
            assert judge.optimal(state) == [t for t, cost in costs.items() if cost == 0]
            checked["static costs"] += 1


@pytest.mark.parametrize(("name", "kind"), STATIC)
@either_root
def test_from_anywhere_to_the_end(name: str, kind: str, single_root: bool) -> None:
    """Any legal transition may have come before: the rule still leads to a terminal configuration."""
    rng = Random(name + kind)
    parser = system(name, single_root=single_root)
    for _ in range(30):
        n = rng.randint(1, 6)
        judge = oracle(name, kind, random_derivable(name, single_root, n, rng), single_root=single_root)
        state = parser.start(n)
        steps = 0
        while legal := parser.legal(state):
            chosen = judge.optimal(state)
            assert len(chosen) == 1
            assert chosen[0] in legal
            judge.apply(state, rng.choice(legal) if rng.random() < 0.3 else chosen[0])
            steps += 1
        assert state.is_terminal
        assert steps <= max(n * (n + 1), 4 * n)


@pytest.mark.parametrize("name", ["arc-hybrid", "arc-eager", "arc-eager-tree", "arc-swift", "attardi"])
@either_root
def test_the_loss_of_a_static_oracle_is_that_of_the_dynamic_one(name: str, single_root: bool) -> None:
    for gold in derivable(name, single_root, 3):
        static = oracle(name, "static", gold, single_root=single_root)
        dynamic = oracle(name, "dynamic", gold, single_root=single_root)
        for state in states(name, single_root, 3).values():
            assert static.loss(state) == dynamic.loss(state)


@pytest.mark.parametrize("name", ["arc-standard", "arc-standard-swap"])
@either_root
def test_the_loss_of_arc_standard_is_exact(name: str, single_root: bool) -> None:
    for gold in derivable(name, single_root, 3):
        for kind in oracles(name):
            judge = oracle(name, kind, gold, single_root=single_root)
            for state in states(name, single_root, 3).values():
                assert judge.loss(state) == exact_loss(name, state, gold)


def test_the_label_that_shift_noted_counts_for_reduce() -> None:
    judge = oracle("arc-eager-nonmonotonic", "dynamic", [0, 0, 1], gold_labels=[None, "root", "obj"])
    for noted, cost in (("obj", 0), ("nmod", 1), (None, 1)):
        state = judge.start()
        judge.apply(state, "shift")
        judge.apply(state, "shift", noted)
        assert judge.loss(state) == 0
        assert judge.cost(state, "reduce") == cost
        assert judge.cost(state, "reduce", "obj") == 0
        judge.apply(state, "reduce")
        assert judge.loss(state) == cost


def test_lazy_swaps_are_fewer() -> None:
    """Nivre, Kuhlmann & Hall 2009: 3→4 is built before 3 is swapped with 2, so that 4 need not be swapped too."""
    gold = [0, 2, 0, 1, 3]
    eager, lazy = (oracle("arc-standard-swap", kind, gold).derivation() for kind in ("static", "static-lazy"))
    assert (eager.count("swap"), lazy.count("swap")) == (2, 1)
