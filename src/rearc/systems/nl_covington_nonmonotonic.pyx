"""NL-Covington made non-monotonic, as Fernández-González & Gómez-Rodríguez 2018 suggest in §4.2.

Their non-local arcs (Figure 4) with the effects of Fernández-González & Gómez-Rodríguez 2017 (Figure 2).
"""

from rearc.systems.config cimport LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, transition
from rearc.systems.covington_nonmonotonic cimport NonMonotonicCovington
from rearc.systems.one_root cimport (
    late_word, left_arc_keeps_one_root, one_headless, right_arc_keeps_one_root, with_late,
)


cdef class NonMonotonicNLCovington(NonMonotonicCovington):
    """Every left-arc:k and right-arc:k with k ≤ i is legal.

    >>> from rearc.systems import system
    >>> nl = system("nl-covington-nonmonotonic")
    >>> state = nl.start(3)
    >>> for transition in ("shift", "right-arc:1", "shift", "left-arc:1"):
    ...     nl.apply(state, transition)
    >>> print(state)
    ([1], [2], [3], {3→2})
    """

    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef bint last = self.single_root and c.j == c.n
        cdef int late = late_word(c) if last else 0
        cdef int k, w, count = 0
        # Shift: always
        if c.j <= c.n and (not last or one_headless(c)):
            out[count] = transition(SHIFT, 0)
            count += 1
        if c.j > c.n:
            return count
        for k in range(1, c.i + 1):
            w = c.i - k + 1
            if not last or left_arc_keeps_one_root(c, w, late, False):
                out[count] = transition(LEFT_ARC, k)
                count += 1
            if not last or right_arc_keeps_one_root(c, w, late, False):
                out[count] = transition(RIGHT_ARC, k)
                count += 1
            if last:
                late = with_late(c, late, w)
        return count
