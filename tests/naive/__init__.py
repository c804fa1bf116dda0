"""Slow, obvious second implementations, straight from the papers; they exist to check the compiled code."""

from functools import cache
from typing import Any

from . import (
    arc_eager_oracles,
    arc_hybrid_oracles,
    arc_standard_oracles,
    arc_swift_oracles,
    attardi_oracles,
    covington_one_root,
    covington_oracles,
)
from .arc_eager import ArcEager, ArcEagerNonmonotonic, ArcEagerTree, ArcEagerUnshift
from .arc_hybrid import ArcHybrid, ArcHybridSwap
from .arc_standard import ArcStandard, ArcStandardSwap
from .arc_swift import ArcSwift
from .attardi import Attardi
from .covington import Covington
from .gold import Tree
from .stack import StackSystem

COVINGTON = ["covington", "covington-nonmonotonic", "nl-covington", "nl-covington-nonmonotonic"]
STACK: dict[str, type[StackSystem]] = {
    kind.name: kind
    for kind in (
        ArcStandard,
        ArcStandardSwap,
        ArcHybrid,
        ArcHybridSwap,
        ArcEager,
        ArcEagerTree,
        ArcEagerNonmonotonic,
        ArcEagerUnshift,
        ArcSwift,
        Attardi,
    )
}
NAMES = [*COVINGTON, *STACK]


@cache
def naive_system(name: str, single_root: bool = False) -> Covington | StackSystem:
    return STACK[name](single_root) if name in STACK else Covington(name, single_root)


_BOUNDS = {
    "lower": covington_oracles.Lower,
    "pc-upper": covington_oracles.PcUpper,
    "upper": covington_oracles.Upper,
    "simulated": covington_oracles.Simulated,
    "lower-monotonic": covington_oracles.LowerMonotonic,
    "pc-upper-monotonic": covington_oracles.PcUpperMonotonic,
    "upper-monotonic": covington_oracles.UpperMonotonic,
    "simulated-monotonic": covington_oracles.SimulatedMonotonic,
}
_MONOTONIC = {"static": covington_oracles.Static, "dynamic": covington_oracles.Dynamic}
ORACLES: dict[str, dict[str, Any]] = {
    "covington": _MONOTONIC,
    "covington-nonmonotonic": _BOUNDS,
    "nl-covington": _MONOTONIC,
    "nl-covington-nonmonotonic": _BOUNDS,
    "arc-standard": {"static": arc_standard_oracles.Static},
    "arc-standard-swap": {
        "static": arc_standard_oracles.Static,
        "static-lazy": arc_standard_oracles.StaticLazy,
    },
    "arc-hybrid": {"static": arc_hybrid_oracles.Static, "dynamic": arc_hybrid_oracles.Dynamic},
    "arc-hybrid-swap": {
        "static": arc_hybrid_oracles.StaticSwap,
        "static-dynamic": arc_hybrid_oracles.StaticDynamic,
    },
    "arc-eager": {"static": arc_eager_oracles.Static, "dynamic": arc_eager_oracles.Dynamic},
    "arc-eager-tree": {"static": arc_eager_oracles.Static, "dynamic": arc_eager_oracles.Dynamic},
    "arc-eager-nonmonotonic": {
        "dynamic": arc_eager_oracles.DynamicNonmonotonic,
        "dynamic-monotonic": arc_eager_oracles.StraightNonmonotonic,
    },
    "arc-eager-unshift": {
        "dynamic": arc_eager_oracles.DynamicUnshift,
        "dynamic-monotonic": arc_eager_oracles.StraightUnshift,
    },
    "arc-swift": {"static": arc_swift_oracles.Static, "dynamic": arc_swift_oracles.Dynamic},
    "attardi": {"static": attardi_oracles.Static, "dynamic": attardi_oracles.Dynamic},
}


def naive_oracle(
    name: str,
    oracle: str,
    gold: Tree,
    *,
    single_root: bool = False,
    mislabelled: frozenset[tuple[int, int]] = frozenset(),
) -> Any:
    """The oracle of a system, bound to a gold tree (0, g(1), …, g(n))."""
    kind = ORACLES[name][oracle]
    if kind is covington_oracles.Dynamic and single_root:
        kind = covington_one_root.DynamicOneRoot
    return kind(naive_system(name, single_root), gold, mislabelled)
