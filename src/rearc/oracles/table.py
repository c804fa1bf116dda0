"""The oracles of each transition system, by name."""

from importlib import import_module
from typing import TYPE_CHECKING

from rearc.errors import suggestion
from rearc.systems import traits

if TYPE_CHECKING:
    from rearc.oracles.base import Oracle
    from rearc.oracles.exact import Search

_BOUNDS = {
    "lower": ("covington_nonmonotonic", "Lower"),
    "pc-upper": ("covington_nonmonotonic", "PCUpper"),
    "upper": ("covington_nonmonotonic", "Upper"),
    "simulated": ("covington_nonmonotonic", "Simulated"),
    "lower-monotonic": ("covington_nonmonotonic", "LowerMonotonic"),
    "pc-upper-monotonic": ("covington_nonmonotonic", "PCUpperMonotonic"),
    "upper-monotonic": ("covington_nonmonotonic", "UpperMonotonic"),
    "simulated-monotonic": ("covington_nonmonotonic", "SimulatedMonotonic"),
}
# system: {oracle: (module, class)}
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
    "arc-eager-nonmonotonic": {
        "dynamic": ("arc_eager_nonmonotonic", "NonMonotonicDynamic"),
        "dynamic-monotonic": ("arc_eager_nonmonotonic", "StraightDynamic"),
    },
    "arc-eager-unshift": {
        "dynamic": ("arc_eager_unshift", "UnshiftDynamic"),
        "dynamic-monotonic": ("arc_eager_unshift", "UnshiftStraight"),
    },
    "arc-swift": {"static": ("arc_swift", "ArcSwiftStatic"), "dynamic": ("arc_swift", "ArcSwiftDynamic")},
    "attardi": {"static": ("attardi", "AttardiStatic"), "dynamic": ("attardi", "AttardiDynamic")},
}

# Of configurations that begin with a tree: not for a parser that begins with nothing, so `oracles` does not list them.
_OF_TREES = {"covington-nonmonotonic": {"second-pass": ("second_pass", "SecondPass")}}

# Searches for the exact loss that know bounds of their own.
_SEARCHES = {"arc-hybrid-swap": ("free_swap", "FreeSwapSearch")}

# Those whose formulas hold for partial trees, as the exhaustive checks say.
_PARTIAL: dict[str, tuple[str, ...]] = {
    "covington-nonmonotonic": (*_BOUNDS, "second-pass"),
    "nl-covington-nonmonotonic": tuple(_BOUNDS),
    **dict.fromkeys(
        [
            "covington", "nl-covington", "arc-hybrid", "arc-eager", "arc-eager-tree", "arc-swift", "attardi",
        ],
        ("dynamic",),
    ),
    **dict.fromkeys(["arc-eager-nonmonotonic", "arc-eager-unshift"], ("dynamic", "dynamic-monotonic")),
}  # fmt: skip
# Transitions have the same names and, as long as no head is replaced, the same effects.
_STRAIGHT = {"covington-nonmonotonic": "covington", "nl-covington-nonmonotonic": "nl-covington"}
# Of these, costs that are not exact, or found by search and estimated where it takes long.
_NOT_AT_ONCE = ("arc-eager-tree", "attardi")


def oracles(system: str) -> list[str]:
    """The names of a system's oracles.

    >>> oracles("arc-hybrid")
    ['static', 'dynamic']
    """
    traits(system)  # the system must be there
    return list(_ORACLES[system])


def takes_partial(system: str, name: str) -> bool:
    """Whether the oracle judges by partial gold trees too.

    >>> takes_partial("arc-hybrid", "dynamic"), takes_partial("arc-hybrid", "static")
    (True, False)
    """
    return name in _PARTIAL.get(system, ())


def search_class(system: str) -> "type[Search]":
    """The compiled class of the search for a system's exact losses."""
    module, cls = _SEARCHES.get(system, ("exact", "Search"))
    found: type[Search] = getattr(import_module(f"rearc.oracles.{module}"), cls)
    return found


def is_exact(system: str) -> bool:
    """Whether the system has a dynamic oracle whose costs are exact, over partial trees too, and found at once.

    >>> is_exact("arc-hybrid"), is_exact("arc-standard")
    (True, False)
    """
    return takes_partial(system, "dynamic") and system not in _NOT_AT_ONCE


def straight_system(system: str) -> str:
    """The system to go on with from a configuration of this one if nothing is to be repaired any more.

    >>> straight_system("covington-nonmonotonic"), straight_system("arc-eager")
    ('covington', 'arc-eager')
    """
    return _STRAIGHT.get(system, system)


def guiding_oracle(system: str) -> str:
    """The oracle to be led through a whole tree by: an exact one, a static one, or the bound closest to the loss."""
    names = oracles(system)
    return "dynamic" if is_exact(system) else "static" if "static" in names else "simulated"


def oracle_class(system: str, name: str) -> "type[Oracle]":
    """The compiled class of a system's oracle of that name."""
    names = oracles(system)
    known = _ORACLES[system] | _OF_TREES.get(system, {})
    if name not in known:
        raise ValueError(
            f"found oracle {name!r}, expected one of {', '.join(names)} for {system}{suggestion(name, names)}"
        )
    module, cls = known[name]
    found: type[Oracle] = getattr(import_module(f"rearc.oracles.{module}"), cls)
    return found
