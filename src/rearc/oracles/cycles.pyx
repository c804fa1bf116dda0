"""Counting the cycles of A ∪ I in polynomial time (Fernández-González & Gómez-Rodríguez 2017, §4).

The number of elementary cycles can grow exponentially. But with p unbuilt arcs in I, min(nc, p) and min(npc, p) are bounds as
good as nc and npc, so counting stops at p. Every cycle has a wrong arc of A, and is counted at the arc x→y
that Covington's order builds last: that one closes it, and is unbuilt. The cycles that x→y closes are the
paths y →* x, found by climbing from x inside its strongly connected part. Where no other cycle is met on the
way, they are summed up word by word; else they are enumerated, and Johnson's (1975) blocking bounds the steps between one and
the next. A cycle is problematic if its arc z→x, which x→y would remove, is
gold.
"""

cimport cython
from libc.string cimport memset

from rearc.oracles.graph cimport Graph, head_of, is_wrong, unbuilt, unbuilt_arcs
from rearc.oracles.room cimport free_room, make_room

cdef enum:
    INTS = 12                       # arrays of ints; next_slot and up take two of them
    BYTES = 5                       # arrays of bytes; listed takes two of them


@cython.final
cdef class Cycles:
    def __dealloc__(self):
        free_room(&self.room)

    cdef int reserve(self, int n) noexcept nogil:
        cdef size_t size = n + 2
        self.index = <int *>make_room(&self.room, n, INTS * sizeof(int) + BYTES)
        if self.index == NULL:
            return -1
        self.low = self.index + size
        self.part = self.low + size
        self.open_words = self.part + size
        self.frames = self.open_words + size
        self.waiting = self.frames + size
        self.to_free = self.waiting + size
        self.next_slot = self.to_free + size
        self.up = self.next_slot + 2 * size
        self.time = self.up + 2 * size
        self.turn = <unsigned char *>(self.time + size)
        self.found = self.turn + size
        self.blocked = self.found + size
        self.listed = self.blocked + size
        return 0

    # ---- strongly connected parts (Tarjan 1972), climbing from wrongly attached words only

    cdef bint find(self, const Graph *g, int word) noexcept nogil:
        cdef int w
        memset(self.index, 0, (g.n + 1) * sizeof(int))      # index[0] counts the numbers given out
        memset(self.part, 0, (g.n + 1) * sizeof(int))       # part[0] counts the parts found
        if word != 0:
            self.number(g, word)
            return self.part[0] > 0
        for w in range(1, min(g.j, g.n) + 1):
            if is_wrong(g, w) and self.index[w] == 0:
                self.number(g, w)
        return self.part[0] > 0

    cdef void number(self, const Graph *g, int w) noexcept nogil:
        cdef int depth = 0, waiting = 0, h, member
        while True:
            if self.index[w] == 0:
                self.index[0] += 1
                self.index[w] = self.low[w] = self.index[0]
                self.turn[w] = 0
                self.part[w] = -1                           # open
                self.open_words[waiting] = w
                waiting += 1
                self.frames[depth] = w
                depth += 1
            if self.turn[w] < 2:
                h = head_of(g, w, self.turn[w])
                self.turn[w] += 1
                if h == 0:
                    continue
                if self.index[h] == 0:
                    w = h
                elif self.part[h] == -1:
                    self.low[w] = min(self.low[w], self.index[h])
                continue
            if self.low[w] == self.index[w]:
                if self.open_words[waiting - 1] == w:       # a part of one word has no cycle
                    waiting -= 1
                    self.part[w] = 0
                else:
                    self.part[0] += 1
                    while True:
                        waiting -= 1
                        member = self.open_words[waiting]
                        self.part[member] = self.part[0]
                        if member == w:
                            break
            depth -= 1
            if depth == 0:
                return
            h = w
            w = self.frames[depth - 1]
            self.low[w] = min(self.low[w], self.low[h])

    # ---- cycles

    cdef int count(self, const Graph *g, bint problematic) noexcept nogil:
        cdef int k, x, y, limit = unbuilt_arcs(g), total = 0
        self.draw(g)
        for k in range(g.arcs - 1, -1, -1):                 # the last first: it closes most
            y = g.order[k]
            x = unbuilt(g, y) if self.part[y] != 0 else 0
            if x == 0 or self.part[x] != self.part[y]:
                continue
            if not problematic:
                total += self.paths(g, x, x, y, limit - total)
            elif self.inner(x, g.head[x] != g.gold[x], y) != 0:
                total += self.paths(g, g.gold[x], x, y, limit - total)
            if total == limit:
                break
        return total

    cdef void draw(self, const Graph *g) noexcept nogil:
        """Note each word's heads inside its own part, and when its gold arc has its turn in Covington's order."""
        cdef int w, which, h
        for w in range(g.arcs):
            self.time[g.order[w]] = w
        for w in range(1, g.n + 1):
            if self.part[w] != 0:
                for which in range(2):
                    h = head_of(g, w, which)
                    self.up[2 * w + which] = h if self.part[h] == self.part[w] else 0

    cdef int inner(self, int d, int which, int y) noexcept nogil:
        """d's head in A (0) or in I (1), if the arc can be part of a cycle that the arc to y closes; else 0."""
        return 0 if which and self.time[d] >= self.time[y] else self.up[2 * d + which]

    cdef int paths(self, const Graph *g, int start, int x, int y, int limit) noexcept nogil:
        """Elementary paths y →* start that go with x→y, and with start→x if start is not x itself."""
        cdef int w, h, which, depth = 0, total = self.acyclic_paths(g, start, x, y, limit)
        if total >= 0:
            return total
        total = 0
        memset(self.blocked, False, g.n + 1)
        memset(self.listed, False, 2 * (g.n + 1))
        memset(self.waiting, 0, (g.n + 1) * sizeof(int))
        self.blocked[x] = True
        h = start
        while True:
            if h != 0:                                      # climb on from h
                self.blocked[h] = True
                self.turn[h] = 0
                self.found[h] = False
                self.frames[depth] = h
                depth += 1
            w = self.frames[depth - 1]
            if self.turn[w] < 2:
                h = self.inner(w, self.turn[w], y)
                self.turn[w] += 1
                if h == y:
                    self.found[w] = True
                    total += 1
                    if total == limit:
                        return total
                if h == y or self.blocked[h]:
                    h = 0
                continue
            if self.found[w]:
                self.unblock(w)
            else:
                for which in range(2):
                    h = self.inner(w, which, y)
                    if h != 0 and not self.listed[2 * w + which]:
                        self.listed[2 * w + which] = True
                        self.next_slot[2 * w + which] = self.waiting[h]
                        self.waiting[h] = 2 * w + which
            h = 0
            depth -= 1
            if depth == 0:
                return total
            self.found[self.frames[depth - 1]] |= self.found[w]

    cdef int acyclic_paths(self, const Graph *g, int start, int x, int y, int limit) noexcept nogil:
        """What `paths` counts, in linear time, if no cycle is met on the way or if it is the limit all the same; else −1.

        Without the arcs that close a cycle every path is elementary: a word has as many as its heads together. `blocked` is 1
        for a word being climbed from and 2 for one whose number, in `waiting`, is known.
        """
        cdef int w, h, depth = 1
        cdef bint is_cyclic = False
        memset(self.blocked, 0, g.n + 1)
        self.frames[0] = start
        self.blocked[start] = 1
        self.turn[start] = 0
        self.waiting[start] = 0
        while True:
            w = self.frames[depth - 1]
            if self.turn[w] < 2:
                h = self.inner(w, self.turn[w], y)
                self.turn[w] += 1
                if h == y:
                    self.waiting[w] = min(limit, self.waiting[w] + 1)
                elif h != 0 and h != x:
                    if self.blocked[h] == 1:
                        is_cyclic = True
                    elif self.blocked[h] == 2:
                        self.waiting[w] = min(limit, self.waiting[w] + self.waiting[h])
                    else:
                        self.frames[depth] = h
                        depth += 1
                        self.blocked[h] = 1
                        self.turn[h] = 0
                        self.waiting[h] = 0
                continue
            self.blocked[w] = 2
            depth -= 1
            if depth == 0:
                return -1 if is_cyclic and self.waiting[w] < limit else self.waiting[w]
            h = self.frames[depth - 1]
            self.waiting[h] = min(limit, self.waiting[h] + self.waiting[w])

    cdef void unblock(self, int w) noexcept nogil:
        """Unblock w, and the words that were blocked because every way up led to blocked ones such as w."""
        cdef int slot, size = 1
        self.to_free[0] = w
        self.blocked[w] = False
        while size > 0:
            size -= 1
            slot = self.waiting[self.to_free[size]]
            self.waiting[self.to_free[size]] = 0
            while slot != 0:
                self.listed[slot] = False
                w = slot >> 1
                if self.blocked[w]:
                    self.blocked[w] = False
                    self.to_free[size] = w
                    size += 1
                slot = self.next_slot[slot]
