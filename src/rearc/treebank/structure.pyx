"""The tree under the measures: dependents in order, subtrees numbered, all in C."""

from libc.stdlib cimport calloc, free

import numpy as np


cdef int plant(Tree* tree, const int* heads, int n, int rooms) except -1 nogil:
    cdef size_t size = n + 2
    cdef int* block = <int*> calloc((3 + rooms) * size, sizeof(int))
    cdef int d, h, k, i, planted = 1
    tree.block = NULL
    if block == NULL:
        with gil:
            raise MemoryError(f"no room for a tree of {n} words")
    tree.block = block
    tree.n = n
    tree.heads = heads
    tree.first = block
    tree.dependents = block + size
    tree.down = block + 2 * size
    tree.room = block + 3 * size
    for d in range(1, n + 1):
        if not 0 <= heads[d] <= n:
            return d
        tree.first[heads[d]] += 1
    for h in range(1, n + 2):
        tree.first[h] += tree.first[h - 1]
    for d in range(n, 0, -1):
        h = heads[d]
        tree.first[h] -= 1
        tree.dependents[tree.first[h]] = d
    k = 0
    while k < planted:
        h = tree.down[k]
        for i in range(tree.first[h], tree.first[h + 1]):
            tree.down[planted] = tree.dependents[i]
            planted += 1
        k += 1
    return 0 if planted == n + 1 else leftmost_missing(tree, planted)


cdef int leftmost_missing(const Tree* tree, int planted) noexcept nogil:
    cdef int* seen = tree.dependents  # no longer needed: there is no tree
    cdef int k, d
    for d in range(tree.n + 1):
        seen[d] = 0
    for k in range(planted):
        seen[tree.down[k]] = 1
    d = 1
    while seen[d]:
        d += 1
    return d


cdef void uproot(Tree* tree) noexcept nogil:
    free(tree.block)


cdef void measure_subtrees(const Tree* tree, int* size) noexcept nogil:
    cdef int k, v
    for v in range(tree.n + 1):
        size[v] = 1
    for k in range(tree.n, 0, -1):
        v = tree.down[k]
        size[tree.heads[v]] += size[v]


cdef void number_subtrees(const Tree* tree, int* pre, int* last) noexcept nogil:
    cdef int k, i, v, d, next_number
    measure_subtrees(tree, last)
    pre[0] = 0
    for k in range(tree.n + 1):
        v = tree.down[k]
        next_number = pre[v] + 1
        last[v] += pre[v] - 1
        for i in range(tree.first[v], tree.first[v + 1]):
            d = tree.dependents[i]
            pre[d] = next_number
            next_number += last[d]  # still the size of its subtree


cdef inline bint below(const int* pre, const int* last, int w, int h) noexcept nogil:
    return pre[h] <= pre[w] and pre[w] <= last[h]


cdef void reach(const Tree* tree, const int* pre, const int* last, int* left, int* right) noexcept nogil:
    # A run found for w lies whole in the run of the head that contains w, so it is jumped over, and only
    # once: linear.
    cdef int h, w
    for h in range(tree.n, -1, -1):
        w = h + 1
        while w <= tree.n and below(pre, last, w, h):
            w = right[w] + 1
        right[h] = w - 1
    left[0] = 0
    for h in range(1, tree.n + 1):
        w = h - 1
        while w > 0 and below(pre, last, w, h):
            w = left[w] - 1
        left[h] = w + 1


cdef int fill_projective_order(const int* heads, int n, int* order) except -1 nogil:
    cdef Tree tree
    cdef int k, i, v, d, place
    plant(&tree, heads, n, 2)
    cdef int* size = tree.room
    cdef int* start = tree.room + n + 2
    measure_subtrees(&tree, size)
    for k in range(n + 1):
        v = tree.down[k]
        place = start[v]
        for i in range(tree.first[v], tree.first[v + 1]):
            d = tree.dependents[i]
            if d > v:
                break
            start[d] = place
            place += size[d]
        order[v] = place
        place += 1
        for i in range(tree.first[v], tree.first[v + 1]):
            d = tree.dependents[i]
            if d > v:
                start[d] = place
                place += size[d]
    uproot(&tree)
    return 0


