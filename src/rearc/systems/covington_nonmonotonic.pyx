"""The full non-monotonic Covington system (Fernández-González & Gómez-Rodríguez 2017, Figure 2).

Every arc is always legal: what it contradicts is removed.
"""

from rearc.systems.config cimport (
    LEFT_ARC, NO_ARC, NONE, RIGHT_ARC, SHIFT, Config, Transition, attach, detach, kind_of, transition,
)
from rearc.systems.covington cimport Covington, left_focus, pass_words, shift
from rearc.systems.one_root cimport (
    below, late_word, left_arc_keeps_one_root, no_arc_keeps_one_root, one_headless, right_arc_keeps_one_root,
)


cdef void relink(Config *c, int h, int d, int label) noexcept nogil:
    """Add h→d; d's old head goes, and if d →* h held, h's too. Both are decided on the old A."""
    cdef bint closes_cycle = below(c, h, d)
    attach(c, h, d, label)
    if closes_cycle:
        detach(c, h)


cdef class NonMonotonicCovington(Covington):
    """Covington's system that can change its mind.

    >>> from rearc.systems import system
    >>> covington = system("covington-nonmonotonic")
    >>> state = covington.start(3)
    >>> for transition in ("shift", "left-arc", "shift", "no-arc", "left-arc"):
    ...     covington.apply(state, transition)
    >>> print(state)
    ([], [1, 2], [3], {3→1})
    """

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef bint last = self.single_root and c.j == c.n
        cdef int late = late_word(c) if last else 0
        cdef int count = 0
        # Shift: always
        if c.j <= c.n and (not last or one_headless(c)):
            out[count] = transition(SHIFT, 0)
            count += 1
        # the others: λ1 is not empty
        if c.i == 0 or c.j > c.n:
            return count
        if not last or no_arc_keeps_one_root(c, c.i, late, False):
            out[count] = transition(NO_ARC, 0)
            count += 1
        if not last or left_arc_keeps_one_root(c, c.i, late, False):
            out[count] = transition(LEFT_ARC, 0)
            count += 1
        if not last or right_arc_keeps_one_root(c, c.i, late, False):
            out[count] = transition(RIGHT_ARC, 0)
            count += 1
        return count

    cdef void act(self, Config *c, Transition t, int label) noexcept nogil:
        cdef int kind = kind_of(t), w = left_focus(c, t)
        if kind == SHIFT:
            shift(c)
            return
        if kind == LEFT_ARC:
            relink(c, c.j, w, label)
        elif kind == RIGHT_ARC:
            relink(c, w, c.j, label)
        pass_words(c, w)

    cdef bint repairs(self, const Config *c, Transition t) noexcept nogil:
        cdef int h, d
        return self.arc(c, t, &h, &d) and (c.head[d] != NONE or below(c, h, d))
