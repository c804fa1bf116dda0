"""Approximate oracles of non-monotonic Covington and NL-Covington (Fernández-González & Gómez-Rodríguez 2017, §4).

U are the gold arcs x→y (x ≠ 0) that are not in A and whose pair has been passed. What the paper leaves open is how a gold root counts: a
*lower* bound may count it only if it can never become headless again, an *upper* one has to as soon as it is headed.

    lower     = |U| + gold roots that can no longer become headless
    pc-upper  = |U| + headed gold roots + problematic cycles of A ∪ I
    upper     = |U| + headed gold roots + cycles of A ∪ I
    simulated = wrong heads after building the unbuilt arcs of I in Covington's order

All but a last term, 0 most of the time, is a sum over words, and a transition changes it at two words only.
"""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from rearc.oracles.base cimport Oracle, is_right
from rearc.oracles.cycles cimport Cycles
from rearc.oracles.graph cimport NEVER, Graph, has_ancestor, head_of, is_passed
from rearc.oracles.headless cimport can_become_headless
from rearc.systems.config cimport LEFT_ARC, NO_ARC, NONE, SHIFT, Config, Transition, kind_of
from rearc.systems.covington cimport left_focus

cdef enum:                          # does a climb from the word reach j?
    UNKNOWN
    NO
    YES


cdef class Bound(Oracle):
    """What the bounds share: the sum over words, and a last term `rest` of which each bound has its own."""
    cdef Graph g
    cdef int *memory
    cdef int room
    cdef bint counts_roots          # headed gold roots are part of the sum

    def __dealloc__(self):
        free(self.memory)

    cdef int prepare(self) noexcept nogil:
        cdef size_t size = self.n + 1
        if self.memory == NULL or self.room < self.n:
            free(self.memory)
            self.room = 0
            self.memory = <int *>malloc(2 * size * sizeof(int))
            if self.memory == NULL:
                return -1
            self.room = self.n
        self.g.head = self.memory
        self.g.gold = self.memory + size
        return 0

    # ---- what a bound defines, all of self.g

    cdef int rest(self) noexcept nogil:
        return 0

    cdef int look(self) noexcept nogil:
        """rest of the configuration whose transitions are judged; remembers what `may_change` needs."""
        return self.rest()

    cdef bint may_change(self, int h, int d, int j) noexcept nogil:
        """Another rest is possible when h→d is built (0, 0 for none) and j is the right focus then."""
        return True

    # ---- loss

    @cython.final
    cdef void load(self, const Config *c) noexcept nogil:
        cdef int d
        self.g.n, self.g.i, self.g.j = c.n, c.i, c.j
        for d in range(1, c.n + 1):
            self.g.head[d] = c.head[d]
            self.g.gold[d] = self.gold[d] if c.head[d] != self.gold[d] or is_right(self, c, d) else NEVER

    @cython.final
    cdef bint is_lost(self, int d) noexcept nogil:
        """d's term of the sum."""
        cdef int h = self.g.gold[d]
        if h == 0:
            return self.counts_roots and self.g.head[d] != NONE
        return h != self.g.head[d] and (h == NEVER or is_passed(self.g.i, self.g.j, h, d))

    @cython.final
    cdef int lost(self) noexcept nogil:
        cdef int d, total = 0
        for d in range(1, self.g.n + 1):
            total += self.is_lost(d)
        return total

    cdef int loss_of(self, const Config *c) noexcept nogil:
        self.load(c)
        return self.lost() + self.rest()

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
        cdef int k, w, kind, h, d, old_h, old_d, before, passed = 0, i = c.i, j = c.j
        cdef bint changes
        if count == 0:
            return
        self.load(c)
        before = self.look()
        for k in range(count):
            kind = kind_of(ts[k])
            if kind == SHIFT:
                costs[k] = self.lost_by_shift()
                if self.may_change(0, 0, j + 1):
                    self.g.i, self.g.j = j, j + 1
                    costs[k] += self.rest() - before
                    self.g.i, self.g.j = c.i, j
                continue
            w = left_focus(c, ts[k])
            while i > w:
                passed += self.gold[i] == j or self.gold[j] == i
                i -= 1
            if kind == NO_ARC:
                costs[k] = self.gold[w] == j or self.gold[j] == w
                if self.may_change(0, 0, j):
                    self.g.i = w - 1
                    costs[k] += self.rest() - before
                    self.g.i = c.i
                continue
            h, d = (j, w) if kind == LEFT_ARC else (w, j)
            changes = self.may_change(h, d, j)
            self.g.i = w
            costs[k] = passed - self.is_lost(w) - self.is_lost(j)
            old_h, old_d = self.g.head[h], self.g.head[d]
            if has_ancestor(&self.g, h, d):
                self.g.head[h] = NONE
            self.g.head[d] = h
            self.g.i = w - 1
            costs[k] += self.is_lost(w) + self.is_lost(j)
            if changes:
                costs[k] += self.rest() - before
            self.g.head[h], self.g.head[d] = old_h, old_d
            self.g.i = c.i

    cdef int optimal_into(self, const Config *c, Transition *out) noexcept nogil:
        """Gold arcs first: a wrong arc that can be repaired costs nothing either, but a derivation should not take it."""
        cdef int k, h, d, ahead = 0, count = Oracle.optimal_into(self, c, out)
        for k in range(count):
            if self.system.arc(c, out[k], &h, &d) and self.gold[d] == h:
                out[k], out[ahead] = out[ahead], out[k]
                ahead += 1
        return count


