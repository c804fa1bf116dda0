"""Approximate oracles of non-monotonic Covington and NL-Covington.

After Fernández-González & Gómez-Rodríguez 2017, §4. U are the gold arcs x→y (x ≠ 0) that are not in A and
whose pair has been passed. What the paper leaves open is how a gold root counts: a lower bound may count it
only if it can never become headless again, an upper one has to as soon as it is headed.

    lower     = |U| + gold roots that can no longer become headless
    pc-upper  = |U| + headed gold roots + problematic cycles of A ∪ I
    upper     = |U| + headed gold roots + cycles of A ∪ I
    simulated = wrong heads after building the unbuilt arcs of I in Covington's order

All but a last term, which is 0 most of the time, is a sum over words; a transition changes it at two of
them.

Of each there is one more, `lower-monotonic` and so on, that prefers the straight way.
"""

cimport cython
from libc.string cimport memcpy

from rearc.oracles.base cimport Oracle, is_right
from rearc.oracles.cycles cimport Cycles
from rearc.oracles.graph cimport ANY, NEVER, Graph, has_ancestor, is_passed, unbuilt, unbuilt_arcs
from rearc.oracles.headless cimport can_become_headless
from rearc.oracles.kin cimport Kin
from rearc.oracles.room cimport Room, free_room, make_room
from rearc.oracles.straight cimport Straight
from rearc.systems.config cimport LEFT_ARC, NO_ARC, NONE, RIGHT_ARC, SHIFT, Config, Transition, kind_of
from rearc.systems.covington cimport left_focus


