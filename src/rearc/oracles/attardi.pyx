"""Oracles of Attardi's system: a static one, and an exact dynamic one (after Gómez-Rodríguez, Sartorio & Satta 2014).

The loss is not the number of arcs that can no longer be built one by one; it is found by a search for the arcs that have to be given
up (ahead.pyx). It is exact for all gold trees, those too that the system cannot derive, with and without `single_root`.
"""

from rearc.oracles.ahead cimport (
    DEEPEST, Ahead, ahead_free, ahead_greedy, ahead_greedy_after, ahead_look, ahead_prepare, ahead_price, ahead_reaches,
    ahead_reaches_after,
)
from rearc.oracles.base cimport Oracle, is_right
from rearc.oracles.stack cimport is_complete
from rearc.systems.config cimport (
    GONE, NONE, RIGHT_ARC, SHIFT, Config, Transition, buffer_size, is_headed, transition,
)

from rearc.oracles.exact import SearchLimit

cdef enum:
    MOST = 5                        # legal transitions
    PATIENCE = 300_000              # steps that a cost vector may take; then what is not known yet is estimated from above
    LONG_PATIENCE = 20_000_000      # … that a loss may take


cdef class AttardiDynamic(Oracle):
    """The cost of a transition is what it adds to the least number of wrong heads that can still be reached."""
    cdef Ahead ahead
    cdef readonly long estimates    # cost vectors that were not known in the end

    def __dealloc__(self):
        ahead_free(&self.ahead)

    cdef int prepare(self) noexcept nogil:
        return ahead_prepare(&self.ahead, self)

    cdef int loss_of(self, const Config *c) except -1 nogil:
        cdef int d, lost = 0, limit
        for d in range(1, c.n + 1):
            if self.gold[d] != NONE:
                lost += not is_right(self, c, d) if is_headed(c, d) else c.place[self.gold[d]] == GONE
        ahead_look(&self.ahead, c, LONG_PATIENCE)
        for limit in range(min(c.n, DEEPEST) + 1):
            if ahead_reaches(&self.ahead, limit):
                return lost + limit
            if self.ahead.steps <= 0:
                break
        with gil:
            raise SearchLimit(
                f"the search for the loss of a sentence of {c.n} words took more than {LONG_PATIENCE:,} steps; "
                f"it is {lost + limit} or more, and at most {lost + ahead_greedy(&self.ahead)}"
            )

    cdef int weigh(self, const Config *c, const Transition *ts, int count, int *losses, bint all_of_them) noexcept nogil:
        """The arcs lost with each transition and after it; if not all are asked for, NONE for those that are not of the least. Returns the least."""
        cdef int prices[MOST]
        cdef int dependents[MOST]
        cdef int k, h, total = 0, least = NONE, left = count
        ahead_look(&self.ahead, c, PATIENCE)
        for k in range(count):
            losses[k] = dependents[k] = NONE
            prices[k] = 0
            if self.system.arc(c, ts[k], &h, &dependents[k]):
                prices[k] = ahead_price(&self.ahead, h, dependents[k])
        while left and self.ahead.steps > 0 and (all_of_them or least == NONE) and total <= DEEPEST:
            for k in range(count):
                if losses[k] == NONE and prices[k] <= total:
                    if ahead_reaches_after(&self.ahead, dependents[k], total - prices[k]):
                        losses[k] = total
                        left -= 1
                        if least == NONE:
                            least = total
            total += 1
        self.estimates += self.ahead.steps <= 0 or total > DEEPEST
        if all_of_them or least == NONE:
            for k in range(count):
                if losses[k] == NONE:
                    losses[k] = prices[k] + ahead_greedy_after(&self.ahead, dependents[k])
                    if least == NONE or losses[k] < least:
                        least = losses[k]
        return least

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, least = self.weigh(c, ts, count, costs, True)
        for k in range(count):
            costs[k] -= least

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        """Those of least cost; of these, the gold arcs if there are any. Nearly every arc could come later as well, which is hard to learn."""
        cdef int losses[MOST]
        cdef int k, kept = 0, count = self.allowed_into(c, out)
        if self.is_static and count:
            out[0] = self.rule(c, out, count)
            return 1
        cdef int least = self.weigh(c, out, count, losses, False), h, d
        cdef bint builds, arcs = False
        for k in range(count):
            if losses[k] == least:
                builds = self.system.arc(c, out[k], &h, &d) and self.gold[d] == h
                if builds and not arcs:
                    kept = 0
                    arcs = True
                if builds or not arcs:
                    out[kept] = out[k]
                    kept += 1
        return kept


cdef class AttardiStatic(AttardiDynamic):
    """An arc as soon as its dependent is complete, the nearer first, else shift; off the gold path, with B empty, right-arc:1.

    An arc never comes too soon: with its dependent gone the other words are nearer to each other. So every tree that the system derives
    is derived.
    """

    def __cinit__(self):
        self.is_static = True

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        cdef int k, h, d
        for k in range(count):
            if self.system.arc(c, ts[k], &h, &d) and self.gold[d] == h and is_complete(self, c, d):
                return ts[k]
        return SHIFT if buffer_size(c) else transition(RIGHT_ARC, 1)
