"""A derivation step by step, as the papers print it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rearc.oracles.base import Oracle
from rearc.systems import State

Arc = tuple[int, int, str | None]  # head, dependent, label


@dataclass(frozen=True)
class Step:
    """One transition: what it cost, what it changed, and the configuration it led to."""

    transition: str
    cost: int
    optimal: tuple[str, ...]
    added: tuple[Arc, ...]
    removed: tuple[Arc, ...]
    state: str


def choose(judge: Oracle, state: State, follow: float, rng: random.Random) -> str:
    """The exploration policy: an optimal transition with probability `follow`, any allowed one otherwise."""
    if follow >= 1:
        return judge.optimal(state)[0]
    return rng.choice(judge.optimal(state) if rng.random() < follow else list(judge.costs(state)))


def trace(judge: Oracle, *, follow: float = 1.0, seed: int = 1) -> Iterator[Step]:
    """The steps of one derivation; with follow < 1 it strays, and a non-monotonic system shows how it mends."""
    rng = random.Random(seed)
    state = judge.start()
    arcs = _arcs(state)
    while not state.is_terminal:
        costs, optimal = judge.costs(state), judge.optimal(state)
        transition = choose(judge, state, follow, rng)
        judge.apply(state, transition, label=judge.label(state, transition))
        before, arcs = arcs, _arcs(state)
        yield Step(
            transition,
            costs[transition],
            tuple(optimal),
            added=tuple(sorted(arcs - before, key=lambda arc: arc[1])),
            removed=tuple(sorted(before - arcs, key=lambda arc: arc[1])),
            state=str(state),
        )


def _arcs(state: State) -> set[Arc]:
    heads, deprels = state.heads, state.deprels
    return {(heads[d], d, deprels[d]) for d in state.headed}