cdef class Lower(Bound):
    """Never above the loss."""

    cdef int rest(self) noexcept nogil:
        cdef int k, total = 0
        if self.g.n - self.g.j >= 2:
            return 0
        for k in range(self.first[0], self.first[1]):
            total += not can_become_headless(&self.g, self.dependents[k])
        return total

    cdef bint may_change(self, int h, int d, int j) noexcept nogil:
        return self.g.n - j < 2


cdef class CycleBound(Bound):
    """The bounds that look at cycles. Without one, every arc of I can be built and stays: rest is 0."""
    cdef Cycles cycles
    cdef unsigned char *above       # the word is above j in A ∪ I
    cdef unsigned char *below       # UNKNOWN, NO, YES: j is above the word in A ∪ I
    cdef unsigned char *turn
    cdef int *frames
    cdef int space
    cdef bint is_cyclic             # A ∪ I has a cycle before the transition
    cdef bint has_above             # `above` is filled in

    def __cinit__(self):
        self.counts_roots = True
        self.cycles = Cycles()

    def __dealloc__(self):
        free(self.frames)

    cdef int prepare(self) noexcept nogil:
        cdef size_t size = self.n + 1
        if Bound.prepare(self) < 0 or self.cycles.reserve(self.n) < 0:
            return -1
        if self.frames == NULL or self.space < self.n:
            free(self.frames)
            self.space = 0
            self.frames = <int *>malloc(size * (sizeof(int) + 3))
            if self.frames == NULL:
                return -1
            self.space = self.n
        self.above = <unsigned char *>(self.frames + size)
        self.below = self.above + size
        self.turn = self.below + size
        return 0

    cdef int rest_of_cyclic(self) noexcept nogil:
        """rest when A ∪ I has a cycle."""
        return 0

    cdef int rest(self) noexcept nogil:
        return self.rest_of_cyclic() if self.cycles.find(&self.g) else 0

    cdef int look(self) noexcept nogil:
        self.has_above = False
        self.is_cyclic = self.cycles.find(&self.g)
        return self.rest_of_cyclic() if self.is_cyclic else 0

    cdef bint may_change(self, int h, int d, int j) noexcept nogil:
        """Into an acyclic graph a cycle comes only by a wrong arc from below to above."""
        if self.is_cyclic:
            return True
        if h == 0 or self.g.gold[d] == h:
            return False
        if not self.has_above:
            self.climb_from_j()
        return self.above[d] if h == self.g.j else self.is_below_j(h)

    @cython.final
    cdef void climb_from_j(self) noexcept nogil:
        cdef int w, h, which, depth = 1
        self.has_above = True
        memset(self.above, False, self.g.n + 1)
        memset(self.below, UNKNOWN, self.g.n + 1)
        self.below[self.g.j] = YES
        self.frames[0] = self.g.j
        while depth > 0:
            depth -= 1
            w = self.frames[depth]
            for which in range(2):
                h = head_of(&self.g, w, which)
                if h != 0 and not self.above[h]:
                    self.above[h] = True
                    self.below[h] = NO                      # there is no cycle
                    self.frames[depth] = h
                    depth += 1

    @cython.final
    cdef bint is_below_j(self, int w) noexcept nogil:
        """j →* w in A ∪ I, which has no cycle. Each word is climbed from once a configuration."""
        cdef int h, top = w, depth = 0
        while True:
            if self.below[w] == UNKNOWN:
                self.below[w] = NO                          # until a way is found
                self.turn[w] = 0
                self.frames[depth] = w
                depth += 1
            if depth == 0:
                return self.below[top] == YES
            w = self.frames[depth - 1]
            if self.below[w] == NO and self.turn[w] < 2:
                h = head_of(&self.g, w, self.turn[w])
                self.turn[w] += 1
                if h != 0 and self.below[h] == YES:
                    self.below[w] = YES
                elif h != 0 and self.below[h] == UNKNOWN:
                    w = h
                continue
            depth -= 1
            if depth > 0 and self.below[w] == YES:
                self.below[self.frames[depth - 1]] = YES


cdef class PCUpper(CycleBound):
    """Never below the loss: only cycles that cost a gold arc count."""

    cdef int rest_of_cyclic(self) noexcept nogil:
        return self.cycles.count(&self.g, True)


cdef class Upper(CycleBound):
    """Never below the loss, nor below pc-upper."""

    cdef int rest_of_cyclic(self) noexcept nogil:
        return self.cycles.count(&self.g, False)


cdef class Simulated(CycleBound):
    """The loss of one particular way on: never below the least, never above pc-upper. In no paper."""

    cdef int rest_of_cyclic(self) noexcept nogil:
        cdef int *head = self.frames
        cdef int d, j, k, wrong = 0
        memcpy(head, self.g.head, (self.g.n + 1) * sizeof(int))
        for j in range(self.g.j, self.g.n + 1):
            d = j
            for k in range(self.first[j + 1] - 1, self.first[j] - 1, -1):
                if self.dependents[k] > j:
                    continue
                if self.dependents[k] < self.gold[j] < d:
                    self.build(head, self.gold[j], j)
                d = self.dependents[k]
                self.build(head, j, d)
            if 0 < self.gold[j] < d:
                self.build(head, self.gold[j], j)
        for d in range(1, self.g.n + 1):
            wrong += self.g.gold[d] != (0 if head[d] == NONE else head[d])
        return wrong - self.lost()

    @cython.final
    cdef void build(self, int *head, int h, int d) noexcept nogil:
        """Build the gold arc h→d if it is in I and was not built before; as the system does."""
        cdef int w = h
        if self.g.gold[d] != h or self.g.head[d] == h or is_passed(self.g.i, self.g.j, h, d):
            return
        while w > 0 and w != d:
            w = head[w]
        head[d] = h
        if w == d:
            head[h] = NONE
