"""Trees: predicates and measures over heads.

Every function takes the heads with the root's slot first, ``[0, h(1), …, h(n)]``, as a list or an integer
array: words are 1…n, 0 is the artificial root and stands to the left of the sentence. Heads that do not form
a tree raise ValueError (``is_tree`` tells). An arc is named by its dependent. n is the number of words in the
complexities.

>>> from rearc.treebank.trees import is_projective, non_projective_arcs
>>> is_projective([0, 2, 0, 2])
True
>>> non_projective_arcs([0, 2, 0, 2, 1])  # the arc 1 → 4 spans 2 and 3, and neither is below 1
[4]
"""

from libc.stdlib cimport abs, free

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.treebank.crossings cimport Pairs, Subtrees, collect, count_crossings, heads_apart, stop, sweep
from rearc.treebank.structure cimport Tree, as_heads, check, grow, number_subtrees, plant, reach, uproot

Heads = Sequence[int] | NDArray[np.integer]


def is_tree(heads):
    """Whether every head is one of 0…n and every word reaches the root 0. O(n).

    >>> is_tree([0, 2, 0, 2]), is_tree([0, 2, 1, 0]), is_tree([0, 7])
    (True, False, False)
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef int bad
    cdef Tree tree
    with nogil:
        bad = plant(&tree, &view[0], n, 0)
        uproot(&tree)
    return bad == 0


def roots(heads):
    """The words whose head is the artificial root. O(n). The heads need not form a tree."""
    cdef const int[::1] view = as_heads(heads)
    cdef int d
    return [d for d in range(1, view.shape[0]) if view[d] == 0]


# --- projectivity -------------------------------------------------------------------------------------------

def projective_arcs(heads):
    """For each word, whether its arc is projective: all words it spans are below its head. O(n).

    Slot 0 is True. An arc from the artificial root is always projective.
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef int d
    cdef Tree tree
    result = np.ones(n + 1, dtype=np.bool_)
    cdef unsigned char[::1] flags = result.view(np.uint8)
    grow(&tree, view, 4, heads)
    cdef int* pre = tree.room
    cdef int* last = tree.room + (n + 2)
    cdef int* left = tree.room + 2 * (n + 2)
    cdef int* right = tree.room + 3 * (n + 2)
    with nogil:
        number_subtrees(&tree, pre, last)
        reach(&tree, pre, last, left, right)
        for d in range(1, n + 1):
            flags[d] = left[view[d]] <= d and d <= right[view[d]]
        uproot(&tree)
    return result


def non_projective_arcs(heads):
    """The words whose arc is not projective, left to right. O(n).

    >>> non_projective_arcs([0, 2, 0, 2, 1])
    [4]
    """
    return np.flatnonzero(~projective_arcs(heads)).tolist()


def is_projective(heads):
    """Whether every arc is projective; equally, whether every subtree is a run of words. O(n)."""
    return bool(projective_arcs(heads).all())


def projective_order(heads):
    """PROJ: the place of each word in the order that makes the tree projective. O(n).

    The tree is walked inorder: the left dependents of a word, the word, its right dependents. PROJ(0) = 0 and
    the words get 1…n; in a projective tree PROJ(w) = w.

    >>> projective_order([0, 2, 0, 2, 1]).tolist()
    [0, 1, 3, 4, 2]
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    check(view, heads)
    result = np.empty(n + 1, dtype=np.int32)
    cdef int[::1] order = result
    with nogil:
        fill_projective_order(&view[0], n, &order[0])
    return result


def maximal_projective_components(heads):
    """For each word, the top of its maximal projective component (Nivre, Kuhlmann & Hall 2009). O(n).

    Components start as single words; two neighbours become one when the highest word of the one is the head
    of the highest word of the other, and the latter has all its dependents. What arc-standard builds without
    swap.

    >>> heads = [0, 2, 3, 0, 3, 2, 7, 5, 4, 3]  # A hearing is scheduled on the issue today .
    >>> maximal_projective_components(heads).tolist()
    [0, 2, 2, 3, 4, 5, 5, 5, 8, 9]
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    check(view, heads)
    result = np.empty(n + 1, dtype=np.int32)
    cdef int[::1] component = result
    with nogil:
        fill_maximal_projective_components(&view[0], n, &component[0])
    return result


