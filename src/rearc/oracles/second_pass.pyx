"""What to do with a pair of words when there is a tree already, and the pairs are gone through once more.

The configurations are those of covington-nonmonotonic that begin with a tree. So an arc of A may belong to a pair that is still to
come, which the bounds of the first pass never meet. A gold arc is lost when it is not in A and its pair has been passed; a
transition costs as many arcs as it loses. Of the best ones,

- no arc is built that is not gold, or that is there already: a word keeps its head unless it can get the right one,
- no-arc comes before shift, so that every pair is looked at.
"""

from rearc.oracles.base cimport Oracle
from rearc.oracles.graph cimport is_passed
from rearc.systems.config cimport LEFT_ARC, NONE, RIGHT_ARC, SHIFT, Config, Transition, kind_of
from rearc.systems.one_root cimport below


cdef class SecondPass(Oracle):
    """Judges configurations that begin with a tree; `system.start(n, heads)` makes one."""

    def __cinit__(self):
        self.takes_trees = True

    cdef bint is_lost(self, int d, int head, int i, int j) noexcept nogil:
        """d has this head and not its gold one, whose pair with d has been passed when the foci are i and j."""
        cdef int h = self.gold[d]
        return h > 0 and h != head and is_passed(i, j, h, d)

    cdef int loss_of(self, const Config *c) except -1 nogil:
        cdef int d, total = 0
        for d in range(1, c.n + 1):
            total += self.is_lost(d, c.head[d], c.i, c.j)
        return total

    cdef void costs_into(self, const Config *c, const Transition *ts, int count, int *costs) noexcept nogil:
        cdef int k, kind, h, d, w, x, i = c.i, j = c.j
        for k in range(count):
            kind = kind_of(ts[k])
            costs[k] = 0
            if kind == SHIFT:
                costs[k] = 0 < self.gold[j] <= i and self.gold[j] != c.head[j]
                for x in range(self.first[j], self.first[j + 1]):
                    w = self.dependents[x]
                    if w > i:
                        break
                    costs[k] += c.head[w] != j
                continue
            h = j if kind == LEFT_ARC else i
            d = i if kind == LEFT_ARC else j
            if kind == LEFT_ARC or kind == RIGHT_ARC:
                costs[k] = self.is_lost(d, h, i - 1, j) + self.is_lost(h, NONE if below(c, h, d) else c.head[h], i - 1, j)
            else:
                costs[k] = self.is_lost(i, c.head[i], i - 1, j) + self.is_lost(j, c.head[j], i - 1, j)
            costs[k] -= self.is_lost(i, c.head[i], i, j) + self.is_lost(j, c.head[j], i, j)

    cdef int best_among(self, const Config *c, Transition *ts, int count) noexcept nogil:
        return self.straightest(c, ts, Oracle.best_among(self, c, ts, count))

    cdef int detour(self, const Config *c, Transition t) noexcept nogil:
        cdef int h, d
        if not self.system.arc(c, t, &h, &d):
            return kind_of(t) == SHIFT
        return 0 if self.gold[d] == h and c.head[d] != h else 2
