"""Covington's non-projective system (Gómez-Rodríguez & Fernández-González 2015, Figure 1).

The lists of ⟨λ1, λ2, B, A⟩ are two positions, for words keep their place: λ1 = 1…i, λ2 = i+1…j−1,
B = j…n.
"""

from rearc.systems.base cimport System
from rearc.systems.config cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT, Config, Transition, kind_of, transition
from rearc.systems.one_root cimport (
    late_word, left_arc_keeps_one_root, no_arc_keeps_one_root, one_headless, right_arc_keeps_one_root,
)


cdef class Covington(System):
    """Every pair of words is looked at once, j from left to right and i from right to left.

    >>> from rearc.systems import system
    >>> covington = system("covington")
    >>> state = covington.start(3)
    >>> for transition in ("shift", "left-arc", "shift"):
    ...     covington.apply(state, transition)
    >>> print(state)
    ([1, 2], [], [3], {2→1})
    """

    cdef void begin(self, Config *c) noexcept nogil:
        c.i = 0
        c.j = 1

    cdef bint finished(self, const Config *c) noexcept nogil:
        return c.j > c.n

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef bint last = self.single_root and c.j == c.n
        cdef int late = late_word(c) if last else 0
        cdef int count = 0
        # Shift: always
        if c.j <= c.n and (not last or one_headless(c)):
            out[count] = transition(SHIFT, 0)
            count += 1
        if c.i == 0 or c.j > c.n:
            return count
        # No-Arc: λ1 is not empty
        if not last or no_arc_keeps_one_root(c, c.i, late, True):
            out[count] = transition(NO_ARC, 0)
            count += 1
        # Left-Arc: i is headless and not i →* j
        if may_link(c, c.j, c.i) and (not last or left_arc_keeps_one_root(c, c.i, late, True)):
            out[count] = transition(LEFT_ARC, 0)
            count += 1
        # Right-Arc: j is headless and not j →* i
        if may_link(c, c.i, c.j) and (not last or right_arc_keeps_one_root(c, c.i, late, True)):
            out[count] = transition(RIGHT_ARC, 0)
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        cdef int kind = kind_of(t), w = left_focus(c, t)
        if kind == SHIFT:
            shift(c)
            return
        if kind == LEFT_ARC:
            link(c, c.j, w, label)
        elif kind == RIGHT_ARC:
            link(c, w, c.j, label)
        pass_words(c, w)

    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil:
        cdef int kind = kind_of(t), w = left_focus(c, t)
        h[0] = c.j if kind == LEFT_ARC else w
        d[0] = w if kind == LEFT_ARC else c.j
        return kind == LEFT_ARC or kind == RIGHT_ARC

    cdef tuple lists(self, const Config *c):
        return [*range(1, c.i + 1)], [*range(c.i + 1, c.j)], [*range(c.j, c.n + 1)]
