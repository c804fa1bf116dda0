"""Lifting: how pseudo-projective parsing makes a tree projective (Nivre & Nilsson 2005, section 2)."""

import numpy as np

from rearc.treebank.structure cimport Tree, as_heads, check, number_subtrees, plant, reach, uproot


def lift(heads):
    """The projective tree that lifting gives, and for each word whether an arc was lifted past it.

    As long as an arc h → d is non-projective, the smallest one (of the shortest, the leftmost) is replaced by
    head(h) → d. Lifting ends, at worst when d hangs on the artificial root. O(n) for each lift.

    >>> projective, passed = lift([0, 2, 0, 2, 1])
    >>> projective.tolist(), passed.tolist()
    ([0, 2, 0, 2, 2], [False, True, False, False, False])
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    check(view, heads)
    projective = np.array(view)
    passed = np.zeros(n + 1, dtype=np.bool_)
    cdef int[::1] lifted = projective
    cdef unsigned char[::1] flags = passed.view(np.uint8)
    cdef int d
    with nogil:
        d = smallest_non_projective_arc(&lifted[0], n)
        while d:
            flags[lifted[d]] = True
            lifted[d] = lifted[lifted[d]]
            d = smallest_non_projective_arc(&lifted[0], n)
    return projective, passed


cdef int smallest_non_projective_arc(const int* heads, int n) except -1 nogil:
    cdef Tree tree
    plant(&tree, heads, n, 4)
    cdef int* pre = tree.room
    cdef int* last = tree.room + (n + 2)
    cdef int* left = tree.room + 2 * (n + 2)
    cdef int* right = tree.room + 3 * (n + 2)
    cdef int d, h, smallest = 0, length, start, best_length = n + 1, best_start = n + 1
    number_subtrees(&tree, pre, last)
    reach(&tree, pre, last, left, right)
    for d in range(1, n + 1):
        h = heads[d]
        if left[h] <= d and d <= right[h]:
            continue
        start = min(d, h)
        length = max(d, h) - start
        if length < best_length or (length == best_length and start < best_start):
            smallest, best_length, best_start = d, length, start
    uproot(&tree)
    return smallest
