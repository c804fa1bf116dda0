"""Lifting: how pseudo-projective parsing makes a tree projective (Nivre & Nilsson 2005, section 2)."""

from libc.stdlib cimport free, malloc

import numpy as np

from rearc.treebank.structure cimport Tree, as_heads, grow, number_subtrees, reach, uproot


def lift(heads):
    """The projective tree that lifting gives, and for each word whether an arc was lifted past it.

    As long as an arc h → d is non-projective, the smallest one (of the shortest, the leftmost) is replaced by head(h) → d.
    It ends, at worst when d hangs on the artificial root. O(n), and for each lift O(log n + the words below d + the
    dependents of h).

    >>> projective, passed = lift([0, 2, 0, 2, 1])
    >>> projective.tolist(), passed.tolist()
    ([0, 2, 0, 2, 2], [False, True, False, False, False])
    """
    cdef const int[::1] view = as_heads(heads)
    cdef int n = <int> view.shape[0] - 1
    cdef Tree tree
    projective = np.array(view)
    passed = np.zeros(n + 1, dtype=np.bool_)
    cdef int[::1] lifted = projective
    cdef unsigned char[::1] flags = passed.view(np.uint8)
    grow(&tree, view, 8, heads)
    try:
        with nogil:
            lift_all(&tree, &lifted[0], &flags[0])
    finally:
        uproot(&tree)
    return projective, passed


# Lifting d from h takes the words below d out of the subtree of h, and leaves every other subtree as it is. So what was
# non-projective stays so until it is lifted itself, and only arcs from h, and the new arc of d, can become so.

cdef struct Lifting:
    int n
    int* heads
    int* left      # as reach gives them, kept up to date
    int* right
    int* first     # the dependents of h as a list in both directions, in no order: first[h], next[first[h]], … 0
    int* next
    int* previous
    int* waiting   # whether the arc of d is in the heap
    long long* heap  # the non-projective arcs by length and left end
    int size


cdef int lift_all(const Tree* tree, int* heads, unsigned char* passed) except -1 nogil:
    cdef size_t room = tree.n + 2
    cdef Lifting state
    cdef int d, h
    state.n = tree.n
    state.heads = heads
    state.left = tree.room
    state.right = tree.room + room
    state.first = tree.room + 2 * room
    state.next = tree.room + 3 * room
    state.previous = tree.room + 4 * room
    state.waiting = tree.room + 5 * room
    state.size = 0
    state.heap = <long long*> malloc(room * sizeof(long long))
    if state.heap == NULL:
        with gil:
            raise MemoryError(f"no room for lifting in {tree.n} words")
    number_subtrees(tree, tree.room + 6 * room, tree.room + 7 * room)
    reach(tree, tree.room + 6 * room, tree.room + 7 * room, state.left, state.right)
    for d in range(1, tree.n + 1):
        attach(&state, d)
        wait_if_non_projective(&state, d)
    while state.size:
        d = take_smallest(&state)
        h = heads[d]
        passed[h] = True
        detach(&state, d)
        heads[d] = heads[h]
        attach(&state, d)
        shorten_reach(&state, h, d)
        wait_if_non_projective(&state, d)
        d = state.first[h]
        while d:
            wait_if_non_projective(&state, d)
            d = state.next[d]
    free(state.heap)
    return 0


cdef inline void attach(Lifting* state, int d) noexcept nogil:
    cdef int h = state.heads[d]
    state.next[d] = state.first[h]
    state.previous[d] = 0
    state.previous[state.first[h]] = d  # of 0 too: nobody asks for it
    state.first[h] = d


cdef inline void detach(Lifting* state, int d) noexcept nogil:
    if state.previous[d]:
        state.next[state.previous[d]] = state.next[d]
    else:
        state.first[state.heads[d]] = state.next[d]
    state.previous[state.next[d]] = state.previous[d]


cdef void shorten_reach(Lifting* state, int h, int d) noexcept nogil:
    """What h reaches now ends before the words of the subtree of d."""
    cdef int w = d
    while True:
        if h < w and w <= state.right[h]:
            state.right[h] = w - 1
        elif w < h and state.left[h] <= w:
            state.left[h] = w + 1
        if state.first[w]:
            w = state.first[w]
            continue
        while w != d and state.next[w] == 0:
            w = state.heads[w]
        if w == d:
            return
        w = state.next[w]


cdef void wait_if_non_projective(Lifting* state, int d) noexcept nogil:
    cdef int h = state.heads[d]
    cdef int k = state.size, above
    cdef long long key
    if state.waiting[d] or (state.left[h] <= d and d <= state.right[h]):
        return
    state.waiting[d] = True
    key = <long long> (max(d, h) - min(d, h)) * (state.n + 1) + min(d, h)
    state.size += 1
    while k > 0:
        above = (k - 1) // 2
        if state.heap[above] <= key:
            break
        state.heap[k] = state.heap[above]
        k = above
    state.heap[k] = key


cdef int take_smallest(Lifting* state) noexcept nogil:
    cdef long long key = state.heap[0], moved
    cdef int start = <int> (key % (state.n + 1))
    cdef int end = start + <int> (key // (state.n + 1))
    cdef int d = end if state.heads[end] == start else start
    cdef int k = 0, below = 1
    state.waiting[d] = False
    state.size -= 1
    moved = state.heap[state.size]
    while below < state.size:
        if below + 1 < state.size and state.heap[below + 1] < state.heap[below]:
            below += 1
        if moved <= state.heap[below]:
            break
        state.heap[k] = state.heap[below]
        k = below
        below = 2 * k + 1
    state.heap[k] = moved
    return d
