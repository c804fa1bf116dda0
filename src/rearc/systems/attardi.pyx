"""Attardi's system (Attardi 2006) of degree 2, as Cohen, Gómez-Rodríguez & Satta (2011, section 2.3) state it.

Arc-standard whose arcs also join the top of the stack with the second word below it, so that it derives some of the
non-projective trees. The root 0 lies at the bottom of the stack; it starts with ([0], [1, …, n], ∅) and ends with ([0], [], A).
"""

from rearc.systems.base cimport System
from rearc.systems.config cimport (
    GONE, LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, attach, buffer_size, fill_buffer, k_of, kind_of, pop, push,
    stack_word, take, transition,
)

cdef enum:
    DEGREE = 2


cdef inline bint can_shift(const Config *c) noexcept nogil:
    return buffer_size(c) > 0


cdef inline void shift(Config *c) noexcept nogil:
    """(σ, b|β, A) ⇒ (σ|b, β, A)"""
    push(c, take(c))


cdef inline bint can_left_arc(const Config *c, int k) noexcept nogil:
    """sk ≠ 0"""
    return c.depth > k + 1


cdef inline void left_arc(Config *c, int k, int label) noexcept nogil:
    """(σ|sk|…|s0, β, A) ⇒ (σ|…|s0, β, A ∪ {s0→sk}), sk ≠ 0"""
    cdef int place = c.depth - 1 - k
    cdef int d = c.stack[place]
    c.depth -= 1
    while place < c.depth:
        c.stack[place] = c.stack[place + 1]
        place += 1
    c.place[d] = GONE
    attach(c, stack_word(c, 0), d, label)


cdef inline bint can_right_arc(const Config *c, int k, bint single_root) noexcept nogil:
    """With one root, the root's arc comes last of all."""
    return c.depth > k + 1 or (c.depth == k + 1 and not (single_root and (k > 1 or buffer_size(c))))


cdef inline void right_arc(Config *c, int k, int label) noexcept nogil:
    """(σ|sk|…|s0, β, A) ⇒ (σ|sk|…, β, A ∪ {sk→s0})"""
    cdef int s0 = pop(c)
    attach(c, stack_word(c, k - 1), s0, label)


cdef class Attardi(System):
    """Attardi: left-arc:k and right-arc:k join the top of the stack with the k-th word below it, k ≤ 2."""

    cdef void begin(self, Config *c) noexcept nogil:
        fill_buffer(c)
        push(c, 0)

    cdef bint finished(self, const Config *c) noexcept nogil:
        return c.depth == 1 and not buffer_size(c)

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0, k
        if can_shift(c):
            out[count] = SHIFT
            count += 1
        for k in range(1, DEGREE + 1):
            if can_left_arc(c, k):
                out[count] = transition(LEFT_ARC, k)
                count += 1
            if can_right_arc(c, k, self.single_root):
                out[count] = transition(RIGHT_ARC, k)
                count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == SHIFT:
            shift(c)
        elif kind_of(t) == LEFT_ARC:
            left_arc(c, k_of(t), label)
        else:
            right_arc(c, k_of(t), label)

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        if kind_of(t) == LEFT_ARC:
            h[0], d[0] = stack_word(c, 0), stack_word(c, k_of(t))
        elif kind_of(t) == RIGHT_ARC:
            h[0], d[0] = stack_word(c, k_of(t)), stack_word(c, 0)
        return t != SHIFT
