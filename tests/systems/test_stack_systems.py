"""What the stack systems show and keep, beyond which transitions are legal."""

import pytest

from rearc.systems import State, system

START = {
    "arc-standard": "([0], [1, 2, 3], {})",
    "arc-standard-swap": "([0], [1, 2, 3], {})",
    "arc-hybrid": "([], [1, 2, 3, r], {})",
    "arc-hybrid-swap": "([], [1, 2, 3, r], {})",
    "arc-eager": "([], [1, 2, 3, r], {})",
    "arc-eager-nonmonotonic": "([], [1, 2, 3, r], {})",
    "arc-eager-tree": "([], [1, 2, 3], {})",
    "arc-eager-unshift": "([], [1, 2, 3], {})",
    "arc-swift": "([0], [1, 2, 3], {})",
    "attardi": "([0], [1, 2, 3], {})",
}


@pytest.mark.parametrize("name", START)
def test_lists_as_the_papers_write_them(name: str) -> None:
    assert str(system(name).start(3)) == START[name]


@pytest.mark.parametrize(
    ("name", "transitions", "lists"),
    [
        ("arc-standard-swap", "shift shift swap", "([0, 2], [1, 3], {})"),
        ("arc-hybrid-swap", "shift swap", "([], [2, 1, 3, r], {})"),
        ("arc-eager-tree", "shift shift shift unshift", "([1, 2], [3], {})"),
        ("arc-eager-unshift", "shift shift unshift", "([1], [2, 3], {})"),
        ("arc-eager-nonmonotonic", "shift right-arc left-arc", "([1], [3, r], {3→2})"),
        ("arc-eager-nonmonotonic", "shift shift reduce", "([1], [3, r], {1→2})"),
        ("attardi", "shift shift shift left-arc:2", "([0, 2, 3], [], {3→1})"),
        ("attardi", "shift shift shift right-arc:2", "([0, 1, 2], [], {1→3})"),
        ("arc-swift", "right-arc:1 right-arc:1 right-arc:2", "([0, 1, 3], [], {0→1, 1→2, 1→3})"),
    ],
)
def test_effects(name: str, transitions: str, lists: str) -> None:
    state = system(name).start(3)
    apply(state, transitions)
    assert str(state) == lists


def apply(state: State, transitions: str) -> None:
    for transition in transitions.split():
        state.system.apply(state, transition)


def test_shift_notes_the_label_of_a_head_that_reduce_may_supply() -> None:
    parser = system("arc-eager-nonmonotonic")
    state = parser.start(3)
    for label in ("root", "obj", "case"):
        parser.apply(state, "shift", label)
    assert state.deprels == [None] * 4  # noted, not given
    parser.apply(state, "reduce", "nmod")
    parser.apply(state, "reduce")
    parser.apply(state, "left-arc")
    assert state.heads == [0, 0, 1, 2]
    assert state.deprels == [None, None, "obj", "nmod"]


def test_a_label_noted_is_forgotten_when_the_word_gets_another_head() -> None:
    parser = system("arc-eager-nonmonotonic")
    state = parser.start(2)
    parser.apply(state, "shift", "obj")
    parser.apply(state, "left-arc")
    assert state.heads == [0, 2, 0]
    assert state.deprels == [None, None, None]


def test_a_copy_keeps_what_the_lists_do_not_show() -> None:
    """S(b) of arc-eager-unshift, and that the buffer of arc-eager-tree has been exhausted."""
    for name, transitions in (("arc-eager-unshift", "shift shift unshift"), ("arc-eager-tree", "shift shift unshift")):
        state = system(name).start(2)
        apply(state, transitions)
        assert str(state) == "([1], [2], {})"
        for one in (state, state.copy()):
            assert one.system.legal(one) == ["left-arc", "right-arc"]