cdef class Bound(Oracle):
    """What the bounds share: the sum over words, and a last term `rest` of which each bound has its own."""
    cdef Graph g
    cdef Room memory
    cdef int *spare
    cdef int *part                  # for CycleBound
    cdef bint counts_roots          # headed gold roots are part of the sum
    cdef bint is_straight           # of the best transitions, those after which least is lost without repairs
    cdef Straight straight

    def __cinit__(self):
        self.straight = Straight()

    def __dealloc__(self):
        free_room(&self.memory)

    cdef int prepare(self) noexcept nogil:
        cdef size_t size = self.n + 2
        cdef int *block = <int *>make_room(&self.memory, self.n, 5 * sizeof(int))
        if block == NULL or (self.is_straight and self.straight.reserve(self.n) < 0):
            return -1
        self.g.head = block
        self.g.gold = block + size
        self.g.order = block + 2 * size
        self.part = block + 3 * size
        self.spare = block + 4 * size
        self.g.arcs = self.sort_arcs(block + 2 * size)
        return 0

    @cython.final
    cdef int sort_arcs(self, int *order) noexcept nogil:
        """The words with a gold head by Covington's order of these arcs: right end up, left end down."""
        cdef int j, k, d, count = 0
        cdef bint is_in
        for j in range(1, self.n + 1):
            is_in = not 0 < self.gold[j] < j
            for k in range(self.first[j + 1] - 1, self.first[j] - 1, -1):
                d = self.dependents[k]
                if d > j:
                    continue
                if not is_in and self.gold[j] > d:
                    order[count] = j
                    count += 1
                    is_in = True
                order[count] = d
                count += 1
            if not is_in:
                order[count] = j
                count += 1
        return count

    # ---- what a bound defines
    #
    # All of it looks at self.g. For one configuration the calls come in this order: `look` once, while self.g is the
    # configuration itself. Then, for every transition, `keeps_rest`: self.g is still the configuration. Only where the answer
    # is no, `rest`: now self.g is what the transition makes of it. `look` is the place to note down what the other two need;
    # neither of them may change these notes, for the next transition needs them too.

    cdef int look(self) noexcept nogil:
        """The last term of the configuration whose transitions are judged."""
        return self.rest(0)

    cdef bint keeps_rest(self, int h, int d, int w, int j) noexcept nogil:
        """Is the last term the same after a transition that builds h→d (0, 0 for none), passes the words w…i, and has j as the
        right focus afterwards? It may say no when it does not know."""
        return False

    cdef int rest(self, int d) noexcept nogil:
        """The last term; d is the word that the transition gave a head, or 0."""
        return 0

    cdef int cap(self) noexcept nogil:
        """Where rest is cut off, less one for every arc of I that gets lost or built; far away if never."""
        return 2 * self.n

    cdef bint can_get(self, const Config *c, int h, int d) noexcept nogil:
        return c.head[d] == h or h == 0 or not is_passed(c.i, c.j, h, d)

    # ---- loss

    @cython.final
    cdef void load(self, const Config *c) noexcept nogil:
        cdef int d
        self.g.n, self.g.i, self.g.j = c.n, c.i, c.j
        for d in range(1, c.n + 1):
            self.g.head[d] = c.head[d]
            if self.gold[d] == NONE:
                self.g.gold[d] = ANY
            else:
                self.g.gold[d] = self.gold[d] if c.head[d] != self.gold[d] or is_right(self, c, d) else NEVER

    @cython.final
    cdef bint is_lost(self, int d) noexcept nogil:
        """d's term of the sum."""
        cdef int h = self.g.gold[d]
        if h == 0:
            return self.counts_roots and self.g.head[d] != NONE
        if h == ANY:
            return False
        return h != self.g.head[d] and (h == NEVER or is_passed(self.g.i, self.g.j, h, d))

    @cython.final
    cdef int lost(self) noexcept nogil:
        cdef int d, total = 0
        for d in range(1, self.g.n + 1):
            total += self.is_lost(d)
        return total

    cdef int loss_of(self, const Config *c) except -1 nogil:
        self.load(c)
        return self.lost() + self.look()

    # ---- costs

    @cython.final
    cdef int lost_by_shift(self) noexcept nogil:
        """Gold arcs between j and λ1; none is built, for their pairs are still to come."""
        cdef int k, total = 0 < self.gold[self.g.j] <= self.g.i
        for k in range(self.first[self.g.j], self.first[self.g.j + 1]):
            if self.dependents[k] > self.g.i:
                break
            total += 1
        return total

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, w, kind, h, d, old_h, old_d, before, cap, passed = 0, gone, i = c.i, j = c.j
        cdef bint keeps
        if count == 0:
            return
        self.load(c)
        before = self.look()
        cap = self.cap() if before > 0 else 2 * c.n
        for k in range(count):
            kind = kind_of(ts[k])
            if kind == SHIFT:
                w = 1
                gone = self.lost_by_shift()
            else:
                w = left_focus(c, ts[k])
                while i > w:
                    passed += self.gold[i] == j or self.gold[j] == i
                    i -= 1
                gone = passed + (self.gold[w] == j or self.gold[j] == w)
            h = j if kind == LEFT_ARC else w if kind == RIGHT_ARC else 0
            d = w if kind == LEFT_ARC else j if kind == RIGHT_ARC else 0
            keeps = self.keeps_rest(h, d, w, j + (kind == SHIFT))

            costs[k] = gone
            if h != 0:
                self.g.i = w                                # as if the words after w had been passed
                costs[k] = passed - self.is_lost(h) - self.is_lost(d)
                old_h, old_d = self.g.head[h], self.g.head[d]
                if has_ancestor(&self.g, h, d):
                    self.g.head[h] = NONE
                self.g.head[d] = h
                self.g.i = w - 1
                costs[k] += self.is_lost(h) + self.is_lost(d)
            if not keeps:
                self.g.i = j if kind == SHIFT else w - 1
                self.g.j = j + (kind == SHIFT)
                costs[k] += self.rest(d) - before
                self.g.j = j
            elif cap - gone < before:
                costs[k] += cap - gone - before
            if h != 0:
                self.g.head[h], self.g.head[d] = old_h, old_d
            self.g.i = c.i

    # ---- optimal transitions

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        """Gold arcs first: a wrong arc that can be repaired is free too, but no derivation should take it."""
        cdef int k, h, d, ahead = 0, count = Oracle.optimal_into(self, c, out)
        for k in range(count):
            if self.system.arc(c, out[k], &h, &d) and self.gold[d] == h:
                out[k], out[ahead] = out[ahead], out[k]
                ahead += 1
        return count

    cdef int best_among(self, const Config *c, Transition *ts, int count) noexcept nogil:
        count = Oracle.best_among(self, c, ts, count)
        if not self.is_straight or count < 2:
            return count
        if kind_of(ts[count - 1]) == NO_ARC and self.lost_by_shift() == 0:      # shift and no-arc, and nothing to lose by either
            return count
        self.straight.look(&self.g)
        return self.straightest(c, ts, count)

    cdef int detour(self, const Config *c, Transition t) noexcept nogil:
        """What is lost without repairs after t; self.g is the configuration, before and after the call."""
        cdef int h, d, loss, w = left_focus(c, t)
        if kind_of(t) == SHIFT:
            self.g.i, self.g.j, w = c.j, c.j + 1, 1
        else:
            self.g.i = w - 1
        if self.system.arc(c, t, &h, &d):
            if has_ancestor(&self.g, h, d):
                self.g.head[h] = NONE
            self.g.head[d] = h
            loss = self.straight.loss_after(self, c, &self.g, h, d, w)
            self.g.head[h], self.g.head[d] = c.head[h], c.head[d]
        else:
            loss = self.straight.loss_after(self, c, &self.g, 0, 0, w)
        self.g.i, self.g.j = c.i, c.j
        return loss


