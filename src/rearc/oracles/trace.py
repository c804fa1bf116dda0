"""A derivation step by step, as the papers print it."""

from collections.abc import Iterator
from dataclasses import dataclass

from rearc.oracles.base import Oracle
from rearc.oracles.policy import RandomWalk
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


def trace(judge: Oracle, *, follow: float = 1.0, seed: int = 1) -> Iterator[Step]:
    """The steps of one derivation; with follow < 1 it strays, and a non-monotonic system shows how it mends."""
    walk = RandomWalk(follow, seed)
    state = judge.start()
    arcs = _arcs(state)
    while not state.is_terminal:
        costs, optimal = judge.costs(state), judge.optimal(state)
        transition = walk.choose(judge, state)
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
