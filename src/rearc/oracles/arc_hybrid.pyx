"""Oracles of arc-hybrid: the dynamic one of Goldberg & Nivre (2013) and a static one.

With `single_root` the dynamic costs are those of the paper and one more: a word shifted onto a stack that is
not empty is no longer within r's reach. They are exact for projective gold trees (with `single_root`, for
those with one root).
"""

from rearc.oracles.arc_hybrid cimport hybrid_rule
from rearc.oracles.stack cimport StackOracle, deps_in_buffer, deps_on_stack, head_is, word_below
from rearc.systems.config cimport (
    GONE, IN_BUFFER, LEFT_ARC, NONE, ON_STACK, SHIFT, Config, Transition, buffer_word, stack_word,
)


cdef class ArcHybridDynamic(StackOracle):
    """The cost of a transition is the number of gold arcs that it puts out of reach."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        """d ∈ B and g ∈ σ or B; or d ∈ σ and g ∈ B or right below (with one root, r reaches the lowest)"""
        cdef int g = self.gold[d]
        if g == NONE:
            return False
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
        if g == 0:
            return (c.depth > 0 and self.system.single_root) + deps_on_stack(self, c, b)
        return (head_is(self, c, b, ON_STACK) and g != s0) + deps_on_stack(self, c, b)

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
    """Arcs when the dependent is complete, else shift."""

    def __cinit__(self):
        self.is_static = True

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        return hybrid_rule(self, c)
