"""What a network looks at in a configuration, read off the configuration as it is printed."""

import re

from rearc.systems import State


def lists_of(state: State) -> list[list[int]]:
    """The lists of a configuration: stack and buffer, or λ1, λ2 and the buffer; r is 0."""
    lists = re.findall(r"\[(.*?)\]", str(state).partition("{")[0])
    return [[0 if word == "r" else int(word) for word in text.split(", ") if word] for text in lists]


def arcs_of(state: State) -> list[tuple[int, int]]:
    """The arcs that transitions have built."""
    return [(int(h), int(d)) for h, d in re.findall(r"(\d+)→(\d+)", str(state))]


def slot_words(state: State, slots: str) -> list[int | None]:
    """The words in slots such as s1 or b0l."""
    stack, buffer = lists_of(state)
    arcs = arcs_of(state)
    words: list[int | None] = []
    for slot in slots.split():
        row = stack[::-1] if slot[0] == "s" else buffer
        k = int(slot[1])
        word = row[k] if k < len(row) else None
        if slot.endswith("l"):
            word = min((d for h, d in arcs if h == word and d < h), default=None)
        elif slot.endswith("r"):
            word = max((d for h, d in arcs if h == word and d > h), default=None)
        words.append(word)
    return words


def class_of(transition: str) -> int:
    """The class that the stack scorer sees: shift, left-arc, right-arc, or the fourth; attardi has more."""
    if transition in ("left-arc:2", "right-arc:2"):
        return 3 if transition == "left-arc:2" else 4
    return {"shift": 0, "left-arc": 1, "right-arc": 2}.get(transition.partition(":")[0], 3)


def arc_of(state: State, transition: str) -> tuple[int, int]:
    """The arc that a transition of a pair system builds: of the front of the buffer and the k-th word before it."""
    before, *_, buffer = lists_of(state)
    kind, _, k = transition.partition(":")
    word = before[-int(k or 1)]
    return (buffer[0], word) if kind == "left-arc" else (word, buffer[0])
