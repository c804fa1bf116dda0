"""Oracles of arc-swift (Qi & Manning 2017).

left-arc:k and right-arc:k are k−1 reductions and an arc of arc-eager with the root at the left, and cost the
sum of these. One thing more makes them exact (for projective gold trees; with `single_root`, for those with
one root): every headless word on the stack must find its head in the buffer (see Spine in stack.pxd).
"""

from rearc.oracles.stack cimport (
    Spine, StackOracle, deps_in_buffer, head_is, headless_deps_on_stack, spine_of, stranding,
)
from rearc.systems.config cimport (
    IN_BUFFER, LEFT_ARC, NONE, ON_STACK, RIGHT_ARC, SHIFT, Config, Transition, buffer_size, buffer_word,
    is_headed, k_of, kind_of, stack_word, transition,
)


cdef class ArcSwiftDynamic(StackOracle):
    """The cost of a transition is the number of gold arcs that it puts out of reach; all k in one pass."""

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        """d is headless, and g ∈ B, or g ∈ σ and d ∈ B; 0 → d, one root: no word hangs on 0 yet."""
        cdef int g = self.gold[d]
        if g == NONE or is_headed(c, d):
            return False
        if g == 0 and self.system.single_root and c.depth > 1 and is_headed(c, c.stack[1]):
            return False
        return c.place[g] == IN_BUFFER or (c.place[g] == ON_STACK and c.place[d] == IN_BUFFER)

    cdef int loss_of(self, const Config *c) except -1 nogil:
        return StackOracle.loss_of(self, c) + spine_of(self, c).stranded

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        """ts as legal_into gives them: the k of the right arcs ascend, the left arc's is not less."""
        cdef int t, left = NONE, k = 1, b = buffer_word(c, 0)
        cdef int above = 0              # what the words above the k-th lose when they are reduced
        cdef int to_left                # what b loses when it is pushed
        cdef Spine spine
        if b == NONE:
            return
        to_left = headless_deps_on_stack(self, c, b)
        spine = spine_of(self, c)
        for t in range(count):
            if ts[t] == SHIFT:
                costs[t] = self.shift_cost(c, b, &spine) + to_left
            elif kind_of(ts[t]) == LEFT_ARC:
                left = t
            else:
                while k < k_of(ts[t]):
                    above += deps_in_buffer(self, c, stack_word(c, k - 1))
                    k += 1
                costs[t] = above + self.right_arc_cost(c, stack_word(c, k - 1), b, &spine) + to_left
        if left != NONE:
            while k < k_of(ts[left]):
                above += deps_in_buffer(self, c, stack_word(c, k - 1))
                k += 1
            costs[left] = above + self.left_arc_cost(c, stack_word(c, k - 1), b, &spine)

    # The costs of arc-eager; words ascend on the stack, so those above s are the greater ones.

    cdef int shift_cost(self, const Config *c, int b, const Spine *spine) noexcept nogil:
        """[g(b) ∈ σ]"""
        return (head_is(self, c, b, ON_STACK) and self.reachable(c, b)) + stranding(c, spine, SHIFT, b)

    cdef int right_arc_cost(self, const Config *c, int s, int b, const Spine *spine) noexcept nogil:
        """[g(b) ∈ σ below s, or β∖b], and with one root [s = 0, and the gold root is in β∖b]"""
        cdef int g = self.gold[b]
        cdef int lost = (head_is(self, c, b, IN_BUFFER) or g < s) and self.reachable(c, b)
        if s == 0 and self.system.single_root:
            lost += deps_in_buffer(self, c, 0) - (g == 0)
        return lost + stranding(c, spine, RIGHT_ARC, s)

    cdef int left_arc_cost(self, const Config *c, int s, int b, const Spine *spine) noexcept nogil:
        """[g(s) ∈ β∖b] + |deps(s) in B|"""
        cdef int lost = (self.gold[s] != b and self.reachable(c, s)) + deps_in_buffer(self, c, s)
        return lost + stranding(c, spine, LEFT_ARC, s)


cdef class ArcSwiftStatic(ArcSwiftDynamic):
    """The nearest gold arc between b and the stack, down to the first headless word; else shift.

    Off the gold path, when the last word comes: the left-arc if it is legal, else right-arc:1.
    """

    def __cinit__(self):
        self.is_static = True

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        cdef int b = buffer_word(c, 0), g = self.gold[b], k = 1, right = 0, s = stack_word(c, 0)
        cdef bint last = buffer_size(c) == 1
        while is_headed(c, s):
            if s == g:
                right = k
            k += 1
            s = stack_word(c, k - 1)
        if s != 0 and (self.gold[s] == b or last):
            return transition(LEFT_ARC, k)
        if s == g and not (s == 0 and c.depth > 1 and self.system.single_root):
            right = k
        if right:
            return transition(RIGHT_ARC, right)
        return transition(RIGHT_ARC, 1) if last else SHIFT
