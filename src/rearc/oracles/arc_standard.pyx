"""Static oracles of arc-standard (Nivre 2004) and of arc-standard with swap (Nivre 2009; lazy: Nivre,
Kuhlmann & Hall 2009).

An arc is built as soon as its dependent has all its own. Arc-standard is not arc-decomposable: the loss is
found by search.
"""

from rearc.oracles.base cimport Oracle
from rearc.oracles.exact cimport SEARCHED, Search
from rearc.oracles.stack cimport Order, is_complete, order_fill, order_free
from rearc.systems.config cimport (
    LEFT_ARC, NONE, RIGHT_ARC, SHIFT, SWAP, Config, Transition, buffer_size, buffer_word, stack_word,
)
from rearc.treebank.trees cimport fill_maximal_projective_components


cdef class ArcStandardStatic(Oracle):
    """Arcs when the dependent is complete, else shift; off the gold path, with B empty, right-arc."""

    def __cinit__(self):
        self.is_static = True

    cdef bint wants_swap(self, const Config *c) noexcept nogil:
        return False

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        cdef int s0 = stack_word(c, 0), s1 = stack_word(c, 1)
        if c.depth > 2 and self.gold[s1] == s0 and is_complete(self, c, s1):
            return LEFT_ARC
        if c.depth > 1 and self.gold[s0] == s1 and is_complete(self, c, s0) and not (
            s1 == 0 and self.system.single_root and buffer_size(c)
        ):
            return RIGHT_ARC
        if c.depth > 2 and self.wants_swap(c):
            return SWAP
        return SHIFT if buffer_size(c) else RIGHT_ARC

    cdef int loss_of(self, const Config *c) except -1 nogil:
        """The exact loss: for short sentences."""
        with gil:
            return Search(self.system, self).loss_from(c, SEARCHED)


cdef class SwapStatic(ArcStandardStatic):
    """And swap when s0 comes before s1 in the projective order: every tree in 2n + 2·swaps transitions."""
    cdef Order order

    def __dealloc__(self):
        order_free(&self.order)

    cdef int prepare(self) noexcept nogil:
        return order_fill(&self.order, self.gold, self.n)

    cdef bint wants_swap(self, const Config *c) noexcept nogil:
        cdef int s0 = stack_word(c, 0), s1 = stack_word(c, 1)
        return self.order.proj[s0] < self.order.proj[s1] and s1 < s0


cdef class SwapStaticLazy(SwapStatic):
    """Swaps later: not while the front of the buffer is in s0's maximal projective component."""

    cdef int prepare(self) noexcept nogil:
        if SwapStatic.prepare(self) < 0:
            return -1
        self.order.more[0] = NONE
        self.find_components()
        return -1 if self.order.more[0] == NONE else 0

    cdef void find_components(self) noexcept nogil:
        fill_maximal_projective_components(self.gold, self.n, self.order.more)  # raises when memory is out

    cdef bint wants_swap(self, const Config *c) noexcept nogil:
        cdef const int *component = self.order.more
        if not SwapStatic.wants_swap(self, c):
            return False
        return not buffer_size(c) or component[stack_word(c, 0)] != component[buffer_word(c, 0)]
