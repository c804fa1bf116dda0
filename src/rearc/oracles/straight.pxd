from rearc.oracles.base cimport Oracle
from rearc.oracles.graph cimport Graph
from rearc.oracles.room cimport Room
from rearc.systems.config cimport Config


cdef struct Moved:                  # the subtree that a transition moves
    int root                        # its highest word afterwards; NONE if nothing moves
    int top                         # the headless word above it afterwards


cdef class Straight:
    """What the transitions of a configuration lose if nothing is repaired. Has scratch memory of its own."""
    cdef Room room
    cdef int *seen                  # the number of the last climb that met a word
    cdef int climbs
    # noted by `look`
    cdef int *top                   # the headless word above each word in A: the name of its component
    cdef bint is_cyclic             # A ∪ I has a cycle

    cdef int reserve(self, int n) noexcept nogil                        # −1 if memory is out
    cdef void look(self, const Graph *g) noexcept nogil                 # at the configuration whose transitions are judged
    # How much more is lost than in c, the configuration that was looked at, and how many cycles there are, when a transition builds
    # h→d (0, 0 for none) and passes the words w…i. g is what it makes of c, with the gold tree of o.
    cdef int loss_after(self, Oracle o, const Config *c, const Graph *g, int h, int d, int w) noexcept nogil

    cdef void name_component(self, const Graph *g, int d) noexcept nogil
    cdef int up(self, const Graph *g, const Moved *moved, int d) noexcept nogil
    cdef bint meets_itself(self, const Graph *g, const Moved *moved, int d, int earlier) noexcept nogil
    cdef int lost_more(self, const Config *c, const Graph *g, const Moved *moved, int d) noexcept nogil
