"""Arc-eager (Nivre 2003), with the root r at the end of the buffer (Ballesteros & Nivre 2013).

It starts with ([], [1, …, n, r], ∅) and ends with ([], [r], A). The lowest word of the stack is always
headless: a headed one has its head right below it.
"""

from rearc.systems.base cimport System
from rearc.systems.config cimport (
    LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, Config, Transition, append_root, attach, buffer_size, buffer_word,
    fill_buffer, is_headed, pop, push, stack_word, take,
)

# With one root, the last word b (β = [b, r]) is pushed so that r finds exactly one headless word.


cdef inline bint can_shift(const Config *c, bint single_root) noexcept nogil:
    """b ≠ r"""
    return buffer_size(c) > 2 or (buffer_size(c) == 2 and not (single_root and c.headless))


cdef inline void shift(Config *c) noexcept nogil:
    """(σ, b|β, A) ⇒ (σ|b, β, A)"""
    push(c, take(c))
    c.headless += 1


cdef inline bint can_left_arc(const Config *c) noexcept nogil:
    """s0 is headless"""
    return c.depth > 0 and not is_headed(c, stack_word(c, 0))


cdef inline void left_arc(Config *c, int label) noexcept nogil:
    """(σ|s0, b|β, A) ⇒ (σ, b|β, A ∪ {b→s0})"""
    attach(c, buffer_word(c, 0), pop(c), label)
    c.headless -= 1


cdef inline bint can_right_arc(const Config *c, bint single_root) noexcept nogil:
    """b ≠ r"""
    if c.depth == 0:
        return False
    return buffer_size(c) > 2 or (buffer_size(c) == 2 and not (single_root and c.headless != 1))


cdef inline void right_arc(Config *c, int label) noexcept nogil:
    """(σ|s0, b|β, A) ⇒ (σ|s0|b, β, A ∪ {s0→b})"""
    attach(c, stack_word(c, 0), buffer_word(c, 0), label)
    push(c, take(c))


cdef inline bint can_reduce(const Config *c) noexcept nogil:
    """s0 is headed"""
    return c.depth > 0 and is_headed(c, stack_word(c, 0))


cdef inline void reduce(Config *c) noexcept nogil:
    """(σ|s0, β, A) ⇒ (σ, β, A)"""
    pop(c)


cdef class ArcEager(System):
    """Arc-eager: a right arc is built as soon as its words meet; its dependent stays until reduced."""

    cdef void begin(self, Config *c) noexcept nogil:
        fill_buffer(c)
        append_root(c)

    cdef bint finished(self, const Config *c) noexcept nogil:
        return c.depth == 0 and buffer_size(c) == 1

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0
        if can_shift(c, self.single_root):
            out[count] = SHIFT
            count += 1
        if can_reduce(c):
            out[count] = REDUCE
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
        elif t == REDUCE:
            reduce(c)
        elif t == LEFT_ARC:
            left_arc(c, label)
        else:
            right_arc(c, label)

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        if t == LEFT_ARC:
            h[0], d[0] = buffer_word(c, 0), stack_word(c, 0)
        elif t == RIGHT_ARC:
            h[0], d[0] = stack_word(c, 0), buffer_word(c, 0)
        return t == LEFT_ARC or t == RIGHT_ARC
