"""What Python can do to systems and states: nothing can be made half, and nothing false is taken."""

import copy
import importlib
import pickle
from random import Random
from typing import Any

import pytest

from rearc.systems import IllegalTransition, State, System, system, systems, traits
from rearc.systems.base import Labels, _remade, _replayed
from rearc.systems.table import system_class

from ..naive import NAMES, naive_system

ArcEager = system_class("arc-eager")


def random_state(name: str, n: int, steps: int, *, single_root: bool = False) -> State:
    """A state some labelled transitions away from the start."""
    rng = Random(f"{name} {n} {steps}")
    made = system(name, single_root=single_root)
    state = made.start(n)
    while steps and not state.is_terminal:
        made.apply(state, rng.choice(made.legal(state)), label=rng.choice(["nsubj", "obj", "root", None]))
        steps -= 1
    return state


# ---- nothing is made half


def test_a_state_needs_its_system():
    for arguments in ((), (None, 3), ("arc-eager", 3), (system("arc-eager"),)):
        with pytest.raises(TypeError):
            State(*arguments)
    with pytest.raises(TypeError):
        State.__new__(State)


def test_a_state_of_a_class_of_ones_own():
    class Mine(State):
        def __init__(self, *arguments: Any) -> None:
            pass

    with pytest.raises(TypeError):
        Mine()
    assert str(Mine(system("arc-hybrid"), 1)) == "([], [1, r], {})"


@pytest.mark.parametrize("n", [0, -1, 1_000_001, 2**31 - 1, 2**40])
def test_no_number_of_words(n: int):
    with pytest.raises(ValueError, match="expected 1 to 1,000,000"):
        system("arc-hybrid").start(n)


@pytest.mark.parametrize("n", [2**70, 1.5, "3", None])
def test_no_number_at_all(n: Any):
    with pytest.raises((OverflowError, TypeError)):
        system("arc-hybrid").start(n)


def test_an_abstract_system():
    for make in (System, System.__new__):
        with pytest.raises(TypeError):
            make(*([System] if make is System.__new__ else []))
    with pytest.raises(TypeError, match="found the class System for arc-eager, expected ArcEager"):
        System("arc-eager")


def test_a_system_by_the_name_of_another():
    with pytest.raises(TypeError, match="found the class ArcEager for covington, expected Covington"):
        ArcEager("covington")
    with pytest.raises(TypeError, match="expected ArcHybrid"):
        system_class("arc-hybrid-swap")("arc-hybrid")
    with pytest.raises(ValueError, match="found system 'mine'"):
        ArcEager("mine")
    with pytest.raises(TypeError):
        ArcEager(None)  # type: ignore[arg-type]


def test_a_system_of_a_class_of_ones_own():
    class Mine(ArcEager):
        def __init__(self) -> None:
            pass

    for make in (Mine, lambda: Mine("arc-eager"), lambda: Mine.__new__(Mine, "arc-eager")):  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            make().start(3)


# ---- nothing false is taken


@pytest.mark.parametrize("name", NAMES)
def test_only_what_is_legal(name: str):
    state = system(name).start(3)
    for transition in ("reduce", "right-arc:134217727", "left-arc:2", "swap", "unshift"):
        with pytest.raises(IllegalTransition, match=f"{transition} is not legal in .*legal are: shift"):
            state.system.apply(state, transition)
    for transition in ("shift:0", "left-arc:-1", "left-arc:" + "9" * 5000, "", "SHIFT"):
        with pytest.raises(ValueError, match=r"found transition|digits"):
            state.system.apply(state, transition)
    with pytest.raises(TypeError):
        state.system.apply(state, None)  # type: ignore[arg-type]
    assert str(state) == str(system(name).start(3))


def test_labels_are_strings():
    state = system("arc-hybrid").start(1)
    for label in (3, b"nsubj", ["nsubj"], 0.5):
        with pytest.raises(TypeError, match="expected a string or None"):
            state.system.apply(state, "shift", label=label)  # type: ignore[arg-type]
    state.system.labels.names.append("nobody")  # a list of its own
    assert state.system.labels.names == []
    assert Labels().id(None) == -1


def test_the_state_of_another_system():
    state = system("arc-hybrid").start(2)
    for other in (system("arc-eager"), system("arc-hybrid", single_root=True)):
        with pytest.raises(ValueError, match="found a state of"):
            other.legal(state)
        with pytest.raises(ValueError, match="found a state of"):
            other.apply(state, "shift")
    with pytest.raises(TypeError):
        state.system.legal(None)  # type: ignore[arg-type]


# ---- pickled and copied


def seen(state: State) -> tuple[Any, ...]:
    return str(state), state.heads, state.headed, state.deprels, state.is_terminal, state.system.legal(state)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_state_travels(name: str, single_root: bool):
    for steps in (0, 1, 7, 1000):
        state = random_state(name, 6, steps, single_root=single_root)
        for other in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state), state.copy()):
            before = seen(state)
            assert seen(other) == before
            assert other.system.single_root == single_root
            if not other.is_terminal:  # they go on alike, and one without the other
                transition = other.system.legal(other)[-1]
                other.system.apply(other, transition, label="late")
                assert seen(state) == before
                twin = state.copy()
                state.system.apply(twin, transition, label="late")
                assert seen(other) == seen(twin)


