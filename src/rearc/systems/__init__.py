"""One file per transition system: configurations, transitions, when each is legal.

>>> from rearc.systems import system
>>> hybrid = system("arc-hybrid")
>>> state = hybrid.start(2)
>>> hybrid.legal(state)
['shift']
"""

from rearc.systems.base import IllegalTransition, State, System
from rearc.systems.table import Traits, system_class, systems, traits

__all__ = ["IllegalTransition", "State", "System", "Traits", "system", "systems", "traits"]


def system(name: str, *, single_root: bool = False) -> System:
    """The transition system of that name; with single_root exactly one root comes out, whatever is chosen.

    >>> system("covington", single_root=True)
    system('covington', single_root=True)
    """
    return system_class(name)(name, single_root)
