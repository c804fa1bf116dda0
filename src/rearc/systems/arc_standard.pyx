"""Arc-standard (Nivre 2004; the figure is also in Nivre 2009, Figure 2, without its Swap).

The root 0 lies at the bottom of the stack; it starts with ([0], [1, …, n], ∅) and ends with ([0], [], A).
"""

from rearc.systems.base cimport System
from rearc.systems.config cimport (
    LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, attach, buffer_size, fill_buffer, pop, push, stack_word,
    take,
)


cdef inline bint can_shift(const Config *c) noexcept nogil:
    return buffer_size(c) > 0


cdef inline void shift(Config *c) noexcept nogil:
    """(σ, b|β, A) ⇒ (σ|b, β, A)"""
    push(c, take(c))


cdef inline bint can_left_arc(const Config *c) noexcept nogil:
    return c.depth > 2


cdef inline void left_arc(Config *c, int label) noexcept nogil:
    """(σ|s1|s0, β, A) ⇒ (σ|s0, β, A ∪ {s0→s1}), s1 ≠ 0"""
    cdef int s0 = pop(c)
    attach(c, s0, pop(c), label)
    push(c, s0)


cdef inline bint can_right_arc(const Config *c, bint single_root) noexcept nogil:
    """With one root, the root's arc comes last of all."""
    return c.depth > 2 or (c.depth == 2 and not (single_root and buffer_size(c)))


cdef inline void right_arc(Config *c, int label) noexcept nogil:
    """(σ|s1|s0, β, A) ⇒ (σ|s1, β, A ∪ {s1→s0})"""
    cdef int s0 = pop(c)
    attach(c, stack_word(c, 0), s0, label)


cdef class ArcStandard(System):
    """Arc-standard: an arc joins the two topmost words of the stack and pops the dependent."""

    cdef void begin(self, Config *c) noexcept nogil:
        fill_buffer(c)
        push(c, 0)

    cdef bint finished(self, const Config *c) noexcept nogil:
        return c.depth == 1 and not buffer_size(c)

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0
        if can_shift(c):
            out[count] = SHIFT
            count += 1
        if can_left_arc(c):
            out[count] = LEFT_ARC
            count += 1
        if can_right_arc(c, self.single_root):
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
        if t == LEFT_ARC:
            h[0], d[0] = stack_word(c, 0), stack_word(c, 1)
        elif t == RIGHT_ARC:
            h[0], d[0] = stack_word(c, 1), stack_word(c, 0)
        return t == LEFT_ARC or t == RIGHT_ARC
