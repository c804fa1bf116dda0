from rearc.oracles.base cimport Oracle
from rearc.oracles.room cimport Room
from rearc.systems.config cimport Config, Transition


cdef struct Rest:                   # what is still to be attached: the words of σ and β = j…n, and the gold arcs between them
    int j
    int depth
    int *stack
    int *pending                    # of each word: gold dependents that still wait for it
    int *refused                    # of each word: how it was when it was decided to leave it; see `search`
    unsigned char *open             # the word's gold arc is still wanted


cdef enum:
    DEEPEST = 40                    # arcs given up one after the other, at the most


cdef struct Ahead:                  # the search for the fewest gold arcs that are lost between a configuration and the end
    int n
    bint single_root
    const int *gold                 # the gold tree, as an oracle keeps it
    const int *dependents
    const int *first
    long steps                      # left to take before the search is given up
    Rest base                       # the configuration asked about
    Rest frames[DEEPEST + 1]
    Room room


cdef int ahead_prepare(Ahead *a, Oracle o) noexcept nogil                       # for the oracle's gold tree; −1 if memory is out
cdef void ahead_free(Ahead *a) noexcept nogil
cdef void ahead_look(Ahead *a, const Config *c, long steps) noexcept nogil      # at another configuration
cdef bint ahead_reaches(Ahead *a, int limit) noexcept nogil                     # the end, with so many arcs lost from here
cdef int ahead_greedy(Ahead *a) noexcept nogil                                  # arcs lost on one way to the end
cdef int ahead_price(Ahead *a, int h, int d) noexcept nogil                     # arcs that h→d puts out of reach at once
cdef bint ahead_reaches_after(Ahead *a, int d, int limit) noexcept nogil        # after an arc to d; after a shift if d is NONE
cdef int ahead_greedy_after(Ahead *a, int d) noexcept nogil
