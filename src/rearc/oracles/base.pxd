from rearc.oracles.room cimport Room
from rearc.systems.base cimport Labels, State, System
from rearc.systems.config cimport Config, Transition


cdef class Oracle:
    """A judge of configurations against one gold tree. It has scratch memory of its own: without the GIL, one object serves one thread."""
    cdef readonly System system
    cdef readonly str name
    cdef readonly bint is_static    # it knows one path: of each configuration the one transition of its `rule`
    cdef bint takes_partial         # its formulas know gold trees with unknown heads
    cdef bint takes_trees           # it knows configurations that began with a tree
    cdef bint is_monotonic          # a trait of the system
    cdef bint is_bound              # there is a gold tree, and memory for all that is made of it
    cdef int n
    cdef int *gold                  # gold[d] for d in 1…n, NONE where it is not known; gold[0] is NONE
    cdef int *gold_label            # gold_label[d]; NONE where the label does not matter
    cdef int *dependents            # the known gold dependents of h, ascending: dependents[first[h]…first[h+1]−1]
    cdef int *first
    cdef int *scratch               # room for the costs of all candidates
    cdef Room room
    cdef list label_names           # gold labels as strings, when they were given so
    cdef Labels known               # the table by which gold_label is numbered now

    # What an oracle defines.
    cdef int prepare(self) noexcept nogil                                               # a new gold tree has been set; −1 if memory is out
    cdef int loss_of(self, const Config *c) except -1 nogil
    cdef int allowed_into(self, const Config *c, Transition *out) noexcept nogil        # what the oracle allows: the legal ones
    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil
    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil     # of a static oracle; ts are the legal ones
    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil        # those of least cost, of the allowed ones
    cdef int best_among(self, const Config *c, Transition *ts, int count) noexcept nogil    # keeps the best of these; how many
    cdef int detour(self, const Config *c, Transition t) noexcept nogil                 # what t loses if nothing is repaired; for `straightest`
    cdef bint can_get(self, const Config *c, int h, int d) noexcept nogil               # d may still get the head h, or keep it; True if not known
    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil           # keep the books, then act
    cdef const Config *view(self, State state) except NULL                              # what the judge is asked about, if the state is of its kind

    # What all share.
    # A tree [0, g(1), …, g(n)], NONE for an unknown head, that has been checked and that nobody changes meanwhile; labels may be NULL; −1 if memory is out.
    cdef int bind(self, const int *heads, const int *labels, int n) noexcept nogil
    cdef int straightest(self, const Config *c, Transition *ts, int count) noexcept nogil   # keeps those with the least detour; how many
    cdef int label_of(self, const Config *c, Transition t) noexcept nogil               # the gold label of the arc that t builds
    cdef const int[::1] checked(self, gold_heads)                                       # heads from Python, partial or not
    cdef int need_gold(self) except -1                                                  # ValueError if there is no gold tree
    cdef int adopt(self, State state) except -1                                         # number the gold labels as the state does
    cdef list ask(self, const Config *c, bint optimal, list costs)
    cdef Oracle twin(self)                                                              # for work without the GIL: bound to no tree of ours


cdef inline void cost_vector(Oracle o, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
    """The costs of the allowed transitions: for a static oracle 0 for its own and 1 for the others."""
    cdef int k
    cdef Transition wanted
    if not o.is_static:
        o.costs_into(c, ts, count, costs)
    elif count:
        wanted = o.rule(c, ts, count)
        for k in range(count):
            costs[k] = ts[k] != wanted


cdef inline bint is_right(Oracle o, const Config *c, int d) noexcept nogil:
    """d has its gold head, which is known, and its gold label where labels count. A right head with a wrong label is a wrong arc for good."""
    return o.gold[d] != -1 and c.head[d] == o.gold[d] and (o.gold_label[d] == -1 or c.label[d] == o.gold_label[d])


cdef inline bint is_known(Oracle o, int d) noexcept nogil:
    """An unknown head costs nothing, whatever it becomes."""
    return o.gold[d] != -1
