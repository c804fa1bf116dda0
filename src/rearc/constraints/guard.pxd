from rearc.oracles.base cimport Oracle
from rearc.constraints.limits cimport Limits
from rearc.systems.base cimport System
from rearc.systems.config cimport Config, Transition


cdef class Guard:
    """Sees to it that the parse of one sentence ends in a tree within its limits. It serves one parse after another, one at a time."""
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
    cdef int *aim                   # the tree aimed at now
    cdef bint projective            # traits of the system
    cdef bint monotonic
    cdef int *must                  # scratch memory
    cdef int *fresh
    cdef int *costs
    cdef int *trial_costs
    cdef unsigned char *refused
    cdef unsigned char *within      # arcs that the trial can still have
    cdef Transition *ts             # of the trial
    cdef Transition *best
    cdef Transition *plan           # a way to the end within the limits: plan[at…length−1]
    cdef Transition *way            # the one on trial
    cdef bint failed                # no way was found, or memory was out
    cdef int room                   # of plan and way
    cdef int length
    cdef int at
    cdef Config trial

    cdef bint know(self, const int *heads, int n) noexcept nogil            # other fixed heads, of a sentence that is not longer; False if memory is out
    cdef bint begin(self, const Config *c) noexcept nogil                   # at the start of a parse; False if memory is out
    # The place of the best-scoring transition that leaves a way to the end within the limits; it is taken to be followed. NONE if memory
    # is out.
    cdef int choose(self, const Config *c, const Transition *ts, int count, const float *scores) noexcept nogil
    cdef bint keeps(self, const Config *c, const Transition *ts, int k) noexcept nogil
    cdef bint finds_way(self, const Config *c, Transition t) noexcept nogil
    cdef Transition step(self) noexcept nogil
    cdef bint aim_anew(self) noexcept nogil
