"""Lifting by its definition: as long as there is one, the smallest non-projective arc moves to its head's head."""

from tests.naive.trees import non_projective_arcs


def lift(heads):
    """The projective heads, and the set of words that arcs were lifted past."""
    heads = list(heads)
    passed = set()
    while arcs := non_projective_arcs(heads):
        smallest = min(arcs, key=lambda d: (abs(d - heads[d]), min(d, heads[d])))
        passed.add(heads[smallest])
        heads[smallest] = heads[heads[smallest]]
    return heads, passed
