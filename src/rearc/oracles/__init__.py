"""One file per system family: what each transition costs against a gold tree.

>>> from rearc.oracles import oracle
>>> judge = oracle("arc-hybrid", "dynamic", [0, 2, 0])
>>> judge.derivation()
['shift', 'left-arc', 'shift', 'left-arc']
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.oracles.base import Oracle
from rearc.oracles.exact import Search
from rearc.oracles.table import oracle_class, oracles, search_class, takes_partial
from rearc.systems import State, System, traits
from rearc.systems import system as make_system

Heads = Sequence[int | None] | NDArray[np.intc]

__all__ = ["Oracle", "exact_loss", "oracle", "oracles"]


def oracle(
    system: str,
    name: str,
    gold_heads: Heads,
    *,
    gold_labels: Sequence[str | None] | None = None,
    single_root: bool = False,
) -> Oracle:
    """The oracle of that name, bound to one gold tree [0, g(1), …, g(n)].

    gold_labels is [None, l(1), …, l(n)]: with it, an arc with the right head and a wrong label costs 1; a label that is
    None does not count. A head that is None is not known: it costs nothing, whatever it becomes (docs/constraints.md).

    >>> oracle("covington", "static", [0, 2, 0]).derivation()
    ['shift', 'left-arc', 'shift']
    >>> judge = oracle("arc-hybrid", "dynamic", [0, 2, None, 2])
    >>> judge.costs(judge.start())
    {'shift': 0}
    """
    return oracle_class(system, name)(make_system(system, single_root=single_root), name, gold_heads, gold_labels)


def searcher(system: System, gold_heads: Heads, gold_labels: Sequence[str | None] | None = None) -> Search:
    """A search for exact losses against one gold tree, with the system's bounds where it has them."""
    names = oracles(system.name)

    def judge(name: str) -> Oracle:
        return oracle_class(system.name, name)(system, name, gold_heads, gold_labels)

    if traits(system.name).limited:  # the dynamic oracle of such a system searches by itself
        exact = judge("dynamic")
        return Search(system, exact, exact, exact)
    if "lower" not in names:
        partial = [name for name in names if takes_partial(system.name, name)]
        return search_class(system.name)(system, judge((partial or names)[0]))
    # with one root required, the arcs that the upper bounds count on may be forbidden
    upper = None if system.single_root else judge("simulated")
    return Search(system, judge("lower"), judge("lower"), upper)


def exact_loss(system: str, state: State, gold_heads: Heads, *, gold_labels: Sequence[str | None] | None = None) -> int:
    """The true loss of a state, by search with pruning: the fewest wrong heads it can still end with.

    >>> exact_loss("arc-hybrid", make_system("arc-hybrid").start(2), [0, 2, 0])
    0
    """
    if state.system.name != system:
        raise ValueError(f"found a state of {state.system.name}, expected one of {system}")
    return searcher(state.system, gold_heads, gold_labels).loss(state)
