from rearc.oracles.base cimport Oracle
from rearc.oracles.room cimport Room
from rearc.systems.config cimport IN_BUFFER, NONE, ON_STACK, Config


cdef class StackOracle(Oracle):
    """A judge of a system with stack and buffer: the loss is the gold arcs that can no longer be built."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil    # d's gold arc can still be built


# In arc-swift, and in arc-eager with one root, a headless word w on the stack, unless it is the lowest item,
# must find its head in the buffer, and for that all words above it must be gone. So when the last word n
# hangs, by arcs that are reachable, on w or on a headed stack word that w holds up, no head is left for w:
# one arc more is lost. The words n, g(n), g(g(n)) … of the buffer, as far as their arcs are reachable, are
# the spine.

cdef struct Spine:
    int foot                        # the stack word that the spine stands on, else NONE
    bint through_b                  # b is on the spine
    bint stranded                   # a headless word that is not the lowest item holds up the foot


cdef Spine spine_of(StackOracle o, const Config *c) noexcept nogil
cdef int stranding(const Config *c, const Spine *spine, int kind, int s) noexcept nogil  # its share of a cost


cdef struct Order:                  # the projective order of a gold tree
    int *proj                       # PROJ(w)
    int *more                       # as much room again for what is made of it
    Room room


cdef int order_fill(Order *order, const int *gold, int n) noexcept nogil        # −1 if memory is out
cdef void order_free(Order *order) noexcept nogil

cdef int first_least(const int *costs, int count) noexcept nogil                # the place of the least cost


cdef inline bint is_complete(Oracle o, const Config *c, int h) noexcept nogil:
    """All gold dependents of h are headed. The rightmost is asked first: it is the last to get its head."""
    cdef int k
    for k in range(o.first[h + 1] - 1, o.first[h] - 1, -1):
        if c.head[o.dependents[k]] == NONE:
            return False
    return True


cdef inline int deps_in_buffer(Oracle o, const Config *c, int h) noexcept nogil:
    cdef int k, count = 0
    for k in range(o.first[h], o.first[h + 1]):
        count += c.place[o.dependents[k]] == IN_BUFFER
    return count


cdef inline int deps_on_stack(Oracle o, const Config *c, int h) noexcept nogil:
    cdef int k, count = 0
    for k in range(o.first[h], o.first[h + 1]):
        count += c.place[o.dependents[k]] == ON_STACK
    return count


cdef inline int headless_deps_on_stack(Oracle o, const Config *c, int h) noexcept nogil:
    cdef int k, d, count = 0
    for k in range(o.first[h], o.first[h + 1]):
        d = o.dependents[k]
        count += c.place[d] == ON_STACK and c.head[d] == NONE
    return count


cdef inline bint head_is(Oracle o, const Config *c, int d, int place) noexcept nogil:
    """d's gold head is known and stands there."""
    return o.gold[d] != NONE and c.place[o.gold[d]] == place


cdef inline int word_below(const Config *c, int d) noexcept nogil:
    """The word right below d on the stack."""
    cdef int k
    for k in range(c.depth - 1, 0, -1):
        if c.stack[k] == d:
            return c.stack[k - 1]
    return NONE
