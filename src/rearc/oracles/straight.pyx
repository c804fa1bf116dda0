"""The loss of going on without repairs: |U| + nc(A ∪ I) of monotonic Covington (Gómez-Rodríguez & Fernández-González 2015, Theorem 1).

A is a forest at all times, so the theorem holds for the configurations of the non-monotonic systems too. If no head is changed any
more, a gold arc can be built only to a headless word, only between two components, and only while its pair is to come. I are these
arcs and the root's to headless words; no word has two heads in A ∪ I.

A transition that builds h→d moves one subtree of A: that of d. (If h is in it, the cycle is broken above h: all of the subtree then
hangs on h, which is headless.) So few words gain or lose their arc of I: those whose pair with j is passed, d, h, and the headless
words above d and h, for a headless word gets no head from below it.
"""

cimport cython
from libc.string cimport memset

from rearc.oracles.base cimport Oracle
from rearc.oracles.graph cimport ANY, Graph, has_ancestor, is_passed, is_wrong
from rearc.oracles.room cimport free_room, make_room
from rearc.systems.config cimport NONE, Config


@cython.final
cdef class Straight:
    def __dealloc__(self):
        free_room(&self.room)

    cdef int reserve(self, int n) noexcept nogil:
        self.top = <int *>make_room(&self.room, n, 2 * sizeof(int))
        if self.top == NULL:
            return -1
        self.seen = self.top + n + 2
        return 0

    cdef void look(self, const Graph *g) noexcept nogil:
        cdef Moved moved = Moved(NONE, NONE)
        cdef int d, earlier = 0, last = min(g.j, g.n)       # no word after j has a head
        memset(self.top, 0, (last + 1) * sizeof(int))
        for d in range(1, last + 1):
            self.name_component(g, d)
        for d in range(last + 1, g.n + 1):
            self.top[d] = d
        memset(self.seen, 0, (g.n + 1) * sizeof(int))
        self.climbs = 0
        self.is_cyclic = False
        for d in range(1, last + 1):
            if is_wrong(g, d) and self.meets_itself(g, &moved, d, earlier):     # every cycle has a wrong arc
                self.is_cyclic = True
                return

    cdef void name_component(self, const Graph *g, int d) noexcept nogil:
        cdef int w = d, top
        while self.top[w] == 0 and g.head[w] != NONE:
            w = g.head[w]
        top = self.top[w] or w
        self.top[w] = top
        while self.top[d] == 0:
            self.top[d] = top
            d = g.head[d]

    cdef int up(self, const Graph *g, const Moved *moved, int d) noexcept nogil:
        """d's head in A ∪ I, or 0; of a graph in which a subtree has been moved since `look`."""
        cdef int h = g.head[d], top
        if h != NONE:
            return h
        h = g.gold[d]
        if h <= 0 or is_passed(g.i, g.j, h, d):
            return 0
        top = moved.top if moved.root != NONE and has_ancestor(g, h, moved.root) else self.top[h]
        return 0 if top == d else h

    cdef bint meets_itself(self, const Graph *g, const Moved *moved, int d, int earlier) noexcept nogil:
        """A climb from d ends in a cycle that no climb since `earlier` has met."""
        self.climbs += 1
        while d != 0 and self.seen[d] <= earlier:
            self.seen[d] = self.climbs
            d = self.up(g, moved, d)
        return d != 0 and self.seen[d] == self.climbs

    cdef int loss_after(self, Oracle o, const Config *c, const Graph *g, int h, int d, int w) noexcept nogil:
        cdef Moved moved = Moved(NONE, NONE)
        cdef int changed[6]
        cdef int k, v, loss = 0, count = 1, earlier = self.climbs
        changed[0] = c.j
        if d != 0:
            if g.head[h] != c.head[h]:                      # a cycle was broken there
                moved.root = moved.top = h
            else:
                moved.root, moved.top = d, self.top[h]
            count = with_word(changed, count, d)
            count = with_word(changed, count, h)
            count = with_word(changed, count, self.top[d])
            count = with_word(changed, count, self.top[h])
        for k in range(count):
            loss += self.lost_more(c, g, &moved, changed[k])
        for k in range(o.first[c.j], o.first[c.j + 1]):     # the arcs from j that are passed
            v = o.dependents[k]
            if w <= v <= c.i and with_word(changed, count, v) > count:
                loss += self.lost_more(c, g, &moved, v)
        if self.is_cyclic:
            for v in range(1, g.n + 1):
                loss += self.meets_itself(g, &moved, v, earlier)
        elif d != 0:                                        # other words gain no head
            for k in range(count):
                loss += self.meets_itself(g, &moved, changed[k], earlier)
        return loss

    cdef int lost_more(self, const Config *c, const Graph *g, const Moved *moved, int d) noexcept nogil:
        """1 if d's gold arc gets lost, −1 if it comes within reach again, else 0."""
        cdef int gold = g.gold[d]
        cdef bint before = gold != 0
        cdef bint after = before
        if gold == ANY:
            return 0
        if c.head[d] != NONE:
            before = c.head[d] != gold
        elif gold > 0:
            before = is_passed(c.i, c.j, gold, d) or self.top[gold] == d
        if g.head[d] != NONE:
            after = g.head[d] != gold
        elif gold > 0:
            after = self.up(g, moved, d) == 0
        return after - before


cdef inline int with_word(int *words, int count, int w) noexcept nogil:
    """Put w behind `count` words unless it is one of them; how many there are now."""
    cdef int k
    for k in range(count):
        if words[k] == w:
            return count
    words[count] = w
    return count + 1
