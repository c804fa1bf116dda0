"""The dynamic oracle of non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013), exact for projective
gold trees.

With `single_root` (exact for projective gold trees with one root) a word pushed onto a stack that is not
empty is no longer within r's reach.
"""

from rearc.oracles.base cimport is_right
from rearc.oracles.stack cimport (
    StackOracle, deps_in_buffer, deps_on_stack, head_is, headless_deps_on_stack, word_below,
)
from rearc.systems.base cimport State
from rearc.systems.config cimport (
    GONE, IN_BUFFER, LEFT_ARC, NONE, ON_STACK, RIGHT_ARC, SHIFT, Config, Transition, buffer_word, is_headed,
    stack_word,
)


cdef class NonMonotonicDynamic(StackOracle):
    """The cost of a transition is the number of gold arcs that it puts out of reach."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        """d ∈ B and g ∈ σ or B; or d ∈ σ and g ∈ B (with one root, of σ r reaches the lowest word alone);
        or d ∈ σ, headless, and g right below it"""
        cdef int g = self.gold[d]
        if g == NONE:
            return False
        if c.place[d] != ON_STACK:
            return c.place[d] == IN_BUFFER and c.place[g] != GONE
        if g == 0 and self.system.single_root:
            return d == c.stack[0]
        if c.place[g] == IN_BUFFER:
            return True
        return c.place[g] == ON_STACK and not is_headed(c, d) and g == word_below(c, d)

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, g, s0 = stack_word(c, 0), s1 = stack_word(c, 1), b = buffer_word(c, 0)
        cdef int to_left = 0        # what b loses when it is pushed
        cdef int to_right = 0       # what s0 loses when it is popped
        if b > 0:
            # [g(b) ∈ σ∖s0, or with one root g(b) = r and σ ≠ []] + |deps(b) in σ|
            g = self.gold[b]
            to_left = deps_on_stack(self, c, b)
            if g == 0:
                to_left += c.depth > 0 and self.system.single_root
            else:
                to_left += head_is(self, c, b, ON_STACK) and g != s0
        if s0 != NONE:
            # |deps(s0) in B|
            to_right = deps_in_buffer(self, c, s0)
        for k in range(count):
            if ts[k] == SHIFT or ts[k] == RIGHT_ARC:
                costs[k] = to_left
            elif ts[k] == LEFT_ARC:
                # + [g(s0) ≠ b and (s0 is right, or g(s0) ∈ B, or s0 headless and g(s0) = s1)]
                costs[k] = to_right
                if self.gold[s0] != b:
                    costs[k] += is_right(self, c, s0) or self.reachable(c, s0)
            else:
                # + [g(s0) ∈ B]
                costs[k] = to_right + (self.gold[s0] != s1 and self.reachable(c, s0))

    def cost(self, State state not None, str transition not None, label=None):
        """As for every oracle; reduce without a label takes the one noted when s0 was shifted."""
        cdef int s0 = stack_word(&state.c, 0)
        if transition == "reduce" and label is None and s0 != NONE and state.c.label[s0] != NONE:
            label = state.system.labels.name(state.c.label[s0])
        return super().cost(state, transition, label)


cdef class StraightDynamic(NonMonotonicDynamic):
    """The same costs; of the best transitions, those after which least is lost without repairs."""

    cdef int detour(self, const Config *c, Transition t) noexcept nogil:
        """How much the loss of monotonic arc-eager grows: there a word on the stack has its head, or is headless and its head in the buffer."""
        cdef int s0 = stack_word(c, 0), b = buffer_word(c, 0), g
        cdef bint had, has
        if t == SHIFT or t == RIGHT_ARC:
            g = self.gold[b]
            had = g == 0 or head_is(self, c, b, ON_STACK) or head_is(self, c, b, IN_BUFFER)
            has = g == s0 if t == RIGHT_ARC else g == 0 or head_is(self, c, b, IN_BUFFER)
            return had - has + headless_deps_on_stack(self, c, b)
        g = self.gold[s0]
        had = is_right(self, c, s0) if is_headed(c, s0) else g == 0 or head_is(self, c, s0, IN_BUFFER)
        if t == LEFT_ARC:
            has = g == b
        elif is_headed(c, s0):
            has = had
        else:                               # reduce adds s1→s0
            has = g != NONE and g == stack_word(c, 1)
        return had - has + deps_in_buffer(self, c, s0)

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        return self.straightest(c, out, StackOracle.optimal_into(self, c, out))
