"""Pairs of arcs that cross, found in one pass over the sentence."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset


cdef inline int low(const int* heads, int d) noexcept nogil:
    return min(d, heads[d])


cdef inline int high(const int* heads, int d) noexcept nogil:
    return max(d, heads[d])


cdef void sort_arcs(
    const int* heads, int n, bint root_arcs, int* starting, int* starting_next, int* ending, int* ending_next
) noexcept nogil:
    # Linked lists, 0 at the end: of the arcs that start at p, farthest end first; of those that end at p,
    # nearest start first. Each pass puts arcs in front of lists, in the order that the pass before gave.
    cdef int d, p
    for d in range(1, n + 1):
        if root_arcs or heads[d] != 0:
            p = low(heads, d)
            starting_next[d] = starting[p]
            starting[p] = d
    for p in range(n + 1):
        d = starting[p]
        while d:
            ending_next[d] = ending[high(heads, d)]
            ending[high(heads, d)] = d
            d = starting_next[d]
    memset(starting, 0, (n + 1) * sizeof(int))
    for p in range(n + 1):
        d = ending[p]
        while d:
            starting_next[d] = starting[low(heads, d)]
            starting[low(heads, d)] = d
            d = ending_next[d]


cdef int sweep(const int* heads, int n, bint root_arcs, Visit visit, void* context) except -1 nogil:
    cdef size_t size = n + 1
    cdef int* block = <int*> calloc(5 * size, sizeof(int))
    if block == NULL:
        with gil:
            raise MemoryError(f"no room for the arcs of {n} words")
    cdef int* starting = block
    cdef int* starting_next = block + size
    cdef int* ending = block + 2 * size
    cdef int* ending_next = block + 3 * size
    cdef int* opened = block + 4 * size  # the arcs started and not yet ended, in the order of their start
    cdef int p, d, k, top = 0
    cdef bint stopped = False
    sort_arcs(heads, n, root_arcs, starting, starting_next, ending, ending_next)
    for p in range(n + 1):
        d = ending[p]
        while d:
            k = top - 1
            while opened[k] != d:  # what started after d and has not ended crosses it
                stopped = visit(context, d, opened[k])
                if stopped:
                    free(block)
                    return True
                k -= 1
            top -= 1
            while k < top:
                opened[k] = opened[k + 1]
                k += 1
            d = ending_next[d]
        d = starting[p]
        while d:
            opened[top] = d
            top += 1
            d = starting_next[d]
    free(block)
    return False


cdef bint stop(void* context, int arc, int other) noexcept nogil:
    return True


cdef bint heads_apart(void* subtrees, int arc, int other) noexcept nogil:
    cdef Subtrees* tree = <Subtrees*> subtrees
    cdef int g = tree.heads[arc]
    cdef int h = tree.heads[other]
    return tree.last[g] < tree.pre[h] or tree.last[h] < tree.pre[g]


cdef bint collect(void* pairs, int arc, int other) noexcept nogil:
    cdef Pairs* found = <Pairs*> pairs
    cdef int* ends
    if found.count == found.capacity:
        found.capacity = 2 * found.capacity + 16
        ends = <int*> realloc(found.ends, 2 * found.capacity * sizeof(int))
        if ends == NULL:
            found.failed = True
            return True
        found.ends = ends
    found.ends[2 * found.count] = min(arc, other)
    found.ends[2 * found.count + 1] = max(arc, other)
    found.count += 1
    return False


cdef inline void add(int* sums, int size, int at) noexcept nogil:
    at += 1
    while at <= size:
        sums[at] += 1
        at += at & -at


cdef inline int sum_to(const int* sums, int at) noexcept nogil:
    cdef int total = 0
    at += 1
    while at > 0:
        total += sums[at]
        at -= at & -at
    return total


cdef int count_crossings(const int* heads, int n, bint root_arcs, int* count) except -1 nogil:
    # An arc a–b is crossed by the arcs that start strictly inside it, less those of them that end by b; and
    # by the arcs that end strictly inside it, less those of them that start at a or later. sums (Fenwick's
    # tree) holds the starts of the arcs that have ended.
    cdef size_t size = n + 2
    cdef int* block = <int*> calloc(7 * size, sizeof(int))
    if block == NULL:
        with gil:
            raise MemoryError(f"no room for the arcs of {n} words")
    cdef int* starting = block
    cdef int* starting_next = block + size
    cdef int* ending = block + 2 * size
    cdef int* ending_next = block + 3 * size
    cdef int* starts = block + 4 * size  # arcs that start at p or before
    cdef int* ends = block + 5 * size  # arcs that end at p or before
    cdef int* sums = block + 6 * size
    cdef int d, a, b, ended = 0
    sort_arcs(heads, n, root_arcs, starting, starting_next, ending, ending_next)
    for d in range(n + 1):
        count[d] = 0
    for d in range(1, n + 1):
        if root_arcs or heads[d] != 0:
            starts[low(heads, d)] += 1
            ends[high(heads, d)] += 1
    for b in range(1, n + 1):
        starts[b] += starts[b - 1]
        ends[b] += ends[b - 1]
    for b in range(1, n + 1):
        d = ending[b]
        while d:
            a = low(heads, d)
            count[d] = ends[b - 1] - ends[a] - (ended - (sum_to(sums, a - 1)))
            d = ending_next[d]
        d = ending[b]
        while d:
            add(sums, n + 1, low(heads, d))
            ended += 1
            d = ending_next[d]
        d = ending[b]
        while d:
            a = low(heads, d)
            count[d] += starts[b - 1] - starts[a] - (ended - sum_to(sums, a))
            d = ending_next[d]
    free(block)
    return 0
