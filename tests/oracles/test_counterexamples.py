"""The cases that the papers leave open or get wrong, by name (SPEC 1.3, 2, 3, 4)."""

import pytest

from rearc.oracles import exact_loss, oracle, oracles
from rearc.systems import State, system


def walk(name: str, n: int, transitions: str, *, single_root: bool = False) -> State:
    compiled = system(name, single_root=single_root)
    state = compiled.start(n)
    for transition in transitions.split():
        compiled.apply(state, transition)
    return state


@pytest.mark.parametrize("name", ["covington-nonmonotonic", "nl-covington-nonmonotonic"])
def test_freed_root(name: str) -> None:
    """Closing a cycle frees the gold root 1, which was headed: the loss is 0 although a root is headed now."""
    k = ":1" if name.startswith("nl") else ""
    gold = [0, 0, 3, 1]
    state = walk(name, 3, f"shift left-arc{k} shift left-arc{k}")
    assert state.heads == [0, 2, 3, 0]
    assert exact_loss(name, state, gold) == 0
    assert oracle(name, "lower", gold).loss(state) == 0
    assert oracle(name, "simulated", gold).loss(state) == 0
    # the two upper bounds count the headed root and, in `upper`, the cycle besides
    assert 0 < oracle(name, "pc-upper", gold).loss(state) <= oracle(name, "upper", gold).loss(state)
    state.system.apply(state, f"right-arc{k}")
    assert state.heads == gold
    assert all(oracle(name, kind, gold).loss(state) == 0 for kind in oracles(name))


def test_the_straight_way_does_not_shift_past_a_gold_arc() -> None:
    """1→4 is to come. It is on a cycle of `upper`, so that to lose it is free there; without repairs it is lost."""
    state = walk("covington-nonmonotonic", 5, "shift shift right-arc left-arc shift")
    assert state.heads == [0, 3, 0, 2, 0, 0]
    gold = [0, 0, 1, 5, 1, 4]
    assert set(oracle("covington-nonmonotonic", "upper", gold).optimal(state)) == {"shift", "no-arc"}
    assert oracle("covington-nonmonotonic", "upper-monotonic", gold).optimal(state) == ["no-arc"]


@pytest.mark.parametrize(("name", "kind"), [("arc-hybrid", "dynamic"), ("arc-hybrid-swap", "static-dynamic")])
def test_gold_2_0_in_arc_hybrid(name: str, kind: str) -> None:
    """([1], [2, r]): shift loses 2→1, and with one root also r→2, which the published oracle does not see."""
    for single_root, cost in ((False, 1), (True, 2)):
        judge = oracle(name, kind, [0, 2, 0], single_root=single_root)
        state = judge.start()
        judge.apply(state, "shift")
        assert judge.costs(state) == {"shift": cost, "left-arc": 0}
        judge.apply(state, "shift")
        assert judge.loss(state) == cost
        # what is lost is not paid for again: something is free in every configuration
        assert min(judge.costs(state).values()) == 0


def test_i_saw_jack() -> None:
    """Paper 004, 2.2: shift could be repaired with unshift, but repairs are for repair."""
    state = walk("arc-eager-unshift", 3, "shift left-arc shift")
    judge = oracle("arc-eager-unshift", "dynamic", [0, 2, 0, 2])
    assert judge.costs(state) == {"shift": 0, "left-arc": 2, "right-arc": 0}
    assert judge.optimal(state) == ["right-arc"]


def test_stuck_sequence_sh_sh_us_la() -> None:
    """In paper 004's Table 1 nothing is legal after it: 2 was shifted once, and the stack is empty."""
    state = walk("arc-eager-unshift", 2, "shift shift unshift left-arc")
    assert state.system.legal(state) == ["shift"]
    state.system.apply(state, "shift")
    assert state.is_terminal
    assert state.heads == [0, 2, 0]


def test_left_arc_of_table_1_keeps_b() -> None:
    """Paper 004's Table 1 lets left-arc put s back to the buffer: it must keep b there."""
    state = walk("arc-eager-unshift", 3, "shift left-arc")
    assert state.heads == [0, 2, 0, 0]
    assert state.system.legal(state) == ["shift"]


def test_last_word_in_arc_swift() -> None:
    """σ = [0, 1], β = [2]: 1 must find its head in 2, so that the gold arc 1→2 is lost already."""
    state = walk("arc-swift", 2, "shift")
    judge = oracle("arc-swift", "dynamic", [0, 0, 1])
    assert state.system.legal(state) == ["left-arc:1"]
    assert judge.loss(state) == 2
    assert judge.costs(state) == {"left-arc:1": 0}


def test_a_word_without_a_way_below_the_root() -> None:
    """(i, j) = (1, 3), A = {2→3}, one root wanted: it can only be 2, so that the gold root 1 is lost."""
    for name, k in (("covington", ""), ("nl-covington", ":1")):
        walked = "shift no-arc shift right-arc" if name == "covington" else f"shift shift right-arc{k}"
        state = walk(name, 3, walked, single_root=True)
        judge = oracle(name, "dynamic", [0, 0, 1, 1], single_root=True)
        assert judge.loss(state) == exact_loss(name, state, [0, 0, 1, 1]) == 3
