"""One file per transition system: configurations, transitions, when each is legal.

>>> from rearc.systems import system
>>> hybrid = system("arc-hybrid")
>>> state = hybrid.start(2)
>>> hybrid.legal(state)
['shift']
"""

from importlib import import_module

from rearc.systems.base import IllegalTransition, State, System

__all__ = ["IllegalTransition", "State", "System", "system", "systems"]

# name: (module, class)
_SYSTEMS: dict[str, tuple[str, str]] = {
    "covington": ("covington", "Covington"),
    "covington-nonmonotonic": ("covington_nonmonotonic", "NonMonotonicCovington"),
    "nl-covington": ("nl_covington", "NLCovington"),
    "nl-covington-nonmonotonic": ("nl_covington_nonmonotonic", "NonMonotonicNLCovington"),
    "arc-standard": ("arc_standard", "ArcStandard"),
    "arc-standard-swap": ("arc_standard_swap", "ArcStandardSwap"),
    "arc-hybrid": ("arc_hybrid", "ArcHybrid"),
    "arc-hybrid-swap": ("arc_hybrid_swap", "ArcHybridSwap"),
    "arc-eager": ("arc_eager", "ArcEager"),
    "arc-eager-tree": ("arc_eager_tree", "ArcEagerTree"),
    "arc-eager-nonmonotonic": ("arc_eager_nonmonotonic", "NonMonotonicArcEager"),
    "arc-eager-unshift": ("arc_eager_unshift", "ArcEagerUnshift"),
    "arc-swift": ("arc_swift", "ArcSwift"),
}


def systems() -> list[str]:
    """The names of all transition systems.

    >>> "arc-hybrid" in systems()
    True
    """
    return list(_SYSTEMS)


def system(name: str, *, single_root: bool = False) -> System:
    """The transition system of that name; with single_root exactly one root comes out, whatever is chosen.

    >>> system("covington", single_root=True)
    system('covington', single_root=True)
    """
    if name not in _SYSTEMS:
        raise ValueError(f"found system {name!r}, expected one of {', '.join(_SYSTEMS)}")
    module, cls = _SYSTEMS[name]
    made: System = getattr(import_module(f"rearc.systems.{module}"), cls)(name, single_root)
    return made
