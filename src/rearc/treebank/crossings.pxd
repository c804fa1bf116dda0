# Arcs that cross when they are drawn above the sentence: a < b < c < d with one arc between a and c, the
# other between b and d. An arc is named by its dependent. Arcs of the artificial root, which stands left of
# the words, count only if asked for.

ctypedef bint (*Visit)(void* context, int arc, int other) noexcept nogil  # returns whether to stop

cdef int sweep(const int* heads, int n, bint root_arcs, Visit visit, void* context) except -1 nogil
# Calls visit once for each pair of arcs that cross; returns whether it was stopped. O(n + pairs visited).

cdef int count_crossings(const int* heads, int n, bint root_arcs, int* count) except -1 nogil
# count[d] = the number of arcs that cross the arc of d. O(n log n), however many they are.

cdef bint stop(void* context, int arc, int other) noexcept nogil
# The visit that stops at the first pair.

cdef struct Subtrees:
    const int* heads
    const int* pre
    const int* last

cdef bint heads_apart(void* subtrees, int arc, int other) noexcept nogil
# The visit that stops at a pair where neither head is above the other.

cdef struct Pairs:
    int* ends
    size_t count
    size_t capacity
    bint failed

cdef bint collect(void* pairs, int arc, int other) noexcept nogil
# The visit that notes each pair, the left dependent first; it stops, with failed set, when there is no room.
