"""NL-Covington: non-local arcs (Fernández-González & Gómez-Rodríguez 2018, Figure 4).

left-arc:k and right-arc:k are k−1 No-Arcs and an arc in one step; there is no No-Arc of its own. The k-th
word of λ1 is counted from the right: i−k+1. (The paper's Figures 3 and 5 and its text swap the names of the
two arcs; here they are as in Figure 4.)
"""

from rearc.systems.config cimport LEFT_ARC, RIGHT_ARC, SHIFT, Config, Transition, transition
from rearc.systems.covington cimport Covington, may_link
from rearc.systems.one_root cimport (
    late_word, left_arc_keeps_one_root, one_headless, right_arc_keeps_one_root, with_late,
)


cdef class NLCovington(Covington):
    """Covington's system in at most 2n−1 transitions.

    >>> from rearc.systems import system
    >>> nl = system("nl-covington")
    >>> state = nl.start(3)
    >>> for transition in ("shift", "shift", "left-arc:2"):
    ...     nl.apply(state, transition)
    >>> print(state)
    ([], [1, 2], [3], {3→1})
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
            # Left-Arc_k: the word is headless and not above j
            if may_link(c, c.j, w) and (not last or left_arc_keeps_one_root(c, w, late, True)):
                out[count] = transition(LEFT_ARC, k)
                count += 1
            # Right-Arc_k: j is headless and not above the word
            if may_link(c, w, c.j) and (not last or right_arc_keeps_one_root(c, w, late, True)):
                out[count] = transition(RIGHT_ARC, k)
                count += 1
            if last:
                late = with_late(c, late, w)
        return count
