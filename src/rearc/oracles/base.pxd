from rearc.systems.base cimport Labels, State, System
from rearc.systems.config cimport Config, Transition


cdef class Oracle:
    """A judge of configurations against one gold tree. One object serves one thread: it has scratch memory of its own."""
    cdef readonly System system
    cdef readonly str name
    cdef int n
    cdef int *gold                  # gold[d] for d in 1…n; gold[0] is NONE
    cdef int *gold_label            # gold_label[d]; NONE where the label does not matter
    cdef int *dependents            # the gold dependents of h, ascending: dependents[first[h]…first[h+1]−1]
    cdef int *first
    cdef int *scratch               # room for the costs of all candidates
    cdef int capacity
    cdef list label_names           # gold labels as strings, when they were given so
    cdef Labels known               # the table by which gold_label is numbered now

    # What an oracle defines.
    cdef int prepare(self) noexcept nogil                                               # a new gold tree has been set; −1 if memory is out
    cdef int loss_of(self, const Config *c) noexcept nogil
    cdef int allowed_into(self, const Config *c, Transition *out) noexcept nogil        # what the oracle allows: the legal ones
    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil
    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil        # those of least cost
    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil           # keep the books, then act

    # What all share.
    cdef int bind(self, const int *heads, const int *labels, int n) noexcept nogil      # [0, g(1), …]; labels may be NULL
    cdef int label_of(self, const Config *c, Transition t) noexcept nogil               # the gold label of the arc that t builds
    cdef int adopt(self, State state) except -1                                         # number the gold labels as the state does
    cdef list ask(self, const Config *c, bint optimal, list costs)


cdef inline bint is_right(Oracle o, const Config *c, int d) noexcept nogil:
    """d has its gold head, and its gold label where labels count. A right head with a wrong label is a wrong arc for good."""
    return c.head[d] == o.gold[d] and (o.gold_label[d] == -1 or c.label[d] == o.gold_label[d])
