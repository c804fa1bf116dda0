"""Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011), as de Lhoneux, Stymne & Nivre (2017), section 2, state
it.

The root r closes the buffer; it starts with ([], [1, …, n, r], ∅) and ends with ([], [r], A).
"""

from rearc.systems.base cimport System
from rearc.systems.config cimport (
    LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, append_root, attach, buffer_size, buffer_word,
    fill_buffer, pop, push, stack_word, take,
)


cdef inline bint can_shift(const Config *c) noexcept nogil:
    """b ≠ r"""
    return buffer_size(c) > 1


cdef inline void shift(Config *c) noexcept nogil:
    """(σ, b|β, A) ⇒ (σ|b, β, A)"""
    push(c, take(c))


cdef inline bint can_left_arc(const Config *c, bint single_root) noexcept nogil:
    """With one root, r takes a dependent only when a single word is left."""
    return c.depth == 1 or (c.depth > 1 and not (single_root and buffer_size(c) == 1))


cdef inline void left_arc(Config *c, int label) noexcept nogil:
    """(σ|s0, b|β, A) ⇒ (σ, b|β, A ∪ {b→s0})"""
    attach(c, buffer_word(c, 0), pop(c), label)


cdef inline bint can_right_arc(const Config *c) noexcept nogil:
    return c.depth > 1


cdef inline void right_arc(Config *c, int label) noexcept nogil:
    """(σ|s1|s0, β, A) ⇒ (σ|s1, β, A ∪ {s1→s0})"""
    cdef int s0 = pop(c)
    attach(c, stack_word(c, 0), s0, label)


cdef class ArcHybrid(System):
    """Arc-hybrid: left arcs as in arc-eager, right arcs as in arc-standard; the stack words are headless."""

    cdef void begin(self, Config *c) noexcept nogil:
        fill_buffer(c)
        append_root(c)

    cdef bint finished(self, const Config *c) noexcept nogil:
        return c.depth == 0 and buffer_size(c) == 1

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0
        if can_shift(c):
            out[count] = SHIFT
            count += 1
        if can_left_arc(c, self.single_root):
            out[count] = LEFT_ARC
            count += 1
        if can_right_arc(c):
            out[count] = RIGHT_ARC
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == SHIFT:
            shift(c)
        elif t == LEFT_ARC:
            left_arc(c, label)
        else:
            right_arc(c, label)

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        d[0] = stack_word(c, 0)
        h[0] = buffer_word(c, 0) if t == LEFT_ARC else stack_word(c, 1)
        return t == LEFT_ARC or t == RIGHT_ARC
