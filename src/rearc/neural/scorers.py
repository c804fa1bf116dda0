"""Which scorer a system has, and what a scorer of pairs keeps for it."""

from rearc.systems import traits

# Pairs by what is done with them; an arc that takes away a head is a repair.
TABLES = ("arc", "no_arc", "repair")
# Words by whether they have a head when they are shifted.
SHIFTS = ("shift", "settled")


def is_pair_system(name: str) -> bool:
    """Whether every arc joins the front of the buffer with a word before it, so that tables of pairs say it all."""
    return traits(name).pairs


def classes_of(name: str) -> int:
    """How many classes of transitions a stack scorer scores: shift, left-arc, right-arc, and reduce, unshift or swap.

    Where arcs reach the second word below the top of the stack, those that do are classes of their own.
    """
    return 5 if traits(name).from_top else 4


def tables_of(name: str) -> tuple[str, ...]:
    """The tables of a pair system. What changes nothing that was decided is scored by its words alone; a
    non-monotonic system has to know repairs, so they have a table of their own."""
    has = (True, traits(name).no_arc, not traits(name).monotonic)
    return tuple(table for table, there in zip(TABLES, has, strict=True) if there)


def shifts_of(name: str) -> tuple[str, ...]:
    """The vectors by which a pair system scores shift."""
    return SHIFTS[:1] if traits(name).monotonic else SHIFTS


def starts_of(names: tuple[str, ...], present: tuple[str, ...]) -> list[int]:
    """Of each name its number among those present; what has none of its own shares the first."""
    return [present.index(name) if name in present else 0 for name in names]
