"""Arc-standard with Swap, for all trees, non-projective ones too (Nivre 2009, Figure 2)."""

from rearc.systems.arc_standard cimport ArcStandard
from rearc.systems.config cimport SWAP, Config, Transition, give_back, pop, push, stack_word


cdef inline bint can_swap(const Config *c) noexcept nogil:
    """0 < s1 < s0: two words change places once."""
    return c.depth > 2 and stack_word(c, 1) < stack_word(c, 0)


cdef inline void swap(Config *c) noexcept nogil:
    """(σ|s1|s0, β, A) ⇒ (σ|s0, s1|β, A)"""
    cdef int s0 = pop(c)
    give_back(c, pop(c))
    push(c, s0)


cdef class ArcStandardSwap(ArcStandard):
    """Arc-standard whose second stack word can go back to the buffer."""

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = ArcStandard.legal_into(self, c, out)
        if can_swap(c):
            out[count] = SWAP
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == SWAP:
            swap(c)
        else:
            ArcStandard.act(self, c, t, label)
