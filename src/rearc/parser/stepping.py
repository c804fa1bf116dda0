"""A sentence on its way through a parser, one transition at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rearc.systems import State, System
from rearc.systems import system as make_system


class Scored(Protocol):
    """What an engine says of the configurations of one sentence."""

    def scores(self, state: State) -> tuple[NDArray[np.float32], int]:
        """The scores of the legal transitions, as `legal` lists them, and the place of the one to take."""

    def label(self, state: State, head: int, dependent: int) -> int:
        """The number of the label that an arc gets."""


class Stepper:
    """The scores and labels that a parser has for one sentence; `Parser.stepper` makes one.

    Taking `choice` at each step is what greedy parsing does, to the last bit.

    >>> import rearc
    >>> stepper = rearc.load("en").stepper(["I", "saw", "Jack"])
    >>> state = stepper.start()
    >>> while not state.is_terminal:
    ...     stepper.apply(state, stepper.choice(state))
    >>> state.heads, stepper.deprels(state)[1:]
    ([0, 2, 0, 2], ['nsubj', 'root', 'obj'])
    """

    def __init__(self, system: System, labels: Sequence[str], words: int, scored: Scored) -> None:
        # a system of its own, in which labels have the numbers that they have in the model
        self.system = make_system(system.name, single_root=system.single_root)
        for label in labels:
            self.system.labels.id(label)
        self._labels = labels
        self._words = words
        self._scored = scored

    def start(self) -> State:
        """The initial configuration."""
        return self.system.start(self._words)

    def scores(self, state: State) -> dict[str, float]:
        """The score of each legal transition; nothing in a terminal configuration."""
        scores, _ = self._scored.scores(self._own(state))
        return dict(zip(self.system.legal(state), scores.tolist(), strict=True))

    def choice(self, state: State) -> str | None:
        """The legal transition that the parser takes; None in a terminal configuration."""
        _, best = self._scored.scores(self._own(state))
        return self.system.legal(state)[best] if best >= 0 else None

    def label(self, state: State, transition: str) -> str | None:
        """The label that the parser gives to the arc of a legal transition; None if it builds none."""
        arc = self.system.builds(self._own(state), transition)
        return None if arc is None else self._labels[self._scored.label(state, *arc)]

    def apply(self, state: State, transition: str | None) -> None:
        """Apply a legal transition, with the label that the parser gives to its arc."""
        if transition is None:
            raise ValueError("found no transition, expected one: the configuration is terminal")
        self.system.apply(state, transition, self.label(state, transition))

    def deprels(self, state: State) -> list[str | None]:
        """[None, l(1), …, l(n)]: the labels so far; in a terminal configuration also those of headless words, which
        hang on the root."""
        deprels = self._own(state).deprels
        if state.is_terminal:
            for d in set(range(1, self._words + 1)) - set(state.headed):
                deprels[d] = self._labels[self._scored.label(state, 0, d)]
        return deprels

    def derivation(self) -> list[str]:
        """The transitions of the parser from the start to the end."""
        state = self.start()
        taken = []
        while (choice := self.choice(state)) is not None:
            self.apply(state, choice)
            taken.append(choice)
        return taken

    def _own(self, state: State) -> State:
        if state.system is not self.system:
            raise ValueError(f"found a state of another origin ({state!r}), expected one that start made, or its copy")
        return state
