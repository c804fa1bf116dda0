"""Arc-eager with the tree constraint (Nivre & Fernández-González 2014, Figure 2).

No root stands anywhere: it starts with ([], [1, …, n], ∅) and ends with ([i], [], A), i being the one root. A
flag, e in the paper, says that the buffer has been exhausted; from then on headless words come back to be
attached.
"""

from rearc.systems.arc_eager cimport ArcEager
from rearc.systems.config cimport (
    LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, UNSHIFT, Config, Transition, buffer_size, fill_buffer, give_back,
    is_headed, pop, stack_word,
)


cdef inline bint can_shift(const Config *c) noexcept nogil:
    """Once the buffer has been exhausted, only what cannot be attached is shifted."""
    return buffer_size(c) > 0 and not (c.exhausted and c.depth)


cdef inline bint can_reduce(const Config *c) noexcept nogil:
    return c.depth > 0 and is_headed(c, stack_word(c, 0))


cdef inline bint can_left_arc(const Config *c) noexcept nogil:
    return c.depth > 0 and buffer_size(c) > 0 and not is_headed(c, stack_word(c, 0))


cdef inline bint can_right_arc(const Config *c) noexcept nogil:
    return c.depth > 0 and buffer_size(c) > 0


cdef inline bint can_unshift(const Config *c) noexcept nogil:
    """The buffer is empty, s0 is headless, and a word lies below: nothing else is legal then."""
    return c.depth > 1 and not buffer_size(c) and not is_headed(c, stack_word(c, 0))


cdef inline void unshift(Config *c) noexcept nogil:
    """(σ|s0, [], A) ⇒ (σ, [s0], A)"""
    give_back(c, pop(c))


cdef class ArcEagerTree(ArcEager):
    """Arc-eager that always ends with one root; `single_root` changes nothing."""

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
        if can_left_arc(c):
            out[count] = LEFT_ARC
            count += 1
        if can_right_arc(c):
            out[count] = RIGHT_ARC
            count += 1
        if can_unshift(c):
            out[count] = UNSHIFT
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == UNSHIFT:
            unshift(c)
        else:
            ArcEager.act(self, c, t, label)
            c.exhausted |= not buffer_size(c)
