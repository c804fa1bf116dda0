"""One file per system family: what each transition costs against a gold tree.

>>> from rearc.oracles import oracle
>>> judge = oracle("arc-hybrid", "dynamic", [0, 2, 0])
>>> judge.derivation()
['shift', 'left-arc', 'shift', 'left-arc']
"""

from collections.abc import Sequence
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from rearc.oracles.base import Oracle
from rearc.oracles.exact import Search
from rearc.systems import State, System, systems
from rearc.systems import system as make_system

Heads = Sequence[int] | NDArray[np.intc]

__all__ = ["Oracle", "exact_loss", "oracle", "oracles"]

# system: {oracle: (module, class)}
_BOUNDS = {
    "lower": ("covington_nonmonotonic", "Lower"),
    "pc-upper": ("covington_nonmonotonic", "PCUpper"),
    "upper": ("covington_nonmonotonic", "Upper"),
    "simulated": ("covington_nonmonotonic", "Simulated"),
}
_ORACLES: dict[str, dict[str, tuple[str, str]]] = {
    "covington": {"static": ("covington", "CovingtonStatic"), "dynamic": ("covington", "CovingtonDynamic")},
    "covington-nonmonotonic": _BOUNDS,
    "nl-covington": {
        "static": ("covington", "NLCovingtonStatic"),
        "dynamic": ("covington", "CovingtonDynamic"),
    },
    "nl-covington-nonmonotonic": _BOUNDS,
    "arc-standard": {"static": ("arc_standard", "ArcStandardStatic")},
    "arc-standard-swap": {
        "static": ("arc_standard", "SwapStatic"),
        "static-lazy": ("arc_standard", "SwapStaticLazy"),
    },
    "arc-hybrid": {
        "static": ("arc_hybrid", "ArcHybridStatic"),
        "dynamic": ("arc_hybrid", "ArcHybridDynamic"),
    },
    "arc-hybrid-swap": {
        "static": ("arc_hybrid_swap", "ArcHybridSwapStatic"),
        "static-dynamic": ("arc_hybrid_swap", "ArcHybridSwapStaticDynamic"),
    },
    "arc-eager": {"static": ("arc_eager", "ArcEagerStatic"), "dynamic": ("arc_eager", "ArcEagerDynamic")},
    "arc-eager-tree": {
        "static": ("arc_eager", "ArcEagerStatic"),
        "dynamic": ("arc_eager", "ArcEagerDynamic"),
    },
    "arc-eager-nonmonotonic": {"dynamic": ("arc_eager_nonmonotonic", "NonMonotonicDynamic")},
    "arc-eager-unshift": {"dynamic": ("arc_eager_unshift", "UnshiftDynamic")},
    "arc-swift": {"static": ("arc_swift", "ArcSwiftStatic"), "dynamic": ("arc_swift", "ArcSwiftDynamic")},
}


def oracles(system: str) -> list[str]:
    """The names of a system's oracles.

    >>> oracles("arc-hybrid")
    ['static', 'dynamic']
    """
    if system not in _ORACLES:
        raise ValueError(f"found system {system!r}, expected one of {', '.join(systems())}")
    return list(_ORACLES[system])


def oracle(
    system: str,
    name: str,
    gold_heads: Heads,
    *,
    gold_labels: Sequence[str | None] | None = None,
    single_root: bool = False,
) -> Oracle:
    """The oracle of that name, bound to one gold tree [0, g(1), …, g(n)].

    gold_labels is [None, l(1), …, l(n)]: with it, an arc with the right head and a wrong label costs 1.

    >>> oracle("covington", "static", [0, 2, 0]).derivation()
    ['shift', 'left-arc', 'shift']
    """
    names = oracles(system)
    if name not in names:
        raise ValueError(f"found oracle {name!r}, expected one of {', '.join(names)} for {system}")
    module, cls = _ORACLES[system][name]
    made: Oracle = getattr(import_module(f"rearc.oracles.{module}"), cls)(
        make_system(system, single_root=single_root), name, gold_heads, gold_labels
    )
    return made


def searcher(system: System, gold_heads: Heads, gold_labels: Sequence[str | None] | None = None) -> Search:
    """A search for exact losses against one gold tree, with the system's bounds where it has them."""
    gold = Oracle(system, "exact", gold_heads, gold_labels)
    if "lower" not in oracles(system.name):
        return Search(system, gold)
    one = system.single_root
    lower = oracle(system.name, "lower", gold_heads, gold_labels=gold_labels, single_root=one)
    # with one root required, the arcs that the upper bounds count on may be forbidden
    upper = None if one else oracle(system.name, "simulated", gold_heads, gold_labels=gold_labels)
    return Search(system, gold, lower, upper)


def exact_loss(system: str, state: State, gold_heads: Heads, *, gold_labels: Sequence[str | None] | None = None) -> int:
    """The true loss of a state, by search with pruning: the fewest wrong heads it can still end with.

    >>> exact_loss("arc-hybrid", make_system("arc-hybrid").start(2), [0, 2, 0])
    0
    """
    if state.system.name != system:
        raise ValueError(f"found a state of {state.system.name}, expected one of {system}")
    return searcher(state.system, gold_heads, gold_labels).loss(state)
