from rearc.oracles.base cimport Oracle
from rearc.constraints.limits cimport Limits
from rearc.systems.base cimport System
from rearc.systems.config cimport Config, Transition


cdef struct Plan:                   # a way from a configuration to the end within the limits
    int *aim                        # the tree in which it ends
    int number                      # of the tree
    Transition *steps               # steps[at…length−1], where no exact costs say how to come there
    int at
    int length
    int room                        # of steps
    int words                       # that aim has room for


cdef int copy_plan(Plan *target, const Plan *source, int n) noexcept nogil      # −1 if memory is out
cdef void free_plan(Plan *plan) noexcept nogil


cdef class Guard:
    """Sees to it that the parse of one sentence ends in a tree within its limits. It serves one parse after another, one at a time.

    What it knows of a derivation is the plan, which belongs to the derivation: so it serves any number of them side by side.
    """
    cdef readonly System system
    cdef readonly Limits limits
    cdef bint by_costs              # the limits are fixed heads alone and the costs exact: a transition that costs nothing keeps them
    cdef bint is_exact              # the costs of the system's oracle
    cdef System straight            # the system of trials: that of the parse, or the monotonic one that goes on from its configurations
    cdef bint trial_is_exact
    cdef Oracle known               # of the fixed heads, where there is an exact one
    cdef Oracle guide               # of the tree aimed at
    cdef object arrays
    cdef int *first_aim             # a tree within the limits
    cdef bint projective            # traits of the system
    cdef bint monotonic
    cdef int *must                  # scratch memory
    cdef int *fresh
    cdef int *costs
    cdef unsigned char *refused
    cdef unsigned char *within      # arcs that the trial can still have
    cdef Transition *ts             # of the trial
    cdef Transition *best
    cdef int aims                   # trees that were aimed at
    cdef int bound                  # the number of the one that the guide has; 0 for none of them
    cdef Transition *way            # the one on trial
    cdef int room                   # of it
    cdef Plan plan                  # of a greedy parse
    cdef bint failed                # no way was found, or memory was out
    cdef bint busy
    cdef Config trial

    cdef bint know(self, const int *heads, int n) noexcept nogil            # other fixed heads, of a sentence that is not longer; False if memory is out
    cdef bint begin(self, const Config *c, Plan *plan) noexcept nogil       # at the start of a parse; False if memory is out
    # The place of the best-scoring transition that leaves a way to the end within the limits; it is taken to be followed. NONE if memory
    # is out.
    cdef int choose(self, const Config *c, const Transition *ts, int count, const float *scores) noexcept nogil
    # The legal transitions that break a limit at sight; one that the plan has never does.
    cdef void sift(self, const Config *c, const Transition *ts, int count, unsigned char *refused) noexcept nogil
    # Whether t, which was not refused at sight, leaves a way to the end within the limits; if so, the plan goes on behind it.
    cdef bint keeps(self, const Config *c, Transition t, Plan *plan) noexcept nogil
    cdef bint is_planned(self, const Config *c, Transition t, Plan *plan) noexcept nogil
    cdef bint finds_way(self, const Config *c, Transition t, Plan *plan) noexcept nogil
    cdef bint adopt(self, Plan *plan, const int *tree, int length) noexcept nogil
    cdef Transition step(self) noexcept nogil
    cdef bint aim_anew(self, const Plan *plan) noexcept nogil
    # The known heads of sentences of these sizes, as the parse is to keep them; None where it is about one sentence of its own limits.
    cdef const int[::1] known_for(self, System system, sizes, known)
    cdef int hold(self) except -1                   # one parse at a time; RuntimeError for a second
    cdef void let_go(self) noexcept
