"""Oracles of monotonic Covington and NL-Covington (Gómez-Rodríguez & Fernández-González 2015).

Theorem 1: loss = |U| + nc(A ∪ I). I are the gold arcs still reachable one by one, U the others, nc counts
cycles. In A ∪ I no word has two heads, so its cycles are disjoint and a word lies on one at most. A gold
root is in I as long as it is headless.

The cost of a transition is the difference of two losses. Only arcs at i or j change their status, so it is
found by climbing A ∪ I from these two words:

- passing pairs (w, j) loses the arcs of I between them, less one if j's cycle goes with them;
- building h→d that is not gold loses d's arc of I, less one if d's cycle goes with it, plus one if d is
  above h: then either the new arc closes a cycle, or the arc of I that would is lost since the two
  components are now one.
"""

cimport cython
from libc.string cimport memset

from rearc.oracles.base cimport Oracle, is_known, is_right
from rearc.oracles.graph cimport is_passed
from rearc.oracles.one_root cimport After, climb, extra
from rearc.oracles.room cimport Room, free_room, make_room
from rearc.systems.config cimport LEFT_ARC, NO_ARC, NONE, SHIFT, Config, Transition, kind_of
from rearc.systems.covington cimport connected, left_focus
from rearc.systems.one_root cimport late_word, with_late

cdef enum:                          # what is known of a word while A ∪ I is climbed
    NEW
    ON_PATH
    DONE
    ON_RING


