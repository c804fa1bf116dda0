"""Oracles of arc-eager and arc-eager-tree: the dynamic one of Goldberg & Nivre (2013) and a static one.

Arc-eager, several roots allowed: the dynamic costs are exact for projective gold trees. With `single_root`
they stay exact for projective gold trees with one root by two additions: a word pushed onto a stack that is
not empty is no longer within r's reach; and a headless word that is not the lowest must find its head in the
buffer (see Spine in stack.pxd).

Arc-eager-tree: the plain arc-eager costs as if r stood behind the buffer. They are not exact, for unshift can
mend what they call lost. Unshift costs 0: where it is legal, nothing else is.
"""

from rearc.oracles.stack cimport (
    Spine, StackOracle, deps_in_buffer, first_least, head_is, headless_deps_on_stack, spine_of, stranding,
)
from rearc.systems.base cimport System
from rearc.systems.config cimport (
    IN_BUFFER, LEFT_ARC, NONE, ON_STACK, REDUCE, RIGHT_ARC, SHIFT, Config, Transition, buffer_word, is_headed,
    stack_word,
)


cdef inline bint in_buffer(const Config *c, int w) noexcept nogil:
    """The root stands behind the buffer, seen in arc-eager and unseen in arc-eager-tree."""
    return w == 0 or c.place[w] == IN_BUFFER


cdef class ArcEagerDynamic(StackOracle):
    """The cost of a transition is the number of gold arcs that it puts out of reach."""
    cdef bint one_root              # the system takes care of it by what it forbids

    def __cinit__(self, System system, *args, **kwargs):
        self.one_root = system.single_root and not system.traits.one_root

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        """d is headless, and g ∈ B, or g ∈ σ and d ∈ B (with one root, r reaches B and the lowest word)"""
        cdef int g = self.gold[d]
        if g == NONE or is_headed(c, d):
            return False
        if c.place[d] == IN_BUFFER:
            return in_buffer(c, g) or c.place[g] == ON_STACK
        if g == 0 and self.one_root:
            return d == c.stack[0]
        return in_buffer(c, g)

    cdef int loss_of(self, const Config *c) except -1 nogil:
        return StackOracle.loss_of(self, c) + (self.one_root and spine_of(self, c).stranded)

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef Spine spine
        cdef int k, s0 = stack_word(c, 0), b = buffer_word(c, 0)
        cdef int to_left = 0        # what b loses when it is pushed
        cdef int to_right = 0       # what s0 loses when it is popped
        if b > 0:
            to_left = headless_deps_on_stack(self, c, b)
        if s0 != NONE:
            to_right = deps_in_buffer(self, c, s0)
        for k in range(count):
            if ts[k] == SHIFT:              # [g(b) ∈ σ] + |headless deps(b) in σ|
                costs[k] = head_is(self, c, b, ON_STACK) + to_left
            elif ts[k] == RIGHT_ARC:        # [g(b) ∈ σ∖s0 or β∖b] + |headless deps(b) in σ|
                costs[k] = (self.gold[b] != s0 and self.reachable(c, b)) + to_left
            elif ts[k] == LEFT_ARC:         # [g(s0) ∈ β∖b] + |deps(s0) in B|
                costs[k] = (self.gold[s0] != b and self.reachable(c, s0)) + to_right
            elif ts[k] == REDUCE:           # |deps(s0) in B|
                costs[k] = to_right
            else:
                costs[k] = 0
        if self.one_root and b > 0:
            spine = spine_of(self, c)
            for k in range(count):
                costs[k] += stranding(c, &spine, ts[k], s0)
                if ts[k] == SHIFT:
                    costs[k] += self.gold[b] == 0 and c.depth > 0


cdef class ArcEagerStatic(ArcEagerDynamic):
    """The gold arc between s0 and b; else reduce if b is linked to a word further down, or is r; else shift.

    Off the gold path, where that is not legal, the transition of least dynamic cost.
    """

    def __cinit__(self):
        self.is_static = True

    cdef bint wants_reduce(self, const Config *c, int b) noexcept nogil:
        if b <= 0:
            return True
        return head_is(self, c, b, ON_STACK) or headless_deps_on_stack(self, c, b) > 0

    cdef Transition wanted(self, const Config *c) noexcept nogil:
        cdef int s0 = stack_word(c, 0), b = buffer_word(c, 0)
        if s0 == NONE or b == NONE:
            return SHIFT if s0 == NONE else REDUCE
        if self.gold[s0] == b and not is_headed(c, s0):
            return LEFT_ARC
        if self.gold[b] == s0:
            return RIGHT_ARC
        return REDUCE if is_headed(c, s0) and self.wants_reduce(c, b) else SHIFT

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        cdef int costs[8]
        cdef int k
        cdef Transition wanted = self.wanted(c)
        for k in range(count):
            if ts[k] == wanted:
                return wanted
        self.costs_into(c, ts, count, costs)
        return ts[first_least(costs, count)]