def test_states_that_travel_together_share_their_system():
    made = system("covington")
    first, second = pickle.loads(pickle.dumps((made.start(2), made.start(3))))
    assert first.system is second.system
    assert copy.copy(first).system is first.system


@pytest.mark.parametrize("name", NAMES)
def test_a_system_travels(name: str):
    made = system(name, single_root=True)
    made.labels.id("nsubj")
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made), copy.copy(made)):
        assert repr(other) == repr(made)
        assert other.labels.names == ["nsubj"]
        assert other.traits == made.traits
    with pytest.raises(TypeError):
        pickle.dumps(made.labels)


@pytest.mark.parametrize("name", NAMES)
def test_a_false_past(name: str):
    """Every number of a past may be wrong: an error, or a state that can be reached."""
    rng = Random(name)
    state = random_state(name, 5, 6)
    made, (_, n, past) = state.system, state.__reduce__()[1]
    for _ in range(200):
        broken = list(past)
        broken[rng.randrange(len(past))] = rng.choice([*range(-9, 60), 2**31 - 1, -(2**31)])
        try:
            found = _replayed(made, rng.choice([n, n, 1, 2, 9]), broken)
        except ValueError:
            continue
        assert len(found.heads) == len(found) + 1
        assert bool(made.legal(found)) != found.is_terminal
    for bad in ([0], [0, 99], [0, -2], [7, -1], [-8, -1], ["shift", None], [2**40, 0], 5, None):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            _replayed(made, n, bad)
    with pytest.raises(TypeError):
        _replayed(None, n, past)  # type: ignore[arg-type]


def test_a_false_system():
    for bad in (("mine", False, []), ("arc-eager", False, ["a", "a"]), ("arc-eager", False, [None])):
        with pytest.raises(ValueError, match="found"):
            _remade(*bad)
    with pytest.raises(TypeError, match="found the label 3"):
        _remade("arc-eager", False, [3])


# ---- the table


def test_every_system_has_a_row():
    assert systems() == NAMES
    for name in NAMES:
        row = traits(name)
        assert system(name).traits is row
        assert hasattr(importlib.import_module(f"rearc.systems.{row.module}"), row.cls)
    with pytest.raises(ValueError, match="found system 'arc'"):
        traits("arc")


@pytest.mark.parametrize("name", NAMES)
def test_the_traits_are_what_the_system_does(name: str):
    """Seen in the naive twin, on all configurations over three words."""
    slow, row = naive_system(name), traits(name)
    trees, configurations, waiting = set(), {slow.start(3)}, [slow.start(3)]
    monotonic, kinds = True, set()
    while waiting:
        c = waiting.pop()
        if slow.is_terminal(c):
            trees.add(slow.heads(c))
        for transition in slow.legal(c):
            after = slow.apply(c, transition)
            kinds.add(transition.partition(":")[0])
            monotonic &= all(h in (None, 0) or slow.heads(after)[d] == h for d, h in enumerate(slow.heads(c)))
            if after not in configurations:
                configurations.add(after)
                waiting.append(after)
    roots = {sum(h == 0 for h in tree[1:]) for tree in trees}
    assert row.monotonic == monotonic
    assert row.one_root == (roots == {1})
    assert row.no_arc == ("no-arc" in kinds)
    assert row.projective == (not crossing(trees))


def crossing(trees: set[tuple[int, ...]]) -> bool:
    """Some tree has an arc over a word that is not below its head."""
    for tree in trees:
        for d in range(1, len(tree)):
            for w in range(min(d, tree[d]) + 1, max(d, tree[d])):
                above = w
                while above not in (0, tree[d]):
                    above = tree[above]
                if above != tree[d]:
                    return True
    return False


# ---- what a debugger sees


@pytest.mark.parametrize("name", NAMES)
def test_what_a_transition_builds(name: str):
    """The arc that is told beforehand is the one that is there afterwards; without one no word gets another head."""
    for n in range(1, 5):
        for steps in range(3 * n):
            state = random_state(name, n, steps)
            for transition in state.system.legal(state):
                arc = state.system.builds(state, transition)
                after = state.copy()
                state.system.apply(after, transition)
                before = {(state.heads[d], d) for d in state.headed}
                added = {(after.heads[d], d) for d in after.headed} - before
                assert added <= {arc}
                if arc is not None:
                    assert arc[1] in after.headed
                    assert after.heads[arc[1]] == arc[0]
            with pytest.raises(IllegalTransition):
                state.system.builds(state, "left-arc:9")


@pytest.mark.parametrize("name", NAMES)
def test_the_lists_are_what_is_printed(name: str):
    for steps in range(12):
        state = random_state(name, 4, steps)
        printed = str(state).split(", {")[0].replace("r", "0")
        assert printed == f"({str(list(state.lists))[1:-1]}"
        assert len(state.lists) == (3 if traits(name).family == "covington" else 2)