cdef class CovingtonDynamic(Oracle):
    """The exact cost of every transition, for NL-Covington at its destination."""
    cdef unsigned char *seen        # of climbs that start below j
    cdef unsigned char *above       # the word is above j in A ∪ I
    cdef int *via                   # the dependent of j by which a climb from the word reaches j, or 0
    cdef int *path
    cdef Room memory
    cdef int top                    # j's head in A ∪ I, or 0
    cdef int closing                # if j is on a cycle, j's dependent on it, or 0

    def __dealloc__(self):
        free_room(&self.memory)

    cdef int prepare(self) noexcept nogil:
        cdef size_t size = self.n + 2
        self.via = <int *>make_room(&self.memory, self.n, 2 * sizeof(int) + 2)
        if self.via == NULL:
            return -1
        self.path = self.via + size
        self.seen = <unsigned char *>(self.path + size)
        self.above = self.seen + size
        return 0

    # ---- A ∪ I

    @cython.final
    cdef bint is_reachable(self, const Config *c, int d) noexcept nogil:
        """d's gold arc, not built yet, is in I."""
        cdef int g = self.gold[d]
        return c.head[d] == NONE and g != NONE and (g == 0 or not (is_passed(c.i, c.j, g, d) or connected(c, g, d)))

    @cython.final
    cdef int up(self, const Config *c, int d) noexcept nogil:
        """d's head in A ∪ I, or 0."""
        if c.head[d] != NONE:
            return c.head[d]
        return self.gold[d] if self.is_reachable(c, d) else 0

    cdef bint can_get(self, const Config *c, int h, int d) noexcept nogil:
        if c.head[d] == h or h == 0:
            return c.head[d] == h or c.head[d] == NONE
        return c.head[d] == NONE and not (is_passed(c.i, c.j, h, d) or connected(c, h, d))

    cdef int loss_of(self, const Config *c) except -1 nogil:
        cdef int d, w, loss = 0
        cdef After a
        if self.wants_one_root():
            a = self.now(c)
            loss = extra(&a)
        for d in range(1, c.n + 1):
            loss += is_known(self, d) and not (is_right(self, c, d) or self.is_reachable(c, d))
        memset(self.seen, NEW, c.n + 1)
        for d in range(1, c.n + 1):
            w = d
            while w != 0 and self.seen[w] == NEW:
                self.seen[w] = ON_PATH
                w = self.up(c, w)
            loss += w != 0 and self.seen[w] == ON_PATH
            w = d
            while w != 0 and self.seen[w] == ON_PATH:
                self.seen[w] = DONE
                w = self.up(c, w)
        return loss

    # ---- costs

    @cython.final
    cdef void climb_from_j(self, const Config *c) noexcept nogil:
        cdef int w, d = c.j
        memset(self.above, 0, c.n + 1)
        w = self.top = self.up(c, c.j)
        while w != 0 and w != c.j and not self.above[w]:
            self.above[w] = True
            d = w
            w = self.up(c, w)
        self.closing = d if w == c.j else 0

    @cython.final
    cdef void climb(self, const Config *c, int w) noexcept nogil:
        """Find out via[w], and whether w is on a cycle that j is not on."""
        cdef int length = 0, last = 0, k
        while w != 0 and w != c.j and self.seen[w] == NEW:
            self.seen[w] = ON_PATH
            self.path[length] = last = w
            length += 1
            w = self.up(c, w)
        if w == 0:
            last = 0
        elif w != c.j:
            last = self.via[w] if self.seen[w] != ON_PATH else 0
        for k in range(length - 1, -1, -1):
            self.via[self.path[k]] = last
            if w != 0 and w != c.j and self.seen[w] == ON_PATH:
                self.seen[self.path[k]] = ON_RING
            else:
                self.seen[self.path[k]] = DONE

    @cython.final
    cdef int loses(self, const Config *c, int w) noexcept nogil:
        """Arcs of I between w and j, which are lost when the pair is passed."""
        if self.gold[w] == c.j:
            return c.head[w] == NONE and not connected(c, w, c.j)
        return self.gold[c.j] == w and c.head[c.j] == NONE and not connected(c, w, c.j)

    @cython.final
    cdef bint breaks(self, const Config *c, int w) noexcept nogil:
        """j's cycle is broken when the words w…i are passed."""
        return self.closing != 0 and (
            (c.head[c.j] == NONE and w <= self.top <= c.i)
            or (c.head[self.closing] == NONE and w <= self.closing <= c.i)
        )

    @cython.final
    cdef int shift_cost(self, const Config *c) noexcept nogil:
        cdef int k, cost = 0
        if 0 < self.gold[c.j] <= c.i:
            cost += self.loses(c, self.gold[c.j])
        for k in range(self.first[c.j], self.first[c.j + 1]):
            if self.dependents[k] > c.i:
                break
            cost += self.loses(c, self.dependents[k])
        return cost - self.breaks(c, 1)

    @cython.final
    cdef int left_arc_cost(self, const Config *c, int w) noexcept nogil:
        """Of j→w when the words after w have been passed."""
        cdef int cost
        cdef bint on_cycle
        if self.gold[w] == c.j:
            return 0
        # w is above j, unless j's arc of I has been passed
        cost = self.above[w] and not (c.head[c.j] == NONE and w < self.top <= c.i)
        if self.gold[w] == 0 or self.gold[w] > c.j:
            self.climb(c, w)
            on_cycle = self.seen[w] == ON_RING
            if self.above[w] and self.closing != 0 and not self.breaks(c, w + 1):
                on_cycle = True
            cost += not on_cycle
        return cost

    @cython.final
    cdef int right_arc_cost(self, const Config *c, int w) noexcept nogil:
        """Of w→j when the words after w have been passed."""
        cdef int cost, d, g = self.gold[c.j]
        cdef bint on_cycle
        if g == w:
            return 0
        self.climb(c, w)
        d = self.via[w]
        # j is above w, unless j→d of I has been passed
        cost = d != 0 and not (c.head[d] == NONE and w < d <= c.i)
        if g == 0 or g > c.j or (0 < g < w and not connected(c, g, c.j)):
            on_cycle = self.closing != 0 and not self.breaks(c, w + 1)
            cost += not on_cycle
        return cost

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, w, kind, lost = 0, i = c.i
        if count == 0:
            return
        memset(self.seen, NEW, c.n + 1)
        self.climb_from_j(c)
        for k in range(count):
            kind = kind_of(ts[k])
            if kind == SHIFT:
                costs[k] = self.shift_cost(c)
                continue
            w = left_focus(c, ts[k])
            while i > w:
                lost += self.loses(c, i)
                i -= 1
            if kind == NO_ARC:
                costs[k] = self.loses(c, w) - self.breaks(c, w)
                continue
            costs[k] = lost - self.breaks(c, w + 1)
            costs[k] += self.left_arc_cost(c, w) if kind == LEFT_ARC else self.right_arc_cost(c, w)
        if self.wants_one_root():
            self.add_one_root(c, ts, count, costs)

    # ---- one root

    @cython.final
    cdef bint wants_one_root(self) noexcept nogil:
        return self.system.single_root and self.first[1] <= 1

    @cython.final
    cdef After now(self, const Config *c) noexcept nogil:
        cdef After a
        a.c, a.gold, a.root = c, self.gold, self.dependents[0] if self.first[1] else NONE
        a.i, a.j, a.h, a.d = c.i, c.j, 0, 0
        a.late = late_word(c) if c.j == c.n else 0
        return a

    @cython.final
    cdef void add_one_root(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        """As long as ρ is above n in A ∪ I, only what changes a head on the way there can matter."""
        cdef After a = self.now(c)
        cdef int k, w, last = 0, i = c.i, late = a.late, before = extra(&a)
        cdef bint safe = c.j < c.n and a.root != NONE and c.head[a.root] != NONE
        cdef unsigned char *on_path = self.seen
        memset(on_path, False, c.n + 1)
        if c.j < c.n and not safe and a.root != NONE and climb(&a, c.n, on_path) == a.root:
            safe = True
            if on_path[c.j] and 0 < self.gold[c.j] <= c.i:
                last = self.gold[c.j]
            for k in range(self.first[c.j], self.first[c.j + 1]):
                w = self.dependents[k]
                if w <= c.i and on_path[w]:
                    last = max(last, w)                     # that arc is lost when the pair is passed
        for k in range(count):
            if kind_of(ts[k]) == SHIFT:
                if safe and last == 0 and c.j + 1 < c.n:
                    continue
                a.i, a.j, a.h, a.d, a.late = c.j, c.j + 1, 0, 0, 0
            else:
                w = left_focus(c, ts[k])
                if not self.system.arc(c, ts[k], &a.h, &a.d):
                    a.h = a.d = 0
                if safe and w > last and not on_path[a.d]:
                    continue
                while i > w:
                    late = with_late(c, late, i) if c.j == c.n else 0
                    i -= 1
                a.i, a.j = w - 1, c.j
                a.late = with_late(c, late, w) if c.j == c.n and a.d != w else late
            costs[k] += extra(&a) - before


cdef class CovingtonStatic(CovingtonDynamic):
    """Build the gold arc i–j; else No-Arc if j has a gold arc with a word before i; else Shift.

    Off the gold path, what the rule asks for may be illegal: then its next best answer counts.
    """

    def __cinit__(self):
        self.is_static = True

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        cdef int k, h, d
        cdef Transition other = ts[0]
        cdef bint waits = 0 < self.gold[c.j] < c.i or (
            self.first[c.j] < self.first[c.j + 1] and self.dependents[self.first[c.j]] < c.i
        )
        for k in range(count):
            if self.system.arc(c, ts[k], &h, &d):
                if self.gold[d] == h:
                    return ts[k]
            elif kind_of(ts[k]) == (NO_ARC if waits else SHIFT):
                other = ts[k]
        return other


cdef class NLCovingtonStatic(CovingtonStatic):
    """The nearest gold arc between j and λ1, else Shift (Fernández-González & Gómez-Rodríguez 2018, §4.2)."""

    cdef Transition rule(self, const Config *c, const Transition *ts, int count) noexcept nogil:
        cdef int k, h, d
        cdef Transition other = ts[0]
        for k in range(count):
            if not self.system.arc(c, ts[k], &h, &d):
                other = ts[k]
            elif self.gold[d] == h:
                return ts[k]
        return other
