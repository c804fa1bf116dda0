"""The graph A ∪ I of a non-monotonic configuration, or of what a transition would make of it.

A word has two heads at most: one in A, and its gold head while that arc is unbuilt and in I. Two words are
linked by one arc at most, for I's unbuilt arcs link pairs that are still to come and A's arcs pairs that are
past.
"""

from rearc.systems.config cimport NONE

cdef enum:
    NEVER = -2                      # gold head of a word that got its gold arc with a wrong label
    ANY = -3                        # gold head of a word whose gold head is not known: no head of it is wrong


cdef struct Graph:
    int n
    int i
    int j
    int *head                       # A; NONE for a headless word
    int *gold                       # the gold tree, or NEVER, or ANY
    const int *order                # the words with a gold head, in Covington's order of their gold arcs
    int arcs                        # how many


cdef inline bint is_passed(int i, int j, int x, int y) noexcept nogil:
    """The pair x, y has been in focus or been skipped."""
    cdef int left = min(x, y), right = max(x, y)
    return j > right or (j == right and i < left)


cdef inline int unbuilt(const Graph *g, int d) noexcept nogil:
    """d's head by an unbuilt arc of I, or 0."""
    cdef int h = g.gold[d]
    return 0 if h <= 0 or h == g.head[d] or is_passed(g.i, g.j, h, d) else h


cdef inline int unbuilt_arcs(const Graph *g) noexcept nogil:
    """p, at which counting cycles may stop."""
    cdef int k, total = 0
    for k in range(g.arcs):
        total += unbuilt(g, g.order[k]) != 0
    return total


cdef inline int head_of(const Graph *g, int d, int which) noexcept nogil:
    """d's head in A (0) or by an unbuilt arc of I (1); 0 if there is none."""
    if which:
        return unbuilt(g, d)
    return g.head[d] if g.head[d] > 0 else 0


cdef inline bint is_wrong(const Graph *g, int d) noexcept nogil:
    return g.head[d] > 0 and g.head[d] != g.gold[d]


cdef inline bint has_ancestor(const Graph *g, int d, int h) noexcept nogil:
    """h →* d in A."""
    while d > 0 and d != h:
        d = g.head[d]
    return d == h
