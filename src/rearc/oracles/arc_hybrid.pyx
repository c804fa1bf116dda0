"""Oracles of arc-hybrid: the dynamic one of Goldberg & Nivre (2013) and a static one.

With `single_root` the dynamic costs are those of the paper and one more: a word shifted onto a stack that is not empty is no
longer within r's reach. They are exact for projective gold trees (with `single_root`, for those with one root).
"""

from rearc.oracles.base cimport is_right
from rearc.oracles.stack cimport StackOracle, deps_in_buffer, deps_on_stack, first_least, is_complete, single_out, word_below
from rearc.systems.config cimport (
    GONE, IN_BUFFER, LEFT_ARC, ON_STACK, RIGHT_ARC, SHIFT, Config, Transition, buffer_word, stack_word,
)


cdef class ArcHybridDynamic(StackOracle):
    """The cost of a transition is the number of gold arcs that it puts out of reach."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        """d ∈ B and g ∈ σ or B, or d ∈ σ and g ∈ B or right below d; r → d, one root: d is in B or the lowest word."""
        cdef int g = self.gold[d]
        if c.place[d] != ON_STACK:
            return c.place[d] == IN_BUFFER and c.place[g] != GONE
        if g == 0 and self.system.single_root:
            return d == c.stack[0]
        return c.place[g] == IN_BUFFER or (c.place[g] == ON_STACK and g == word_below(c, d))

    cdef int left_arc_cost(self, const Config *c, int s0, int b) noexcept nogil:
        """[g(s0) ∈ {s1} ∪ β∖b] + |deps(s0) in B|"""
        return (self.gold[s0] != b and self.reachable(c, s0)) + deps_in_buffer(self, c, s0)

    cdef int right_arc_cost(self, const Config *c, int s0, int s1) noexcept nogil:
        """[g(s0) ∈ B] + |deps(s0) in B|"""
        return (self.gold[s0] != s1 and self.reachable(c, s0)) + deps_in_buffer(self, c, s0)

    cdef int shift_cost(self, const Config *c, int s0, int b) noexcept nogil:
        """[g(b) ∈ σ∖s0, or with one root g(b) = r and σ is not empty] + |deps(b) in σ|"""
        cdef int g = self.gold[b]
        cdef bint lost = c.depth > 0 and self.system.single_root if g == 0 else c.place[g] == ON_STACK and g != s0
        return lost + deps_on_stack(self, c, b)

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int s0 = stack_word(c, 0), b = buffer_word(c, 0), k
        for k in range(count):
            if ts[k] == SHIFT:
                costs[k] = self.shift_cost(c, s0, b)
            elif ts[k] == LEFT_ARC:
                costs[k] = self.left_arc_cost(c, s0, b)
            else:
                costs[k] = self.right_arc_cost(c, s0, stack_word(c, 1))


cdef class ArcHybridStatic(ArcHybridDynamic):
    """Arcs when the dependent is complete, else shift; off the gold path, with only r to shift, the arc of least dynamic cost."""

    cdef Transition rule(self, const Config *c) noexcept nogil:
        cdef Transition ts[4]
        cdef int costs[4]
        cdef int count, s0 = stack_word(c, 0), b = buffer_word(c, 0)
        if c.depth > 0 and is_complete(self, c, s0):
            if self.gold[s0] == b and not (b == 0 and c.depth > 1 and self.system.single_root):
                return LEFT_ARC
            if c.depth > 1 and self.gold[s0] == stack_word(c, 1):
                return RIGHT_ARC
        if b != 0:
            return SHIFT
        count = self.system.legal_into(c, ts)
        ArcHybridDynamic.costs_into(self, c, ts, count, costs)
        return ts[first_least(costs, count)]

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        single_out(self.rule(c), ts, count, costs)

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        if self.system.finished(c):
            return 0
        out[0] = self.rule(c)
        return 1
