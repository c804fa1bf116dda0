"""The exploration policy: how often it strays, and that an oracle's mistake is seen."""

from collections import Counter

import pytest

from rearc.oracles import oracle
from rearc.oracles.policy import RandomWalk, best_of
from rearc.oracles.trace import trace

LEGAL = ["shift", "left-arc", "right-arc", "reduce"]


def test_the_best_optimal_transition():
    assert best_of(LEGAL, [4, 1, 2, 3], ["left-arc", "right-arc"]) == "right-arc"
    assert best_of(LEGAL, [4, 1, 2, 3], ["reduce", "shift"]) == "shift"
    assert best_of(LEGAL, [0, 0, 0, 0], ["reduce", "left-arc"]) == "reduce"  # the first of equals
    assert best_of(LEGAL, [-1, -2, -3, -4], LEGAL) == "shift"


@pytest.mark.parametrize("optimal", [["swap"], ["shift", "swap"], ["left-arc:3"], []])
def test_an_oracle_at_fault(optimal: list[str]):
    """It offers what is not legal, or nothing: the search for it ends."""
    assert best_of(LEGAL, [4, 1, 2, 3], optimal) is None
    assert best_of([], [], optimal) is None


def test_false_lists():
    with pytest.raises(ValueError, match="found 1 scores, expected 4"):
        best_of(LEGAL, [1], ["shift"])
    with pytest.raises(ValueError, match="found transition 'jump'"):
        best_of(["jump"], [1], ["jump"])


def test_how_often_it_strays():
    """After two shifts, in arc-eager: left-arc is the one optimal transition of three."""
    judge = oracle("arc-eager", "dynamic", [0, 2, 3, 0])
    state = judge.start()
    judge.apply(state, "shift")
    assert judge.optimal(state) == ["left-arc"]
    assert set(judge.costs(state)) == {"shift", "left-arc", "right-arc"}
    for follow in (0.0, 0.4, 0.9):
        walk = RandomWalk(follow, 7)
        counts = Counter(walk.choose(judge, state) for _ in range(6000))
        assert counts["left-arc"] / 6000 == pytest.approx(follow + (1 - follow) / 3, abs=0.03)
        assert counts["shift"] / 6000 == pytest.approx((1 - follow) / 3, abs=0.03)


def test_any_optimal_transition():
    judge = oracle("covington", "dynamic", [0, 0, 0])
    state = judge.start()
    judge.apply(state, "shift")
    first, *others = judge.optimal(state)
    assert others
    counts = Counter(RandomWalk(0.999, seed).choose(judge, state) for seed in range(2000))
    assert all(counts[name] / 2000 == pytest.approx(1 / (1 + len(others)), abs=0.05) for name in (first, *others))
    assert {RandomWalk(1.0, seed).choose(judge, state) for seed in range(50)} == {first}
    again = [[walk.choose(judge, state) for _ in range(9)] for walk in (RandomWalk(0.5, 3), RandomWalk(0.5, 3))]
    assert again[0] == again[1]


def test_a_terminal_configuration():
    judge = oracle("arc-standard", "static", [0, 0])
    state = judge.start()
    for transition in judge.derivation():
        judge.apply(state, transition)
    with pytest.raises(ValueError, match="terminal"):
        RandomWalk(0.9).choose(judge, state)
    with pytest.raises(TypeError):
        RandomWalk.__new__(RandomWalk)


def test_a_trace_that_follows_is_the_derivation():
    judge = oracle("arc-hybrid-swap", "static-dynamic", [0, 3, 0, 2, 2])
    assert [step.transition for step in trace(judge)] == judge.derivation()
    assert len({tuple(step.transition for step in trace(judge, follow=0.3, seed=seed)) for seed in range(9)}) > 1