# --- degrees of non-projectivity ----------------------------------------------------------------------------

def gap_degree(heads):
    """The largest number of gaps between the words of one subtree (Kuhlmann & Nivre 2006). O(n log n).

    >>> gap_degree([0, 2, 0, 2, 1]), gap_degree([0, 2, 0, 2])
    (1, 0)
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int degree
    cdef Tree tree
    grow(&tree, view, 5, heads)
    with nogil:
        degree = most_gaps(&tree)
        uproot(&tree)
    return degree


cdef int most_gaps(const Tree* tree) noexcept nogil:
    # Two neighbours are both in the subtrees of their lowest common ancestor and above, so the runs of a
    # subtree are its words less the pairs of neighbours that have their lowest common ancestor in it. Words
    # are finished in reverse preorder and hung on their heads in a union-find forest: its tops are the
    # ancestors still open (Tarjan 1979).
    cdef int n = tree.n
    cdef int* pre = tree.room
    cdef int* last = tree.room + (n + 2)
    cdef int* by_number = tree.room + 2 * (n + 2)
    cdef int* link = tree.room + 3 * (n + 2)
    cdef int* joined = tree.room + 4 * (n + 2)
    cdef int v, w, k, degree = 0
    number_subtrees(tree, pre, last)
    for v in range(n + 1):
        by_number[pre[v]] = v
        link[v] = v
    for k in range(n, 0, -1):
        v = by_number[k]
        for w in range(v - 1, v + 2, 2):
            if w <= n and pre[w] > k:
                joined[top_of(link, w)] += 1
        degree = max(degree, last[v] - k - joined[v])  # size - joined runs, one gap less
        joined[tree.heads[v]] += joined[v]
        link[v] = tree.heads[v]
    return degree


cdef inline int top_of(int* link, int v) noexcept nogil:
    while link[v] != v:
        link[v] = link[link[v]]
        v = link[v]
    return v


def edge_degree(heads):
    """The largest degree of an arc: how many pieces it spans that its head is not above (Nivre 2006).

    The words strictly between head and dependent, with the arcs among them, fall into connected pieces; those
    whose top is not below the head of the arc are counted. O(n + the total length of the non-projective
    arcs).

    >>> edge_degree([0, 2, 0, 2, 1]), edge_degree([0, 2, 0, 2])
    (1, 0)
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int degree
    cdef Tree tree
    grow(&tree, view, 4, heads)
    with nogil:
        degree = highest_edge_degree(&tree)
        uproot(&tree)
    return degree


cdef int highest_edge_degree(const Tree* tree) noexcept nogil:
    cdef int n = tree.n
    cdef int* pre = tree.room
    cdef int* last = tree.room + (n + 2)
    cdef int* left = tree.room + 2 * (n + 2)
    cdef int* right = tree.room + 3 * (n + 2)
    cdef const int* heads = tree.heads
    cdef int d, h, w, low, high, from_pre, to_pre, degree = 0, pieces
    number_subtrees(tree, pre, last)
    reach(tree, pre, last, left, right)
    for d in range(1, n + 1):
        h = heads[d]
        if left[h] <= d and d <= right[h]:
            continue
        low = min(h, d)
        high = max(h, d)
        from_pre = pre[h]
        to_pre = last[h]
        pieces = 0
        for w in range(low + 1, high):  # no branches: the compiler makes vectors of it
            pieces += ((heads[w] < low) | (heads[w] > high)) & ((pre[w] < from_pre) | (pre[w] > to_pre))
        degree = max(degree, pieces)
    return degree


# --- crossing arcs ------------------------------------------------------------------------------------------

