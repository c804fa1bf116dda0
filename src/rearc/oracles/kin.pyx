"""Which words are above and below j in A ∪ I: a new arc from below to above closes a cycle."""

cimport cython
from libc.string cimport memset

from rearc.oracles.graph cimport Graph, head_of
from rearc.oracles.room cimport free_room, make_room

cdef enum:
    UNKNOWN
    SEEN
    NO
    YES


@cython.final
cdef class Kin:
    def __dealloc__(self):
        free_room(&self.room)

    cdef int reserve(self, int n) noexcept nogil:
        cdef size_t size = n + 2
        self.frames = <int *>make_room(&self.room, n, 2 * sizeof(int) + 3)
        if self.frames == NULL:
            return -1
        self.trail = self.frames + size
        self.turn = <unsigned char *>(self.trail + size)
        self.above = self.turn + size
        self.below = self.above + size
        return 0

    cdef void climb_from_j(self, const Graph *g) noexcept nogil:
        cdef int w, h, which, depth = 1
        memset(self.above, False, g.n + 1)
        memset(self.below, UNKNOWN, g.n + 1)
        self.below[g.j] = YES
        self.frames[0] = g.j
        while depth > 0:
            depth -= 1
            w = self.frames[depth]
            for which in range(2):
                h = head_of(g, w, which)
                if h != 0 and not self.above[h]:
                    self.above[h] = True
                    self.frames[depth] = h
                    depth += 1

    cdef bint is_below_j(self, const Graph *g, int w) noexcept nogil:
        """j →* w. What one climb finds out is kept for the next."""
        cdef int h = w, k, depth = 0, seen = 0
        if self.below[w] != UNKNOWN:
            return self.below[w] == YES
        while True:
            if h != 0:                                      # climb on from h
                self.below[h] = SEEN
                self.turn[h] = 0
                self.frames[depth] = self.trail[seen] = h
                depth += 1
                seen += 1
            w = self.frames[depth - 1]
            if self.turn[w] < 2:
                h = head_of(g, w, self.turn[w])
                self.turn[w] += 1
                if h != 0 and self.below[h] == YES:
                    break
                if h != 0 and self.below[h] != UNKNOWN:
                    h = 0
                continue
            h = 0
            depth -= 1
            if depth == 0:
                break
        for k in range(seen):                               # if j was not found, none of them is below it
            self.below[self.trail[k]] = NO if depth == 0 else UNKNOWN
        for k in range(depth):
            self.below[self.frames[k]] = YES
        return depth > 0
