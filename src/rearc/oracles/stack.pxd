from rearc.oracles.base cimport Oracle
from rearc.systems.config cimport IN_BUFFER, NONE, ON_STACK, Config, Transition


cdef class StackOracle(Oracle):
    """A judge of a system with stack and buffer: what is lost is the gold arcs that can no longer be built."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil    # the gold arc to d is not built and still can be
    cdef Transition rule(self, const Config *c) noexcept nogil          # what a static oracle wants


# Where every word must be attached before the buffer ends (arc-swift, arc-eager with one root), a headless word w on the stack, unless
# it is the lowest item, has to find its head in the buffer. So it cannot keep the last word n above or below it: when n hangs, by
# arcs that are reachable, on a stack word that w holds up, one more arc is lost. The words n, g(n), g(g(n)) … in the buffer, as far
# as their arcs are reachable, are the spine.

cdef struct Spine:
    int foot                        # the stack word that the spine stands on, else NONE
    bint through_b                  # b is on the spine
    bint stranded                   # a headless word that is not the lowest item holds up the foot


cdef Spine spine_of(StackOracle o, const Config *c) noexcept nogil
cdef int stranding(const Config *c, const Spine *spine, int kind, int s) noexcept nogil     # what that adds to a transition's cost


cdef struct Order:                  # the projective order of a gold tree, and as much room again for what is made of it
    int *proj                       # PROJ(w)
    int *more
    int capacity


cdef int order_fill(Order *order, const int *gold, int n) noexcept nogil        # −1 if memory is out
cdef void order_free(Order *order) noexcept nogil

# A static oracle's costs: 0 for its transition, 1 for the other legal ones.
cdef void single_out(Transition wanted, const Transition *ts, int count, int *costs) noexcept nogil
cdef int first_least(const int *costs, int count) noexcept nogil


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


cdef inline int word_below(const Config *c, int d) noexcept nogil:
    """The word right below d on the stack."""
    cdef int k
    for k in range(c.depth - 1, 0, -1):
        if c.stack[k] == d:
            return c.stack[k - 1]
    return NONE
