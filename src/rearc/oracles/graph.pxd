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


cdef inline int monotonic_head(const Graph *g, const int *top, int d) noexcept nogil:
    """The gold head that a headless word can still get if no head is changed any more, or 0."""
    cdef int h = g.gold[d]
    return 0 if h <= 0 or is_passed(g.i, g.j, h, d) or top[h] == top[d] else h


cdef inline int monotonic_loss(const Graph *g, int *top, int *seen) noexcept nogil:
    """The loss if no head is changed any more: |U| + nc(A ∪ I) of monotonic Covington (2015, Theorem 1).

    A gold arc can then be built only to a headless word, and only between two components. top and seen are scratch memory.
    """
    cdef int d, w, h, loss = 0
    for d in range(1, g.n + 1):
        top[d] = seen[d] = 0
    for d in range(1, g.n + 1):             # the headless word above each word: the name of its component
        h = d
        while top[h] == 0 and g.head[h] != NONE:
            h = g.head[h]
        if top[h] == 0:
            top[h] = h
        h = top[h]
        w = d
        while top[w] == 0:
            top[w] = h
            w = g.head[w]
    for d in range(1, g.n + 1):
        if g.gold[d] == ANY:
            continue
        if g.head[d] != NONE:
            loss += g.head[d] != g.gold[d]
        else:
            loss += g.gold[d] != 0 and monotonic_head(g, top, d) == 0
    for d in range(1, g.n + 1):             # cycles
        w = d
        while w != 0 and seen[w] == 0:
            seen[w] = d
            w = g.head[w] if g.head[w] != NONE else monotonic_head(g, top, w)
        loss += w != 0 and seen[w] == d
    return loss
