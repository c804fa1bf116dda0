"""Non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013, section 3): left-arc and reduce may repair what
was pushed wrongly.

It starts with ([], [1, …, n, r], ∅) and ends with ([], [r], A).
"""

from rearc.systems.arc_eager cimport ArcEager
from rearc.systems.config cimport (
    LEFT_ARC, NONE, REDUCE, RIGHT_ARC, SHIFT, Config, Transition, attach, buffer_size, buffer_word, is_headed,
    pop, stack_word,
)


cdef inline bint can_shift(const Config *c) noexcept nogil:
    """b ≠ r"""
    return buffer_size(c) > 1


cdef inline bint can_left_arc(const Config *c, bint single_root) noexcept nogil:
    """s0 may have a head: it is replaced. With one root, r takes a dependent only when one word is left."""
    return c.depth == 1 or (c.depth > 1 and not (single_root and buffer_size(c) == 1))


cdef inline bint can_right_arc(const Config *c) noexcept nogil:
    """b ≠ r"""
    return c.depth > 0 and buffer_size(c) > 1


cdef inline bint can_reduce(const Config *c) noexcept nogil:
    """s0 is headed, or s1 is there to become its head; the lowest word is never headed."""
    return c.depth > 1


cdef inline void reduce(Config *c, int label) noexcept nogil:
    """(σ|s1|s0, β, A) ⇒ (σ|s1, β, A ∪ {s1→s0} if s0 was headless); the label may be the one noted by shift"""
    cdef int s0 = pop(c)
    if not is_headed(c, s0):
        attach(c, stack_word(c, 0), s0, c.label[s0] if label == NONE else label)


cdef class NonMonotonicArcEager(ArcEager):
    """Arc-eager whose left-arc replaces a head and whose reduce supplies a missing one.

    A label given to `shift` is kept for the arc that reduce may build.
    """

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count = 0
        if can_shift(c):
            out[count] = SHIFT
            count += 1
        if can_reduce(c):
            out[count] = REDUCE
            count += 1
        if can_left_arc(c, self.single_root):
            out[count] = LEFT_ARC
            count += 1
        if can_right_arc(c):
            out[count] = RIGHT_ARC
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        if t == REDUCE:
            reduce(c, label)
        else:
            if t == SHIFT:
                c.label[buffer_word(c, 0)] = label
            ArcEager.act(self, c, t, label)

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        if t == REDUCE:
            h[0], d[0] = stack_word(c, 1), stack_word(c, 0)
            return not is_headed(c, d[0])
        return ArcEager.arc(self, c, t, h, d)
