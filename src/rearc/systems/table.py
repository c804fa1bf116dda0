"""The transition systems and their traits: all that others need to know of a system stands in its row here."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from rearc.errors import suggestion

if TYPE_CHECKING:
    from rearc.systems.base import System


@dataclass(frozen=True)
class Traits:
    """What sets one transition system apart from another.

    >>> traits("nl-covington").pairs, traits("arc-eager-tree").one_root
    (True, True)
    """

    module: str  # its file in rearc.systems
    cls: str  # its class there
    family: str  # the systems of a family share their configurations
    projective: bool  # it derives projective trees alone
    monotonic: bool = True  # a head, once given, stays
    one_root: bool = False  # it always ends with one root, whatever single_root says
    pairs: bool = False  # every arc joins the front of the buffer with a word before it
    no_arc: bool = False  # a pair of words without an arc is passed by a transition of its own
    limited: bool = False  # it derives non-projective trees, but not all of them
    from_top: bool = False  # the k of left-arc:k and right-arc:k counts from the top of the stack, which the arc joins

    @property
    def derives_all(self) -> bool:
        """Whether there is a derivation for every tree."""
        return not (self.projective or self.limited)

    @property
    def repairs(self) -> bool:
        """Whether every arc may be built, also in place of others."""
        return self.pairs and not self.monotonic


_SYSTEMS: dict[str, Traits] = {
    "covington": Traits("covington", "Covington", "covington", False, pairs=True, no_arc=True),
    "covington-nonmonotonic": Traits(
        "covington_nonmonotonic", "NonMonotonicCovington", "covington", False, monotonic=False, pairs=True, no_arc=True
    ),
    "nl-covington": Traits("nl_covington", "NLCovington", "covington", False, pairs=True),
    "nl-covington-nonmonotonic": Traits(
        "nl_covington_nonmonotonic", "NonMonotonicNLCovington", "covington", False, monotonic=False, pairs=True
    ),
    "arc-standard": Traits("arc_standard", "ArcStandard", "arc-standard", True),
    "arc-standard-swap": Traits("arc_standard_swap", "ArcStandardSwap", "arc-standard", False),
    "arc-hybrid": Traits("arc_hybrid", "ArcHybrid", "arc-hybrid", True),
    "arc-hybrid-swap": Traits("arc_hybrid_swap", "ArcHybridSwap", "arc-hybrid", False),
    "arc-eager": Traits("arc_eager", "ArcEager", "arc-eager", True),
    "arc-eager-tree": Traits("arc_eager_tree", "ArcEagerTree", "arc-eager", True, one_root=True),
    "arc-eager-nonmonotonic": Traits(
        "arc_eager_nonmonotonic", "NonMonotonicArcEager", "arc-eager", True, monotonic=False
    ),
    "arc-eager-unshift": Traits(
        "arc_eager_unshift", "ArcEagerUnshift", "arc-eager", True, monotonic=False, one_root=True
    ),
    "arc-swift": Traits("arc_swift", "ArcSwift", "arc-swift", True, pairs=True),
    "attardi": Traits("attardi", "Attardi", "attardi", False, limited=True, from_top=True),
}


def systems() -> list[str]:
    """The names of all transition systems.

    >>> "arc-hybrid" in systems()
    True
    """
    return list(_SYSTEMS)


def traits(name: str) -> Traits:
    """What is known of the system of that name.

    >>> traits("covington").projective
    False
    """
    if name not in _SYSTEMS:
        raise ValueError(f"found system {name!r}, expected one of {', '.join(_SYSTEMS)}{suggestion(name, _SYSTEMS)}")
    return _SYSTEMS[name]


def system_class(name: str) -> "type[System]":
    """The compiled class of the system of that name."""
    row = traits(name)
    cls: type[System] = getattr(import_module(f"rearc.systems.{row.module}"), row.cls)
    return cls
