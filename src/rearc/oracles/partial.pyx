"""Gold trees in which some heads are not known.

The known arcs must be part of a tree: no cycle, and with one root one known root at most. A projective system wants a projective tree.
The known arcs are part of one if no two of them cross, the root standing to the left of all words, and no arc h→d spans a word
that the known arcs put above h. (Then each word without a known head can hang on its nearest neighbour that spans it.)
"""

import numpy as np

from rearc.systems.base cimport System
from rearc.systems.config cimport NONE
from rearc.treebank.structure cimport check


cdef inline bint crosses(int a, int b, int c, int d) noexcept nogil:
    """The arcs between a and b and between c and d, a < b and c < d."""
    return a < c < b < d or c < a < d < b


cdef bint clash(const int *heads, int n, int *first, int *second) noexcept nogil:
    cdef int d, e, h, w, left, right
    for d in range(1, n + 1):
        h = heads[d]
        if h == NONE:
            continue
        left, right = min(h, d), max(h, d)
        if right - left < 2:
            continue
        first[0] = d
        for e in range(1, n + 1):
            if heads[e] != NONE and crosses(left, right, min(heads[e], e), max(heads[e], e)):
                second[0] = e
                return True
        w = h
        while w > 0:
            if left < w < right:
                second[0] = 0
                return True
            w = heads[w]
    return False


cdef str arc(const int[::1] heads, int d):
    return f"{heads[d]} → {d}"


cdef const int[::1] known_heads(const int[::1] heads, list given, System system):
    cdef int n = <int>heads.shape[0] - 1, d, first = 0, second = 0
    check(heads, given)                         # an unknown head on the root closes no cycle
    known = np.array(heads)
    known[[d for d in range(1, n + 1) if given[d] is None]] = NONE
    cdef const int[::1] result = known
    roots = [d for d in range(1, n + 1) if result[d] == 0]
    if len(roots) > 1 and (system.single_root or system.traits.one_root):
        raise ValueError(f"found the known arcs {' and '.join(arc(result, d) for d in roots)}, expected one root at most")
    if system.traits.projective and clash(&result[0], n, &first, &second):
        if second:
            raise ValueError(f"found the known arcs {arc(result, first)} and {arc(result, second)}, which cross: "
                             f"{system.name} derives projective trees alone")
        raise ValueError(f"found the known arc {arc(result, first)}, which spans a word above {result[first]}: "
                         f"{system.name} derives projective trees alone")
    return result
