"""Arc-hybrid with Swap, for all trees (de Lhoneux, Stymne & Nivre 2017, section 2)."""

from rearc.systems.arc_hybrid cimport ArcHybrid
from rearc.systems.config cimport (
    SWAP, Config, Transition, buffer_size, buffer_word, give_back, pop, stack_word, take,
)


cdef inline bint can_swap(const Config *c) noexcept nogil:
    """s0 < b ≠ r: two words change places once."""
    return c.depth > 0 and buffer_size(c) > 1 and stack_word(c, 0) < buffer_word(c, 0)


cdef inline void swap(Config *c) noexcept nogil:
    """(σ|s0, b|β, A) ⇒ (σ, b|s0|β, A)"""
    cdef int b = take(c)
    give_back(c, pop(c))
    give_back(c, b)


cdef class ArcHybridSwap(ArcHybrid):
    """Arc-hybrid whose topmost stack word can go back behind the front of the buffer."""

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = ArcHybrid.legal_into(self, c, out)
        if can_swap(c):
            out[count] = SWAP
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == SWAP:
            swap(c)
        else:
            ArcHybrid.act(self, c, t, label)
