"""Non-monotonic arc-eager with Unshift (Honnibal & Johnson 2015, Table 1).

No root stands anywhere: it starts with ([], [1, …, n], ∅) and ends with ([i], [], A), i being the one root.
`mark` is the paper's S. Table 1 has slips: left-arc leaves b, not s, at the front of the buffer, and at the
start every A(i) = 0; and a word shifted before may be shifted again on an empty stack, else parsing gets
stuck (shift, shift, unshift, left-arc).
"""

from rearc.systems.arc_eager cimport ArcEager
from rearc.systems.config cimport (
    LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, UNSHIFT, Config, Transition, buffer_size, buffer_word, fill_buffer,
    give_back, is_headed, pop, stack_word,
)


cdef inline bint can_shift(const Config *c) noexcept nogil:
    """S(b) = 0 or σ is empty"""
    return buffer_size(c) > 0 and (c.depth == 0 or not c.mark[buffer_word(c, 0)])


cdef inline bint can_arc(const Config *c) noexcept nogil:
    """Left-arc may replace a head."""
    return c.depth > 0 and buffer_size(c) > 0


cdef inline bint can_reduce(const Config *c) noexcept nogil:
    """s0 is headed"""
    return c.depth > 0 and is_headed(c, stack_word(c, 0))


cdef inline bint can_unshift(const Config *c) noexcept nogil:
    """s0 is headless and a word lies below"""
    return c.depth > 1 and not is_headed(c, stack_word(c, 0))


cdef inline void unshift(Config *c) noexcept nogil:
    """(σ|s0, β, A, S) ⇒ (σ, s0|β, A, S)"""
    give_back(c, pop(c))


cdef class ArcEagerUnshift(ArcEager):
    """Arc-eager that can put a headless word back; it always ends with one root, option or not."""

    cdef void begin(self, Config *c) noexcept nogil:
        fill_buffer(c)

    cdef bint finished(self, const Config *c) noexcept nogil:
        return c.depth == 1 and not buffer_size(c)

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0
        if can_shift(c):
            out[count] = SHIFT
            count += 1
        if can_reduce(c):
            out[count] = REDUCE
            count += 1
        if can_arc(c):
            out[count] = LEFT_ARC
            out[count + 1] = RIGHT_ARC
            count += 2
        if can_unshift(c):
            out[count] = UNSHIFT
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == UNSHIFT:
            unshift(c)
        else:
            if t == SHIFT:
                c.mark[buffer_word(c, 0)] = True
            ArcEager.act(self, c, t, label)
