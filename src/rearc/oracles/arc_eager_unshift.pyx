"""The dynamic oracle of arc-eager with unshift (Honnibal & Johnson 2015, section 2.2).

The paper's rules miss some arcs; the costs here are exact for projective gold trees with one root. Among the
transitions of cost 0 the paper wants those that lose nothing in the monotonic system either; there may be
none, so those that lose least are taken. So unshift, and left-arc over a head, are kept for repair.
"""

from rearc.oracles.base cimport is_right
from rearc.oracles.stack cimport StackOracle, deps_in_buffer, deps_on_stack, head_is, headless_deps_on_stack
from rearc.systems.config cimport (
    GONE, IN_BUFFER, LEFT_ARC, NONE, ON_STACK, REDUCE, RIGHT_ARC, SHIFT, UNSHIFT, Config, Transition, buffer_word,
    is_headed, stack_word,
)


cdef class UnshiftDynamic(StackOracle):
    """The cost of a transition is the number of gold arcs that it puts out of reach, repairs included."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        """g is the root, d headless; or d or g ∈ B; or both ∈ σ and the upper one, headless, can go back"""
        cdef int g = self.gold[d]
        if g == NONE or c.place[d] == GONE:
            return False
        if g == 0:
            return not is_headed(c, d)
        if c.place[d] == IN_BUFFER or c.place[g] != ON_STACK:
            return c.place[g] != GONE
        return not is_headed(c, max(d, g))

    cdef int left_arc_cost(self, const Config *c, int s0, int b) noexcept nogil:
        """[g(s0) ≠ b and (s0 is right, or g(s0) ∈ B, or s0 headless and g(s0) ∈ σ or 0)] + |deps(s0) in B| +
        (s0 headless: |deps(s0) in σ|)"""
        cdef int lost = self.gold[s0] != b and (is_right(self, c, s0) or self.reachable(c, s0))
        if not is_headed(c, s0):
            lost += deps_on_stack(self, c, s0)
        return lost + deps_in_buffer(self, c, s0)

    cdef int right_arc_cost(self, const Config *c, int s0, int b) noexcept nogil:
        """[g(b) ≠ s0 and g(b) ∈ σ or 0] + |deps(b) in σ|"""
        cdef int g = self.gold[b]
        return (g != s0 and (g == 0 or head_is(self, c, b, ON_STACK))) + deps_on_stack(self, c, b)

    cdef int reduce_cost(self, const Config *c, int s0) noexcept nogil:
        """[g(s0) ∈ B] + |deps(s0) in B|"""
        return head_is(self, c, s0, IN_BUFFER) + deps_in_buffer(self, c, s0)

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, s0 = stack_word(c, 0), b = buffer_word(c, 0)
        for k in range(count):
            if ts[k] == LEFT_ARC:
                costs[k] = self.left_arc_cost(c, s0, b)
            elif ts[k] == RIGHT_ARC:
                costs[k] = self.right_arc_cost(c, s0, b)
            elif ts[k] == REDUCE:
                costs[k] = self.reduce_cost(c, s0)
            else:                           # what shift does unshift can undo
                costs[k] = 0

    cdef int detour(self, const Config *c, Transition t) noexcept nogil:
        """How much the loss of monotonic arc-eager grows; 0 when a repair makes it shrink."""
        cdef int s0 = stack_word(c, 0), b = buffer_word(c, 0), g
        if t == SHIFT or t == RIGHT_ARC:
            g = self.gold[b]
            if t == SHIFT:
                return head_is(self, c, b, ON_STACK) + headless_deps_on_stack(self, c, b)
            return (g != s0 and g != NONE and (g == 0 or c.place[g] != GONE)) + headless_deps_on_stack(self, c, b)
        if t == REDUCE:
            return deps_in_buffer(self, c, s0)
        if t == LEFT_ARC:
            g = self.gold[s0]
            if g == b:
                return max(0, deps_in_buffer(self, c, s0) - is_headed(c, s0))
            if is_headed(c, s0):
                return is_right(self, c, s0) + deps_in_buffer(self, c, s0)
            return (g == 0 or head_is(self, c, s0, IN_BUFFER)) + deps_in_buffer(self, c, s0)
        return 0

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        return self.straightest(c, out, StackOracle.optimal_into(self, c, out))


cdef class UnshiftStraight(UnshiftDynamic):
    """The same costs, and of the same transitions: unshift only if it brings an arc back within reach of monotonic
    arc-eager, or if it is the only one.

    The paper says it in another way, too: of ways with as few errors as possible, those with the fewest repairs. An unshift
    that brings nothing back costs nothing and is a repair more.
    """

    cdef int detour(self, const Config *c, Transition t) noexcept nogil:
        cdef int s0 = stack_word(c, 0)
        if t == UNSHIFT:
            return not (head_is(self, c, s0, ON_STACK) or headless_deps_on_stack(self, c, s0))
        return 2 * UnshiftDynamic.detour(self, c, t)
