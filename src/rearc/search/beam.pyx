"""Beam search: the best so many derivations go on side by side.

Where every derivation of a sentence has about the same length, they are compared after as many steps. In Covington's family
lengths differ much, since a word may be passed in one step or in many: there, derivations are compared within the same word, and
those that have come to the next wait for the others. A score is a sum over transitions. It is the logarithm of a probability
if the scores of what is legal are made to add up to one, so that longer derivations are neither better nor worse for it; a
model that was trained for a beam adds up its scores as they are.

Two derivations that have come to the same configuration go on as one, the better of them; and of those that end in the same tree
one is kept.

A guard keeps every derivation within limits. What it refuses is no candidate, whatever its score. The scores of the others are what they
are without it: the probability of a tree among those within the limits is its probability among all, up to a factor that they share.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from rearc.constraints.guard cimport Guard, copy_plan, free_plan
from rearc.interrupt cimport Watch, raise_reason, stopped
from rearc.systems.base cimport System
from rearc.systems.config cimport NONE, Config, Transition, buffer_word, config_copy, config_free, config_reset, stack_word

from rearc.search.forest import MOST


cdef class Beam:
    def __cinit__(self, scorer not None, int size, double scale):
        """scorer: what has a system."""
        cdef System system = scorer.system
        if not 1 <= size <= MOST:
            raise ValueError(f"found a beam of {size}, expected 1 to {MOST}")
        if not 0 <= scale < float("inf"):
            raise ValueError(f"found the scale {scale}, expected a number that is not negative")
        self.system = system
        self.size = size
        self.scale = scale
        self.by_words = system.traits.family == "covington"
        self.mends = not system.traits.monotonic
        for pool in range(4):
            if calloc_pool(self.pool(pool), size) < 0:
                raise MemoryError("no memory for a beam of this size")

    cdef Pool *pool(self, int k) noexcept nogil:
        return &self.now if k == 0 else &self.fresh if k == 1 else &self.later if k == 2 else &self.done

    def __dealloc__(self):
        cdef int k, x
        for k in range(4):
            if self.pool(k).items != NULL:
                for x in range(self.size):
                    forget(&self.pool(k).items[x])
                free(self.pool(k).items)
        forget(&self.spare)
        free(self.candidates)
        free(self.refused)
        free(self.ts)
        free(self.scores)
        free(self.nodes)

    cdef int ways(self, const Config *c, Transition *ts) noexcept nogil:
        return self.system.legal_into(c, ts)

    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil:
        self.system.act(c, t, label)

    cdef int score(self, const Config *c, const Transition *ts, int count, float *scores) noexcept nogil:
        memset(scores, 0, count * sizeof(float))
        return NONE

    cdef int label(self, const Config *c, int h, int d, float *margin) noexcept nogil:
        return NONE

    cdef int hold(self, Guard guard=None) except -1:
        if self.busy:
            raise RuntimeError("found a beam in use by another thread, expected to have it alone; make one for each thread")
        if guard is not None:
            guard.hold()
        self.guard = guard
        self.busy = True
        return 0

    cdef void let_go(self) noexcept:
        if self.guard is not None:
            self.guard.let_go()
        self.guard = None
        self.busy = False

    cdef int reserve(self, int n) noexcept nogil:
        """Room for the candidates of a sentence."""
        cdef void *larger
        if n <= self.room:
            return 0
        larger = realloc(self.candidates, <size_t>self.size * (2 * n + 4) * sizeof(Candidate))
        if larger == NULL:
            return -1
        self.candidates = <Candidate *>larger
        larger = realloc(self.ts, (2 * <size_t>n + 4) * sizeof(Transition))
        if larger == NULL:
            return -1
        self.ts = <Transition *>larger
        larger = realloc(self.refused, 2 * <size_t>n + 4)
        if larger == NULL:
            return -1
        self.refused = <unsigned char *>larger
        larger = realloc(self.scores, (2 * <size_t>n + 4) * sizeof(float))
        if larger == NULL:
            return -1
        self.scores = <float *>larger
        self.room = n
        return 0

    cdef int stage(self, const Hypothesis *h) noexcept nogil:
        """Derivations are compared within a stage."""
        return h.c.j if self.by_words else h.steps

    cdef int expand(self) noexcept nogil:
        """All ways to go on from what there is now; returns how many."""
        cdef Hypothesis *h
        cdef Candidate *candidate
        cdef double top, second, total
        cdef int x, k, count, filled = 0
        for x in range(self.now.count):
            h = &self.now.items[x]
            count = self.ways(&h.c, self.ts)
            self.scores[0] = 0                      # the probability of a single one is 1
            if count > 1 or not self.scale:
                k = self.score(&h.c, self.ts, count, self.scores)
                if k > 0 and self.guard is None:    # of equals the first is taken; a guard takes the first of what is legal
                    self.ts[0], self.ts[k] = self.ts[k], self.ts[0]
                    self.scores[0], self.scores[k] = self.scores[k], self.scores[0]
            top, second = self.scores[0], -INFINITY
            for k in range(1, count):
                second = max(second, min(top, self.scores[k]))
                top = max(top, self.scores[k])
            total = 0
            if self.scale:
                for k in range(count):
                    total += exp(self.scale * (self.scores[k] - top))
                total = log(total)
            if self.guard is not None:
                self.guard.sift(&h.c, self.ts, count, self.refused)
            for k in range(count):
                if self.guard is not None and self.refused[k]:
                    continue
                candidate = &self.candidates[filled]
                candidate.parent = x
                candidate.transition = self.ts[k]
                candidate.own = self.scores[k]
                candidate.margin = self.scores[k] - (top if self.scores[k] < top else second)
                candidate.score = h.score + (self.scale * (self.scores[k] - top) - total if self.scale else self.scores[k])
                candidate.used = candidate.refused = False
                filled += 1
        return filled

    cdef double margin(self, int chosen, int count) noexcept nogil:
        """How much a candidate is above all others of its derivation that the guard has not refused."""
        cdef Candidate *all = self.candidates
        cdef double others = -INFINITY
        cdef int x
        for x in range(count):
            if x != chosen and all[x].parent == all[chosen].parent and not all[x].refused:
                others = max(others, all[x].own)
        return all[chosen].own - others

    cdef void narrow(self, Hypothesis *h, double margin) noexcept nogil:
        """Note the margin for the words in focus, whose heads are at stake."""
        cdef int words[3]
        cdef int k
        cdef float *least
        words[0] = h.c.i if self.by_words else stack_word(&h.c, 0)
        words[1] = h.c.j if self.by_words else buffer_word(&h.c, 0)
        words[2] = NONE if self.by_words else stack_word(&h.c, 1)
        for k in range(3):
            if words[k] > 0 and (self.mends or h.c.head[words[k]] == NONE):
                least = &h.margins[MARGINS * words[k] + 2]
                least[0] = min(least[0], <float>margin)

    cdef int remember(self) noexcept nogil:
        """Room for one more node."""
        cdef void *larger
        if self.node_count == self.node_room:
            larger = realloc(self.nodes, (2 * <size_t>self.node_room + 1024) * sizeof(Node))
            if larger == NULL:
                return -1
            self.nodes = <Node *>larger
            self.node_room = 2 * self.node_room + 1024
        return 0

    cdef int become(self, Hypothesis *next, const Candidate *chosen) noexcept nogil:
        """Follow a candidate; −1 if memory is out."""
        cdef int h, d, label = NONE
        self.narrow(next, chosen.margin)
        if self.system.arc(&next.c, chosen.transition, &h, &d):
            next.margins[MARGINS * d] = <float>chosen.margin
            label = self.label(&next.c, h, d, &next.margins[MARGINS * d + 1])
        if self.remembers:
            if self.remember() < 0:
                return -1
            self.nodes[self.node_count].before = next.last
            self.nodes[self.node_count].transition = chosen.transition
            self.nodes[self.node_count].label = label
            next.last = self.node_count
            self.node_count += 1
        self.follow(&next.c, chosen.transition, label)
        next.score = chosen.score
        next.steps += 1
        return 0

    cdef int advance(self, int count) noexcept nogil:
        """The best of the candidates go on; −1 if memory is out."""
        cdef Candidate *all = self.candidates
        cdef int x, best, kept = 0, stage = self.stage(&self.now.items[0])
        self.fresh.count = 0
        while kept < self.size:
            best = NONE
            for x in range(count):
                if not all[x].used and (best == NONE or all[x].score > all[best].score or (
                        all[x].score == all[best].score and all[x].parent == all[best].parent and all[x].own > all[best].own)):
                    best = x
            if best == NONE:
                break
            all[best].used = True
            if copy(&self.spare, &self.now.items[all[best].parent]) < 0:
                return -1
            if self.guard is not None:
                if not self.guard.by_costs and copy_plan(&self.spare.plan, &self.now.items[all[best].parent].plan, self.spare.c.n) < 0:
                    return -1
                if not self.guard.keeps(&self.spare.c, all[best].transition, &self.spare.plan):
                    all[best].refused = True
                    continue
                all[best].margin = self.margin(best, count)
            if self.become(&self.spare, &all[best]) < 0:
                return -1
            if self.system.finished(&self.spare.c):
                kept += self.put(&self.done)
            elif self.stage(&self.spare) == stage:
                kept += self.put(&self.fresh)
            else:
                kept += self.put(&self.later)
        return 0

    cdef bint put(self, Pool *pool) noexcept nogil:
        """Put the spare hypothesis into the pool; False where its equal is there, of which the better one stays."""
        cdef Hypothesis *new = &self.spare
        cdef int x, worst = 0
        cdef bint ends = pool == &self.done
        for x in range(pool.count):
            if same(&pool.items[x].c, &new.c, ends):
                if new.score > pool.items[x].score:
                    swap(&pool.items[x], new)
                return False
            if pool.items[x].score < pool.items[worst].score:
                worst = x
        if pool.count < self.size:
            swap(&pool.items[pool.count], new)
            pool.count += 1
        elif new.score > pool.items[worst].score:
            swap(&pool.items[worst], new)
        return True

    cdef int start(self, int n) noexcept nogil:
        cdef Hypothesis *first = &self.now.items[0]
        cdef int x
        if self.reserve(n) < 0 or config_reset(&first.c, n) < 0 or room_for(first, n) < 0:
            return -1
        for x in range(MARGINS * (n + 1)):
            first.margins[x] = INFINITY
        self.system.begin(&first.c)
        if self.guard is not None and not self.guard.begin(&first.c, &first.plan):
            return -1
        first.score = first.steps = 0
        first.last = NONE
        self.node_count = 0
        self.now.count, self.later.count, self.done.count = 1, 0, 0
        return 0

    cdef int next_stage(self, Watch *watch) noexcept nogil:
        while self.now.count:
            if self.advance(self.expand()) < 0:
                return -1
            self.now, self.fresh = self.fresh, self.now
            if stopped(watch):
                return 1
        self.now, self.later = self.later, self.now
        self.later.count = 0
        return 0

    cdef Hypothesis *best(self) noexcept nogil:
        cdef Hypothesis *best = NULL
        cdef int x
        for x in range(self.now.count):
            if best == NULL or self.now.items[x].score > best.score:
                best = &self.now.items[x]
        for x in range(self.done.count):
            if best == NULL or self.done.items[x].score > best.score:
                best = &self.done.items[x]
        return best

    cdef int search(self, int n, Watch *watch) noexcept nogil:
        cdef int x, y, failed
        if self.start(n) < 0:
            return -1
        while self.now.count:
            failed = self.next_stage(watch)
            if failed:
                return failed
        for x in range(1, self.done.count):         # few, and nearly in order
            y = x
            while y and self.done.items[y].score > self.done.items[y - 1].score:
                swap(&self.done.items[y], &self.done.items[y - 1])
                y -= 1
        return 0

    cdef int write_down(self, int most, Trees *out) noexcept nogil:
        """The best trees of the last search; returns how many."""
        cdef Hypothesis *h
        cdef int x, d, count = min(most, self.done.count)
        for x in range(count):
            h = &self.done.items[x]
            out.scores[out.trees] = h.score
            out.trees += 1
            for d in range(1, h.c.n + 1):
                out.heads[out.words] = h.c.head[d] if h.c.head[d] != NONE else 0
                if h.c.head[d] == NONE:
                    h.c.label[d] = self.label(&h.c, 0, d, &h.margins[MARGINS * d + 1])
                out.labels[out.words] = h.c.label[d]
                memcpy(out.margins + MARGINS * out.words, h.margins + MARGINS * d, MARGINS * sizeof(float))
                out.words += 1
        return count

    cdef int explain(self, int failed) except -1:
        if failed and self.guard is not None and self.guard.failed:
            raise RuntimeError("found no way to parse this sentence within its limits")
        if failed > 0:
            raise_reason()
        if failed:
            raise MemoryError("no memory for the derivations of this sentence: use a smaller beam")
        return 0


cdef int calloc_pool(Pool *pool, int size) noexcept nogil:
    pool.items = <Hypothesis *>calloc(size, sizeof(Hypothesis))
    pool.count = 0
    return -1 if pool.items == NULL else 0


cdef void forget(Hypothesis *h) noexcept nogil:
    config_free(&h.c)
    free(h.margins)
    free_plan(&h.plan)


cdef int room_for(Hypothesis *h, int n) noexcept nogil:
    if h.margins == NULL or h.room < n:
        free(h.margins)
        h.margins = <float *>malloc(MARGINS * (<size_t>n + 1) * sizeof(float))
        h.room = n
    return -1 if h.margins == NULL else 0


cdef int copy(Hypothesis *target, const Hypothesis *source) noexcept nogil:
    if config_copy(&target.c, &source.c) < 0 or room_for(target, source.c.n) < 0:
        return -1
    memcpy(target.margins, source.margins, MARGINS * (source.c.n + 1) * sizeof(float))
    target.score, target.steps, target.last = source.score, source.steps, source.last
    return 0


cdef void swap(Hypothesis *a, Hypothesis *b) noexcept nogil:
    cdef Hypothesis c = a[0]
    a[0] = b[0]
    b[0] = c


cdef bint same(const Config *a, const Config *b, bint ends) noexcept nogil:
    """Whether the two lead to the same trees; at the end, whether they have the same tree."""
    cdef int d
    if ends:
        for d in range(1, a.n + 1):
            if max(a.head[d], 0) != max(b.head[d], 0):
                return False
        return True
    return (
        a.i == b.i and a.j == b.j and a.depth == b.depth and a.front == b.front and a.back == b.back
        and a.exhausted == b.exhausted
        and memcmp(a.stack, b.stack, a.depth * sizeof(int)) == 0
        and memcmp(a.buffer + a.front, b.buffer + b.front, (a.back - a.front) * sizeof(int)) == 0
        and memcmp(a.head, b.head, (a.n + 1) * sizeof(int)) == 0
        and memcmp(a.mark, b.mark, a.n + 1) == 0
    )


cdef tuple arrays_for(Trees *out, int64_t sentences, int64_t words, int most):
    """Arrays that `out` is filled into."""
    counts = np.zeros(sentences, dtype=np.intc)
    scores = np.zeros(sentences * most)
    heads, labels = np.zeros(words * most, dtype=np.intc), np.zeros(words * most, dtype=np.intc)
    margins = np.zeros((words * most, MARGINS), dtype=np.float32)
    cdef int[::1] c = counts, h = heads, l = labels
    cdef double[::1] s = scores
    cdef float[:, ::1] f = margins
    out.trees = out.words = 0
    if sentences and words:
        out.counts, out.scores, out.heads, out.labels, out.margins = &c[0], &s[0], &h[0], &l[0], &f[0, 0]
    return counts, scores, heads, labels, margins


cdef tuple filled(tuple arrays, const Trees *out):
    """What was filled of them."""
    counts, scores, heads, labels, margins = arrays
    return counts, scores[:out.trees], heads[:out.words], labels[:out.words], margins[:out.words]