def crossing_arcs(heads, root_arcs=False):
    """The pairs of arcs that cross, each as its two dependents, sorted. O(n + p log p) for p pairs.

    Arcs from the artificial root, which stands left of the words, count only with ``root_arcs=True``.

    >>> crossing_arcs([0, 0, 0, 1, 2]), crossing_arcs([0, 0, 0, 1, 2], root_arcs=True)
    ([(3, 4)], [(2, 3), (3, 4)])
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef bint with_root = root_arcs
    cdef Pairs pairs = Pairs(NULL, 0, 0, False)
    cdef size_t k
    check(view, heads)
    try:
        with nogil:
            sweep(&view[0], n, with_root, collect, &pairs)
        if pairs.failed:
            raise MemoryError(f"no room for more than {pairs.count} pairs: crossings_per_arc just counts")
        return sorted([(pairs.ends[2 * k], pairs.ends[2 * k + 1]) for k in range(pairs.count)])
    finally:
        free(pairs.ends)


def crossings_per_arc(heads, root_arcs=False):
    """For each word, how many arcs cross its arc; slot 0 is 0. O(n log n).

    Arcs from the artificial root, which stands left of the words, count only with ``root_arcs=True``; without
    it their own number is 0.

    >>> crossings_per_arc([0, 0, 0, 1, 2]).tolist()
    [0, 0, 0, 1, 1]
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef bint with_root = root_arcs
    check(view, heads)
    result = np.empty(n + 1, dtype=np.int32)
    cdef int[::1] count = result
    with nogil:
        count_crossings(&view[0], n, with_root, &count[0])
    return result


def is_planar(heads):
    """Whether no two arcs between words cross (Kuhlmann & Nivre 2006). O(n).

    Arcs from the artificial root do not count: were they counted, planar would be the same as projective.

    >>> is_planar([0, 2, 0, 1]), is_projective([0, 2, 0, 1])  # 1 → 3 covers the root word 2
    (True, False)
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef bint crossed
    check(view, heads)
    with nogil:
        crossed = sweep(&view[0], n, False, stop, NULL)
    return not crossed


def is_well_nested(heads):
    """Whether no two subtrees that share no word interleave as a … b … a … b (Kuhlmann & Nivre 2006).

    Two such subtrees interleave if and only if an arc of the one crosses an arc of the other. O(n + the
    crossing pairs looked at before the first of that kind); arcs from the artificial root have no part in it.

    >>> is_well_nested([0, 0, 0, 1, 2]), is_well_nested([0, 0, 1, 2, 1, 3, 2])
    (False, True)
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef bint interleaved
    cdef Tree tree
    cdef Subtrees subtrees
    grow(&tree, view, 2, heads)
    subtrees.heads = &view[0]
    subtrees.pre = tree.room
    subtrees.last = tree.room + n + 2
    try:
        with nogil:
            number_subtrees(&tree, tree.room, tree.room + n + 2)
            interleaved = sweep(&view[0], n, False, heads_apart, &subtrees)
    finally:
        uproot(&tree)
    return not interleaved


# --- distances ----------------------------------------------------------------------------------------------

def root_distances(heads):
    """For each word, how many arcs lead to it from the artificial root: 1 for a root word, 0 in slot 0. O(n).

    >>> root_distances([0, 2, 0, 2, 1]).tolist()
    [0, 2, 1, 2, 3]
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef int k, v
    cdef Tree tree
    result = np.zeros(n + 1, dtype=np.int32)
    cdef int[::1] distance = result
    grow(&tree, view, 0, heads)
    with nogil:
        for k in range(1, n + 1):
            v = tree.down[k]
            distance[v] = distance[view[v]] + 1
        uproot(&tree)
    return result


def depth(heads):
    """The largest distance of a word from the artificial root; 0 for no words. O(n)."""
    return int(root_distances(heads).max())


def arc_lengths(heads):
    """For each word, how many places away its head is; 0 if that is the artificial root, and in slot 0. O(n).

    >>> arc_lengths([0, 2, 0, 2, 1]).tolist()
    [0, 1, 0, 1, 3]
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int d
    check(view, heads)
    result = np.zeros(view.shape[0], dtype=np.int32)
    cdef int[::1] length = result
    for d in range(1, view.shape[0]):
        if view[d] != 0:
            length[d] = abs(d - view[d])
    return result