cdef class Lower(Bound):
    """Never above the loss."""

    cdef int rest(self, int d) noexcept nogil:
        cdef int k, total = 0
        if self.g.n - self.g.j >= 2:
            return 0
        for k in range(self.first[0], self.first[1]):
            total += not can_become_headless(&self.g, self.dependents[k])
        return total

    cdef bint keeps_rest(self, int h, int d, int w, int j) noexcept nogil:
        return self.g.n - j >= 2


cdef class CycleBound(Bound):
    """The bounds that look at cycles. Without one, every arc of I can be built and stays: rest is 0.

    rest depends on the strongly connected parts of A ∪ I and the arcs into them alone: a transition that
    touches neither leaves it as it is.
    """
    cdef Cycles cycles
    cdef Kin kin
    # noted by `look`; `part` has the strongly connected parts
    cdef bint is_cyclic             # A ∪ I has a cycle
    cdef bint knows_kin             # kin has climbed
    cdef int last_entry             # the greatest word of λ1 whose arc of I with j leads into a part, or 0

    def __cinit__(self):
        self.counts_roots = True
        self.cycles = Cycles()
        self.kin = Kin()

    cdef int prepare(self) noexcept nogil:
        if Bound.prepare(self) < 0 or self.cycles.reserve(self.n) < 0 or self.kin.reserve(self.n) < 0:
            return -1
        return 0

    cdef int rest_of_cyclic(self) noexcept nogil:
        """rest when A ∪ I has a cycle."""
        return 0

    cdef int rest(self, int d) noexcept nogil:
        return self.rest_of_cyclic() if self.cycles.find(&self.g, 0 if self.is_cyclic else d) else 0

    cdef int look(self) noexcept nogil:
        cdef int k, w, j = self.g.j
        self.knows_kin = False
        self.is_cyclic = self.cycles.find(&self.g, 0)
        if not self.is_cyclic:
            return 0
        memcpy(self.part, self.cycles.part, (self.n + 1) * sizeof(int))
        self.last_entry = self.gold[j] if self.part[j] != 0 and self.gold[j] <= self.g.i else 0
        for k in range(self.first[j], self.first[j + 1]):
            w = self.dependents[k]
            if w <= self.g.i and self.part[w] != 0:
                self.last_entry = max(self.last_entry, w)
        return self.rest_of_cyclic()

    cdef bint keeps_rest(self, int h, int d, int w, int j) noexcept nogil:
        if self.is_cyclic and (w <= self.last_entry or (d != 0 and self.part[d] != 0)):
            return False
        if h == 0 or self.g.gold[d] == h:
            return True
        if not self.knows_kin:
            self.kin.climb_from_j(&self.g)
            self.knows_kin = True
        if h == self.g.j:
            return not self.kin.above[d]
        return not self.kin.is_below_j(&self.g, h)


cdef class PCUpper(CycleBound):
    """Never below the loss: only cycles that cost a gold arc count."""

    cdef int rest_of_cyclic(self) noexcept nogil:
        return self.cycles.count(&self.g, True)

    cdef int cap(self) noexcept nogil:
        return unbuilt_arcs(&self.g)


cdef class Upper(CycleBound):
    """Never below the loss, nor below pc-upper."""

    cdef int rest_of_cyclic(self) noexcept nogil:
        return self.cycles.count(&self.g, False)

    cdef int cap(self) noexcept nogil:
        return unbuilt_arcs(&self.g)


cdef class Simulated(CycleBound):
    """The loss of one particular way on: never below the least, never above pc-upper. In no paper."""

    cdef int rest_of_cyclic(self) noexcept nogil:
        cdef int *head = self.spare
        cdef int k, d, h, w, wrong = 0
        memcpy(head, self.g.head, (self.n + 1) * sizeof(int))
        for k in range(self.g.arcs):
            d = self.g.order[k]
            h = w = unbuilt(&self.g, d)
            if h == 0:
                continue
            while w > 0 and w != d:
                w = head[w]
            head[d] = h
            if w == d:                                      # d →* h: the cycle is broken above h
                head[h] = NONE
        for d in range(1, self.g.n + 1):
            wrong += self.g.gold[d] != (0 if head[d] == NONE else head[d]) and self.g.gold[d] != ANY
        return wrong - self.lost()


# The straight way preferred: in no paper. A bound calls a wrong arc free that can be replaced later. It is: but a parser that is
# taught so takes detours, and each of them asks for one more right decision. So a repair is taken when it repairs, and no arc because
# it can be repaired. Costs and losses are those of the bound.

cdef class LowerMonotonic(Lower):
    def __cinit__(self):
        self.is_straight = True


cdef class PCUpperMonotonic(PCUpper):
    def __cinit__(self):
        self.is_straight = True


cdef class UpperMonotonic(Upper):
    def __cinit__(self):
        self.is_straight = True


cdef class SimulatedMonotonic(Simulated):
    def __cinit__(self):
        self.is_straight = True
