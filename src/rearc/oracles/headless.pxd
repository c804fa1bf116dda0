"""Can a word become headless again? It decides the fate of gold roots in the lower bound.

Only breaking a cycle takes a head away, and only pairs still to come can close one. A closed form, found and
checked by exhaustive search.
"""

from rearc.oracles.graph cimport Graph
from rearc.systems.config cimport NONE


cdef inline bint j_can_become_headless(const Graph *g) noexcept nogil:
    """Of y = j, headed, with at most one word after it."""
    cdef int w, a, i = g.i
    cdef bint left_of_w
    a = g.head[g.j]
    while a > 0:
        if a <= i:
            return True
        a = g.head[a]
    # some w ≤ i has an ancestor a < w; and w is not below j, or some x with w < x ≤ i is between a and j
    for w in range(1, i + 1):
        left_of_w = False
        a = g.head[w]
        while a > 0 and a != g.j:
            if left_of_w and w < a <= i:
                return True
            left_of_w |= a < w
            a = g.head[a]
        if left_of_w and a != g.j:
            return True
    return False


cdef inline bint can_become_headless(const Graph *g, int y) noexcept nogil:
    cdef int a, after = g.n - g.j, i = g.i
    if g.head[y] == NONE:
        return True
    if after < 0:
        return False                        # terminal
    if after >= 2:
        return True
    if y == g.j:
        return j_can_become_headless(g)
    if y <= i and after == 1:
        return True
    if y > i and after == 0:
        return False
    a = g.head[y]
    while a > 0:
        if after == 1 and (a > y or a <= i):
            return True
        if after == 0 and (a == g.j or y < a <= i):
            return True
        a = g.head[a]
    return False
