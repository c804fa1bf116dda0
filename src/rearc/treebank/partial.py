"""Trees that are known in part: what of them fits into a projective tree."""

from __future__ import annotations

from collections.abc import Mapping


def clash(heads: Mapping[int, int]) -> list[int] | None:
    """The dependents of one or two known arcs that no projective tree has.

    They are arcs that cross, or one that spans a word above its head.

    >>> clash({1: 3, 2: 4}), clash({1: 3, 3: 2}), clash({1: 2, 4: 2})
    ([2, 1], [1], None)
    """
    arcs = sorted(((min(d, h), max(d, h), d) for d, h in heads.items()), key=lambda arc: arc[1] - arc[0])
    for k, (a, b, d) in enumerate(arcs):
        for x, y, e in arcs[:k]:
            if a < x < b < y or x < a < y < b:
                return [d, e]
        w: int | None = heads[d]
        for _ in range(len(heads) + 1):  # known heads may form a cycle: others see to that
            if w is None:
                break
            if a < w < b:
                return [d]
            w = heads.get(w)
    return None


def without_clashes(heads: Mapping[int, int]) -> dict[int, int]:
    """Known heads that one projective tree can have: of arcs that clash the longest is left out, the root's last.

    >>> without_clashes({1: 3, 2: 0})
    {2: 0}
    """
    left = dict(heads)
    found = clash(left)
    while found is not None:
        del left[max(found, key=lambda d: (left[d] != 0, abs(left[d] - d)))]
        found = clash(left)
    return left