cdef int fill_maximal_projective_components(const int* heads, int n, int* component) except -1 nogil:
    # The arcs that arc-standard builds when it may not swap (Nivre, Kuhlmann & Hall 2009).
    cdef Tree tree
    cdef int v, k, top = 0
    plant(&tree, heads, n, 3)
    cdef int* stack = tree.room
    cdef int* missing = tree.room + n + 2
    cdef int* attached = tree.room + 2 * (n + 2)
    for v in range(n + 1):
        missing[v] = tree.first[v + 1] - tree.first[v]
    for v in range(n + 1):
        stack[top] = v
        top += 1
        while top >= 2:
            if heads[stack[top - 2]] == stack[top - 1] and missing[stack[top - 2]] == 0:
                attached[stack[top - 2]] = 1
                stack[top - 2] = stack[top - 1]
            elif heads[stack[top - 1]] == stack[top - 2] and missing[stack[top - 1]] == 0:
                attached[stack[top - 1]] = 1
            else:
                break
            top -= 1
            missing[stack[top - 1]] -= 1
    for k in range(n + 1):
        v = tree.down[k]
        component[v] = component[heads[v]] if attached[v] else v
    uproot(&tree)
    return 0


# --- from Python and back -----------------------------------------------------------------------------------

cdef const int[::1] as_heads(object heads):
    """The heads as C integers; a head that is none of 0…n becomes -1 where it would not fit.

    Always a copy: the caller's array may be changed by another thread while we work on it without the GIL.
    """
    if not isinstance(heads, np.ndarray):
        heads = listed(heads)
    array = np.array(heads)
    if array.ndim != 1 or array.shape[0] == 0:
        raise ValueError(f"heads of shape {array.shape}, expected one list [0, h(1), …, h(n)]")
    if array.dtype.kind not in "iu":
        raise TypeError(f"heads of type {array.dtype}, expected integers")
    if array[0] != 0:
        raise ValueError(f"heads[0] is {array[0]}, expected 0: the slot of the artificial root comes first")
    if array.dtype != np.int32:
        array = np.where((array < 0) | (array >= len(array)), -1, array).astype(np.int32)
    return np.ascontiguousarray(array)


cdef object listed(object heads):
    """A list of heads as an array. NumPy alone would take True for 1, and has no type for very large numbers."""
    heads = list(heads)
    for kind in set(map(type, heads)):
        if kind is not int and (kind is bool or not issubclass(kind, (int, np.integer))):
            raise TypeError(f"heads of type {kind.__name__}, expected integers")
    return np.array([int(head) if -1 <= head <= len(heads) else -1 for head in heads], dtype=np.int64)


cdef int grow(Tree* tree, const int[::1] heads, int rooms, object given) except -1:
    """plant, or say why there is no tree."""
    cdef int n = <int> heads.shape[0] - 1
    cdef int bad
    with nogil:
        bad = plant(tree, &heads[0], n, rooms)
    if bad == 0:
        return 0
    uproot(tree)
    if not 0 <= heads[bad] <= n:
        raise ValueError(f"no tree: word {bad} has head {given[bad]}, expected 0…{n}")  # as given: heads may hold -1 for it
    path = cycle(heads, bad)
    raise ValueError(f"no tree: word {bad} does not reach the root 0, its heads run in a cycle: {path}")


cdef int check(const int[::1] heads, object given) except -1:
    cdef Tree tree
    grow(&tree, heads, 0, given)
    uproot(&tree)
    return 0


cdef int check_all(const int[::1] heads, const int[::1] sizes) except -1:
    cdef Py_ssize_t k, at = 0
    cdef int bad
    cdef Tree tree
    for k in range(sizes.shape[0]):
        if not 0 < sizes[k] < heads.shape[0] - at:
            raise ValueError(f"found {heads.shape[0]} heads, expected a root slot and {sizes[k]} heads for tree {k}, from {at} on")
        bad = plant(&tree, &heads[at], sizes[k], 0)
        uproot(&tree)
        if bad:
            raise ValueError(f"found the head {heads[at + bad]} of word {bad} in tree {k}, expected a tree of {sizes[k]} words")
        at += sizes[k] + 1
    if at != heads.shape[0]:
        raise ValueError(f"found {heads.shape[0]} heads, expected {at}")
    return 0


cdef str cycle(const int[::1] heads, int word):
    cdef int steps, start
    for steps in range(<int> heads.shape[0]):
        word = heads[word]
    start = word
    path = [str(start)]
    word = heads[start]
    while word != start:
        path.append(str(word))
        word = heads[word]
    shown = path if len(path) <= 10 else [*path[:8], "…"]
    return " ← ".join([*shown, str(start)])
