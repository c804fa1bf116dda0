from rearc.oracles.graph cimport Graph
from rearc.oracles.room cimport Room


cdef class Kin:
    """Which words are above and below j in A ∪ I. Has scratch memory of its own."""
    cdef Room room
    cdef int *frames                # words being climbed from, and in `turn` which of their heads is next
    cdef int *trail
    cdef unsigned char *turn
    cdef unsigned char *above       # the word is above j
    cdef unsigned char *below       # what is known of j being above the word

    cdef int reserve(self, int n) noexcept nogil                        # −1 if memory is out
    cdef void climb_from_j(self, const Graph *g) noexcept nogil         # fills `above`, forgets `below`
    cdef bint is_below_j(self, const Graph *g, int w) noexcept nogil    # after climb_from_j
