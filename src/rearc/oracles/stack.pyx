"""What the oracles of the stack systems share."""

from rearc.oracles.base cimport Oracle, is_known, is_right
from rearc.oracles.room cimport free_room, make_room
from rearc.systems.config cimport (
    IN_BUFFER, NONE, ON_STACK, RIGHT_ARC, SHIFT, Config, buffer_word, is_headed,
)
from rearc.treebank.trees cimport fill_projective_order


cdef class StackOracle(Oracle):
    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        return False

    cdef bint can_get(self, const Config *c, int h, int d) noexcept nogil:
        """As `reachable` has it, were h the gold head."""
        cdef int g = self.gold[d]
        cdef bint can
        if c.head[d] == h:
            return True
        self.gold[d] = h
        can = self.reachable(c, d)
        self.gold[d] = g
        return can

    cdef int loss_of(self, const Config *c) except -1 nogil:
        cdef int d, lost = 0
        for d in range(1, c.n + 1):
            lost += is_known(self, d) and not (is_right(self, c, d) or self.reachable(c, d))
        return lost


cdef bint is_stranded(const Config *c, int s) noexcept nogil:
    """A headed stack word has its head right below it."""
    while is_headed(c, s):
        s = c.head[s]
    return s != c.stack[0]


cdef Spine spine_of(StackOracle o, const Config *c) noexcept nogil:
    cdef Spine spine = Spine(NONE, False, False)
    cdef int d = c.n, b = buffer_word(c, 0)
    while d != 0 and c.place[d] == IN_BUFFER:
        spine.through_b |= d == b
        if not o.reachable(c, d):
            return spine
        d = o.gold[d]
    if c.place[d] == ON_STACK:
        spine.foot = d
        spine.stranded = is_stranded(c, d)
    return spine


cdef int stranding(const Config *c, const Spine *spine, int kind, int s) noexcept nogil:
    """s is the stack word of the arc or the one reduced; those above it, the greater ones, go before."""
    cdef bint after
    if kind == SHIFT:
        after = c.depth > 0 if spine.through_b else spine.stranded
    elif kind == RIGHT_ARC:
        after = is_stranded(c, s) if spine.through_b else spine.stranded and spine.foot <= s
    else:
        after = spine.stranded and spine.foot < s
    return after - spine.stranded


cdef void fill_order(Order *order, const int *gold, int n) noexcept nogil:
    fill_projective_order(gold, n, order.proj)  # raises when memory is out; order_fill sees it


cdef int order_fill(Order *order, const int *gold, int n) noexcept nogil:
    order.proj = <int *>make_room(&order.room, n, 2 * sizeof(int))
    if order.proj == NULL:
        return -1
    order.more = order.proj + n + 2
    order.proj[0] = NONE
    fill_order(order, gold, n)
    return -1 if order.proj[0] == NONE else 0


cdef void order_free(Order *order) noexcept nogil:
    free_room(&order.room)


cdef int first_least(const int *costs, int count) noexcept nogil:
    cdef int k, least = 0
    for k in range(1, count):
        if costs[k] < costs[least]:
            least = k
    return least
