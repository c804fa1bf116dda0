"""Which scorer a system has, and what a scorer of pairs keeps for it."""

# Pairs by what is done with them; an arc that takes away a head is a repair.
TABLES = ("arc", "no_arc", "repair")
# Words by whether they have a head when they are shifted.
SHIFTS = ("shift", "settled")


def is_pair_system(name: str) -> bool:
    """Whether every arc joins the front of the buffer with a word before it, so that tables of pairs say it all."""
    return "covington" in name or name == "arc-swift"


def tables_of(name: str) -> tuple[str, ...]:
    """The tables of a pair system. What changes nothing that was decided is scored by its words alone; a
    non-monotonic system has to know repairs, so they have a table of their own."""
    no_arc = name.startswith("covington")  # the others pass pairs in silence
    return tuple(table for table, has in zip(TABLES, (True, no_arc, _repairs(name)), strict=True) if has)


def shifts_of(name: str) -> tuple[str, ...]:
    """The vectors by which a pair system scores shift."""
    return SHIFTS if _repairs(name) else SHIFTS[:1]


def _repairs(name: str) -> bool:
    return name.endswith("nonmonotonic")


def starts_of(names: tuple[str, ...], present: tuple[str, ...]) -> list[int]:
    """Of each name its number among those present; what has none of its own shares the first."""
    return [present.index(name) if name in present else 0 for name in names]
