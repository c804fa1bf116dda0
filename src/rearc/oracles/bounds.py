"""How close the bounds of a non-monotonic system come to the true loss.

This is the measurement of Fernández-González & Gómez-Rodríguez 2017, §5 and Table 1.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from rearc.oracles import Oracle, oracle, oracles, searcher
from rearc.oracles.exact import Search, SearchLimit
from rearc.oracles.policy import RandomWalk
from rearc.systems import State
from rearc.systems import system as make_system

BOUNDS = ("lower", "simulated", "pc-upper", "upper")


@dataclass(frozen=True)
class Bounds:
    """Averages over the configurations of a walk.

    A relative difference is |bound − loss| / loss, with 1 in place of a loss of 0.
    """

    system: str
    configurations: int  # measured ones
    undecided: int  # left out: the search for the true loss was cut short
    average: dict[str, float]  # of each bound, and of the loss itself
    relative: dict[str, float]  # of each bound

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def bounds(
    trees: Iterable[NDArray[np.intc]],
    system: str = "covington-nonmonotonic",
    *,
    transitions: int = 100_000,
    policy: str = "upper",
    follow: float = 0.9,
    seed: int = 1,
    max_configurations: int = 20_000,
    progress: Callable[[int], None] = lambda done: None,
) -> Bounds:
    """Walk through the trees for so many transitions and compare bounds and loss at every configuration.

    The walk takes an optimal transition of the oracle `policy` with probability `follow`, any legal one otherwise.
    """
    check_bounded(system)
    walk = RandomWalk(follow, seed)

    def steps(tree: NDArray[np.intc]) -> Callable[[State], str]:
        guide = oracle(system, policy, tree)
        return lambda state: walk.choose(guide, state)

    walks = ((tree, steps(tree)) for tree in trees)
    return bounds_along(walks, system, transitions, max_configurations, progress)


def check_bounded(system: str) -> None:
    """Refuse a system without bounds."""
    if "lower" not in oracles(system):
        raise ValueError(
            f"found system {system!r}, expected one with bounds: covington-nonmonotonic or nl-covington-nonmonotonic"
        )


def bounds_along(
    walks: Iterable[tuple[NDArray[np.intc], Callable[[State], str]]],
    system: str,
    transitions: int,
    max_configurations: int = 20_000,
    progress: Callable[[int], None] = lambda done: None,
) -> Bounds:
    """The same along any walks: a tree, and what says which transition is taken next."""
    made = make_system(system)
    sums = dict.fromkeys((*BOUNDS, "loss"), 0)
    relative = dict.fromkeys(BOUNDS, 0.0)
    walked = measured = 0
    for tree, step in walks:
        judges = {name: oracle(system, name, tree) for name in BOUNDS}
        search = searcher(made, tree)
        state = made.start(len(tree) - 1)
        while walked < transitions and not state.is_terminal:
            losses = _losses(judges, search, state, max_configurations)
            if losses:
                measured += 1
                for name, value in losses.items():
                    sums[name] += value
                for name in BOUNDS:
                    relative[name] += abs(losses[name] - losses["loss"]) / max(1, losses["loss"])
            made.apply(state, step(state))
            walked += 1
        progress(walked)
        if walked == transitions:
            break
    if not measured:
        raise ValueError("found no configuration to measure, expected at least one tree")
    return Bounds(
        system,
        measured,
        walked - measured,
        average={name: sums[name] / measured for name in sums},
        relative={name: relative[name] / measured for name in BOUNDS},
    )


def _losses(judges: dict[str, Oracle], search: Search, state: State, max_configurations: int) -> dict[str, int] | None:
    losses = {name: judge.loss(state) for name, judge in judges.items()}
    try:
        losses["loss"] = search.loss(state, max_configurations)
    except SearchLimit:
        return None
    return losses
