from rearc.oracles.graph cimport Graph
from rearc.oracles.room cimport Room


cdef class Cycles:
    """Counts the cycles of A ∪ I. Has scratch memory of its own."""
    cdef Room room
    cdef int *index                 # Tarjan's numbers; 0 for a word not yet seen
    cdef int *low
    cdef int *part                  # the strongly connected part of a word, 0 for a word on no cycle
    cdef int *open_words            # Tarjan's stack
    cdef int *frames                # words being climbed from, and in `turn` which of their heads is next
    cdef int *waiting               # Johnson's B: the slots 2d, 2d+1 of the words to unblock with a head
    cdef int *next_slot
    cdef int *up                    # heads of w inside its part, in A and in I: up[2w], up[2w+1]
    cdef int *time                  # place of w's gold arc in Covington's order
    cdef int *to_free
    cdef unsigned char *turn
    cdef unsigned char *found
    cdef unsigned char *blocked
    cdef unsigned char *listed

    # Memory for n words; −1 if it is out.
    cdef int reserve(self, int n) noexcept nogil
    # Fill `part`; is there a cycle? If all cycles go through one word, it can be given, else 0.
    cdef bint find(self, const Graph *g, int word) noexcept nogil
    # After `find`: min(nc, p), or min(npc, p).
    cdef int count(self, const Graph *g, bint problematic) noexcept nogil

    cdef void number(self, const Graph *g, int w) noexcept nogil
    cdef void draw(self, const Graph *g) noexcept nogil
    cdef int inner(self, int d, int which, int y) noexcept nogil
    cdef int paths(self, const Graph *g, int start, int x, int y, int limit) noexcept nogil
    cdef int acyclic_paths(self, const Graph *g, int start, int x, int y, int limit) noexcept nogil
    cdef void unblock(self, int w) noexcept nogil
