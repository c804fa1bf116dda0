"""Oracles of arc-hybrid with swap (de Lhoneux, Stymne & Nivre 2017, Figure 1).

Swap is static: forced when PROJ(s0) > PROJ(b), else not allowed. The other transitions are judged by RDEPS,
the reachable dependents of each word; a word d dropped from RDEPS(g(d)) has note[d] set in the configuration.
The books are kept on every transition followed, right or wrong. A state from Python has none: the judge walks
along its past and keeps them, so that the answer is the same whoever moved the state. The costs are exact over what the oracle
allows; with `single_root` that takes one rule more than the paper has: a word shifted for good onto a stack
that is not empty is no longer within r's reach.
"""

from rearc.oracles.arc_hybrid cimport hybrid_rule
from rearc.oracles.base cimport Oracle
from rearc.oracles.stack cimport Order, StackOracle, order_fill, order_free
from rearc.systems.base cimport State
from rearc.systems.config cimport (
    IN_BUFFER, LEFT_ARC, ON_STACK, RIGHT_ARC, SHIFT, SWAP, Config, Transition, buffer_word, config_free,
    config_reset, is_headed, stack_word,
)


cdef class ArcHybridSwapStaticDynamic(StackOracle):
    """Static for swap, dynamic for the rest."""
    cdef Order order                # more[w]: the last word i > w with PROJ(i) < PROJ(w), else 0
    cdef Config books               # where the last state from Python was, with its notes
    cdef object path                # the past that led there; None if there is none

    def __dealloc__(self):
        order_free(&self.order)
        config_free(&self.books)

    cdef const Config *view(self, State state) except NULL:
        cdef int k, done = 0
        self.adopt(state)
        path, self.path = self.path, None
        if self.books.memory != NULL and path is not None and path == state.past[: len(path)]:
            done = len(path)                # the state has gone on from where we were
        elif config_reset(&self.books, self.n) < 0:
            raise MemoryError(f"no memory for a configuration of {self.n} words")
        else:
            self.system.begin(&self.books)
        for k in range(done, len(state.past), 2):
            self.follow(&self.books, state.past[k], state.past[k + 1])
        self.path = state.past[:]
        return &self.books

    cdef int prepare(self) noexcept nogil:
        cdef int w, i, least = self.n + 1
        config_free(&self.books)            # they were of another tree
        if order_fill(&self.order, self.gold, self.n) < 0:
            return -1
        cdef int *proj = self.order.proj
        for w in range(self.n, 0, -1):
            i = 0
            if least < proj[w]:
                i = self.n
                while proj[i] > proj[w]:
                    i -= 1
            self.order.more[w] = i
            least = min(least, proj[w])
        return 0

    cdef bint must_swap(self, const Config *c) noexcept nogil:
        """PROJ(s0) > PROJ(b), and swap is legal: s0 < b ≠ r"""
        cdef int s0 = stack_word(c, 0), b = buffer_word(c, 0)
        return c.depth > 0 and s0 < b and self.order.proj[s0] > self.order.proj[b]

    cdef bint comes_back(self, const Config *c, int b) noexcept nogil:
        """A word i > b with PROJ(i) < PROJ(b) is in B: b, shifted now, will be swapped back."""
        cdef int i = self.order.more[b]
        while i > b:
            if c.place[i] == IN_BUFFER and self.order.proj[i] < self.order.proj[b]:
                return True
            i -= 1
        return False

    cdef bint loses_head(self, const Config *c, int b) noexcept nogil:
        """b, shifted for good, gets its head no more: g(b) ∈ σ∖s0, or with one root g(b) = r and σ ≠ []"""
        cdef int g = self.gold[b]
        if g == 0:
            return c.depth > 0 and self.system.single_root
        return c.place[g] == ON_STACK and g != stack_word(c, 0)

    cdef bint reachable(self, const Config *c, int d) noexcept nogil:
        return not is_headed(c, d) and not c.note[d]

    cdef bint can_get(self, const Config *c, int h, int d) noexcept nogil:
        return Oracle.can_get(self, c, h, d)    # the notes are of the gold heads alone

    cdef int allowed_into(self, const Config *c, Transition *out) noexcept nogil:
        cdef int count
        if self.must_swap(c):
            out[0] = SWAP
            return 1
        count = self.system.legal_into(c, out)
        return count - (count > 0 and out[count - 1] == SWAP)

    cdef int arc_cost(self, const Config *c, int s0, int head) noexcept nogil:
        """|RDEPS(s0)| + [g(s0) ≠ head and s0 ∈ RDEPS(g(s0))]"""
        cdef int k, lost = self.gold[s0] != head and not c.note[s0]
        for k in range(self.first[s0], self.first[s0 + 1]):
            lost += not c.note[self.dependents[k]]
        return lost

    cdef int shift_cost(self, const Config *c, int b) noexcept nogil:
        """|RDEPS(b) in σ| + [b loses its head and b ∈ RDEPS(g(b))], unless b comes back"""
        cdef int k, d, lost
        if self.comes_back(c, b):
            return 0
        lost = not c.note[b] and self.loses_head(c, b)
        for k in range(self.first[b], self.first[b + 1]):
            d = self.dependents[k]
            lost += c.place[d] == ON_STACK and not c.note[d]
        return lost

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, s0 = stack_word(c, 0), b = buffer_word(c, 0)
        for k in range(count):
            if ts[k] == SHIFT:
                costs[k] = self.shift_cost(c, b)
            elif ts[k] == LEFT_ARC:
                costs[k] = self.arc_cost(c, s0, b)
            elif ts[k] == RIGHT_ARC:
                costs[k] = self.arc_cost(c, s0, stack_word(c, 1))
            else:
                costs[k] = 0

    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil:
        cdef int k, d, s0 = stack_word(c, 0), b = buffer_word(c, 0)
        if t == LEFT_ARC or t == RIGHT_ARC:
            c.note[s0] = True
            for k in range(self.first[s0], self.first[s0 + 1]):
                c.note[self.dependents[k]] = True
        elif t == SHIFT and not self.comes_back(c, b):
            c.note[b] |= self.loses_head(c, b)
            for k in range(self.first[b], self.first[b + 1]):
                d = self.dependents[k]
                c.note[d] |= c.place[d] == ON_STACK
        self.system.act(c, t, label)


cdef class ArcHybridSwapStatic(ArcHybridSwapStaticDynamic):
    """Swap when forced, arcs when the dependent is complete, else shift."""

    def __cinit__(self):
        self.is_static = True

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        return SWAP if self.must_swap(c) else hybrid_rule(self, c)

    cdef int allowed_into(self, const Config *c, Transition *out) noexcept nogil:
        return self.system.legal_into(c, out)
