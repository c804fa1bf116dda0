"""Bounds for the exact loss of arc-hybrid-swap when swap is free, so that its search nearly always ends where it begins.

From below: an arc is lost when one end of it is gone. A stack word that is greater than all words of the buffer never gets back there, so that it
heads no word below it, and has no head but the word right below it and words of the buffer. With no word in the buffer, each word hangs on
the one below it or on r.

From above: a way to the end. A word of the buffer that is greater than all before it, from a place of the stack on, can be drawn to that
place by swaps, and all that it passes is in the buffer again. From there the words are sorted as the gold arcs want them, as the oracles
with swap do: the projective order that keeps what can no longer be swapped. Several such places are tried.
"""

from libc.stdlib cimport free, malloc

from rearc.oracles.base cimport is_known, is_right
from rearc.oracles.exact cimport Search, wrong_heads
from rearc.systems.base cimport State, System
from rearc.systems.config cimport GONE, NONE, ON_STACK, Config, is_headed

from rearc.oracles.table import search_class

cdef enum:
    LONGEST = 120                   # words: for longer sentences there is no bound from above
    INTS = 8


cdef class FreeSwapSearch(Search):
    """The search of arc-hybrid-swap."""
    cdef int *memory
    cdef int n                      # words there is room for
    cdef int *stack
    cdef int *buffer                # the front last
    cdef int *place                 # of each word, counted from the bottom of the stack through to the end of the buffer
    cdef int *parent                # its head, if its arc is still wanted; else any other
    cdef int *height                # in the tree of the parents
    cdef int *pending               # dependents that still wait for it
    cdef int *order                 # the projective order
    cdef int *words                 # σ and β in a row
    cdef unsigned char *before      # before[u, v]: of two words with one head, or a head and its dependent, u has to come first
    cdef unsigned char *open        # the word's gold arc is still wanted
    cdef int depth, left            # of the stack, of the buffer without r
    cdef int counted                # words that have their place in the order

    def __cinit__(self, System system not None, *judges, **more):
        if search_class(system.name) is not type(self):
            raise ValueError(f"found {system!r}, expected a system with this search: use rearc.oracles.searcher")

    def __dealloc__(self):
        free(self.memory)

    cdef bint reserve(self, int n) except -1:
        """False for sentences that are too long."""
        cdef size_t size = n + 2
        if n > LONGEST:
            return False
        if self.memory == NULL or self.n < n:
            free(self.memory)
            self.memory = <int *>malloc(size * (INTS * sizeof(int) + size + 1))
            if self.memory == NULL:
                raise MemoryError("no memory for the search")
            self.n = n
        self.stack = self.memory
        self.buffer = self.stack + size
        self.place = self.buffer + size
        self.parent = self.place + size
        self.height = self.parent + size
        self.pending = self.height + size
        self.order = self.pending + size
        self.words = self.order + size
        self.open = <unsigned char *>(self.words + size)
        self.before = self.open + size
        return True

    def bounds(self, State state not None):
        """What is known of a state's loss without a search: at least, and at most."""
        cdef int low, high
        self.gold.adopt(state)
        low = high = self.least(&state.c)
        while high < state.c.n and not self.within(&state.c, high):
            high += 1
        return low, high

    # ---- from below

    cdef int least(self, const Config *c) except -1:
        cdef const int *gold = self.gold.gold
        cdef int d, g, k, below, largest = 0, lost = 0
        for k in range(c.front, c.back):
            largest = max(largest, c.buffer[k])
        for d in range(1, c.n + 1):
            if is_known(self.gold, d):
                lost += not is_right(self.gold, c, d) if is_headed(c, d) else c.place[gold[d]] == GONE
        for k in range(c.depth):
            d, below = c.stack[k], c.stack[k - 1] if k else NONE
            g = gold[d]
            if g == NONE or c.place[g] == GONE or g == below:
                continue
            if largest == 0:
                lost += g != 0 or (k > 0 and self.system.single_root)
            elif c.place[g] == ON_STACK:
                lost += d > largest if is_below(c, g, k) else g > largest
        return lost

    # ---- from above

    cdef bint within(self, const Config *c, int limit) except -1:
        cdef int q, largest = 0, pivot, greatest = 0, k
        if self.system.finished(c):
            return wrong_heads(self.gold, c) <= limit
        if self.system.single_root or not self.reserve(c.n):
            return False
        if self.way(c, c.depth, NONE) <= limit:
            return True
        for k in range(c.front, c.back):
            greatest = max(greatest, c.buffer[k])
        for q in range(c.depth - 1, -1, -1):
            largest = max(largest, c.stack[q])
            if largest > greatest:
                return False
            pivot = c.front
            while c.buffer[pivot] < largest:
                pivot += 1
            if self.way(c, q, c.buffer[pivot]) <= limit:
                return True
            if c.buffer[pivot] != greatest and self.way(c, q, greatest) <= limit:
                return True
        return False

    cdef int way(self, const Config *c, int q, int pivot) noexcept:
        """Wrong heads at the end of a way that draws the pivot to place q of the stack; n + 1 if there is no such way."""
        cdef int lost = self.look(c)
        if pivot != NONE:
            while self.buffer[self.left - 1] != pivot:
                self.shift()
            while self.depth > q:
                self.swap()
        lost += self.settle_stack(c.n)
        if not self.sort(c.n):
            return c.n + 1
        return lost + self.follow()

    cdef int look(self, const Config *c) noexcept:
        """Take the configuration over; the wrong heads that it has for certain."""
        cdef const int *gold = self.gold.gold
        cdef int d, k, lost = 0
        self.depth, self.left = c.depth, c.back - c.front - 1
        for k in range(c.depth):
            self.stack[k] = c.stack[k]
        for k in range(self.left):
            self.buffer[self.left - 1 - k] = c.buffer[c.front + k]
        for d in range(c.n + 1):
            self.pending[d] = self.open[d] = 0
        for d in range(1, c.n + 1):
            if is_headed(c, d):
                lost += is_known(self.gold, d) and not is_right(self.gold, c, d)
            elif is_known(self.gold, d):
                self.open[d] = c.place[gold[d]] != GONE
                self.pending[gold[d]] += self.open[d]
                lost += not self.open[d]
        return lost

    cdef void shift(self) noexcept:
        self.left -= 1
        self.stack[self.depth] = self.buffer[self.left]
        self.depth += 1

    cdef void swap(self) noexcept:
        self.depth -= 1
        self.buffer[self.left] = self.buffer[self.left - 1]
        self.buffer[self.left - 1] = self.stack[self.depth]
        self.left += 1

    cdef void give_up(self, int d) noexcept:
        self.open[d] = False
        self.pending[self.gold.gold[d]] -= 1

    cdef int settle_stack(self, int n) noexcept:
        """Give up arcs between words that stay on the stack, but those to the word right below; find a parent for each word."""
        cdef const int *gold = self.gold.gold
        cdef int k, d, w, lost = 0
        for d in range(n + 1):
            self.place[d] = NONE
        for k in range(self.depth):
            self.place[self.stack[k]] = k
        for k in range(self.depth):
            d = self.stack[k]
            if self.open[d] and gold[d] != 0 and self.place[gold[d]] != NONE and not (k and gold[d] == self.stack[k - 1]):
                self.give_up(d)
                lost += 1
        for k in range(self.left):
            self.place[self.buffer[self.left - 1 - k]] = self.depth + k
        for d in range(1, n + 1):
            self.parent[d] = gold[d] if self.open[d] else 0
        for k in range(1, self.depth):
            d = self.stack[k]
            if not self.open[d]:                # it can hang on the word below, unless that hangs on it
                w = self.stack[k - 1]
                while w != 0 and w != d:
                    w = self.parent[w]
                if w == 0:
                    self.parent[d] = self.stack[k - 1]
        return lost

    # ---- the projective order

    cdef bint sort(self, int n) noexcept:
        """The projective order of the parents that keeps the order of the stack, and of words that cannot be swapped; False if there is none."""
        cdef int total = self.depth + self.left, size = n + 2, i, k, u, v, w
        for k in range(self.depth):
            self.words[k] = self.stack[k]
        for k in range(self.left):
            self.words[self.depth + k] = self.buffer[self.left - 1 - k]
        for k in range(total):
            u = self.words[k]
            w, i = u, 0
            while w != 0:
                w = self.parent[w]
                i += 1
            self.height[u] = i
            self.order[u] = NONE
            for i in range(total):
                self.before[u * size + self.words[i]] = False
        self.height[0] = 0
        for i in range(total):
            for k in range(i + 1, total):
                if i < self.depth or self.words[i] > self.words[k]:
                    u, v = self.words[i], self.words[k]
                    while self.height[u] > self.height[v] and self.parent[u] != v:
                        u = self.parent[u]
                    while self.height[v] > self.height[u] and self.parent[v] != u:
                        v = self.parent[v]
                    while self.parent[u] != v and self.parent[v] != u and self.parent[u] != self.parent[v]:
                        u, v = self.parent[u], self.parent[v]
                    self.before[u * size + v] = True
        self.counted = 0
        return self.arrange(0, total, size)

    cdef bint arrange(self, int head, int total, int size) noexcept:
        """Number the head and the words below it; of what nothing else has to come before, the first in place is next."""
        cdef int k, u, best
        while True:
            best = NONE
            for k in range(total):
                u = self.words[k]
                if self.order[u] == NONE and (u == head or self.parent[u] == head):
                    best = u
                    if self.is_next(u, head, total, size):
                        break
            else:
                return best == NONE             # all are numbered, or each has to wait for another
            if best == head:
                self.order[head] = self.counted
                self.counted += 1
            elif not self.arrange(best, total, size):
                return False

    cdef bint is_next(self, int u, int head, int total, int size) noexcept:
        cdef int k, v
        for k in range(total):
            v = self.words[k]
            if self.order[v] == NONE and (v == head or self.parent[v] == head) and self.before[v * size + u]:
                return False
        return True

    cdef int follow(self) noexcept:
        """Go to the end: arcs when the dependent is complete, swap where the order is wrong, else shift. The arcs that are lost."""
        cdef const int *gold = self.gold.gold
        cdef int s, b, below, k, d, lost = 0
        while self.depth or self.left:
            s = self.stack[self.depth - 1] if self.depth else NONE
            b = self.buffer[self.left - 1] if self.left else 0
            below = self.stack[self.depth - 2] if self.depth > 1 else NONE
            if s != NONE and self.pending[s] == 0 and (not self.open[s] or gold[s] == b or gold[s] == below):
                if self.open[s]:
                    self.give_up(s)             # it is built: nobody waits for it any longer
                self.depth -= 1
            elif s != NONE and s < b and self.order[s] > self.order[b]:
                self.swap()
            elif b != 0:
                self.shift()
            else:
                for k in range(self.gold.first[s], self.gold.first[s + 1]):
                    d = self.gold.dependents[k]
                    if self.open[d]:
                        self.give_up(d)
                        lost += 1
                if self.open[s] and gold[s] != b and gold[s] != below:
                    self.give_up(s)
                    lost += 1
        return lost


cdef bint is_below(const Config *c, int w, int k) noexcept:
    """w is on the stack below place k."""
    cdef int i
    for i in range(k):
        if c.stack[i] == w:
            return True
    return False
