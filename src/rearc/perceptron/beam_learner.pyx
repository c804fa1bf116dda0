"""Learning for a beam: the max-violation update of Huang, Fayong & Guo (2012), with a dynamic oracle.

Two beams go through a sentence side by side: one over all that is legal, one over what the oracle calls optimal. Where the
best of the first is above the best of the second by most, the transitions up to there are learnt from: those of the second are
made better, those of the first worse. What is optimal need not be one derivation: the target is the best-scoring of them.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from rearc.features.program cimport MAX_TEMPLATES
from rearc.features.tokens cimport Tokens
from rearc.interrupt cimport Watch, raise_reason, watch_begin
from rearc.oracles.base cimport Oracle
from rearc.oracles.policy cimport AT_FAULT, place_of
from rearc.perceptron.beam cimport LinearBeam
from rearc.perceptron.decoder cimport LinearDecoder
from rearc.perceptron.growing cimport LabelLearner, TypeLearner
from rearc.perceptron.learner cimport chosen
from rearc.search.beam cimport Beam, Hypothesis, Node
from rearc.systems.config cimport NONE, Config, Transition, class_of, config_free, config_reset, k_of


cdef class RightBeam(LinearBeam):
    """A beam over what an oracle calls optimal."""
    cdef Oracle judge

    cdef int ways(self, const Config *c, Transition *ts) noexcept nogil:
        return self.judge.optimal_into(c, ts)

    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil:
        self.judge.follow(c, t, label)


cdef class BeamLearner:
    """Learns the two models of a decoder that is to parse with a beam of this size."""
    cdef readonly LinearDecoder decoder
    cdef readonly int size
    cdef TypeLearner types
    cdef LabelLearner labels
    cdef LinearBeam free                # of choice
    cdef RightBeam right
    cdef Config c                       # to go through a derivation again
    cdef Node *path_right
    cdef Node *path_free
    cdef int room

    def __cinit__(self, LinearDecoder decoder not None, int size):
        if decoder.repairs_apart:
            raise ValueError("found a decoder that judges repairs apart, expected one in which the scores of all transitions add up")
        self.decoder = decoder
        self.size = size
        self.types = decoder.types
        self.labels = decoder.labels
        self.free = LinearBeam(decoder, size, 0.0)
        self.right = RightBeam(decoder, size, 0.0)
        self.free.remembers = self.right.remembers = True

    def __dealloc__(self):
        config_free(&self.c)
        free(self.path_right)
        free(self.path_free)

    cdef int path(self, Beam beam, int last, Node **out) noexcept nogil:
        """The nodes of a derivation in their order; how many. NONE if memory is out."""
        cdef int count = 0, at = last
        cdef void *larger
        while at != NONE:
            count += 1
            at = beam.nodes[at].before
        larger = realloc(out[0], (count + 1) * sizeof(Node))
        if larger == NULL:
            return NONE
        out[0] = <Node *>larger
        at = last
        for k in range(count - 1, -1, -1):
            out[0][k] = beam.nodes[at]
            at = beam.nodes[at].before
        return count

    cdef bint is_right(self, Oracle judge, const Node *path, int count) noexcept nogil:
        """Whether all transitions are optimal."""
        cdef int k, good
        config_reset(&self.c, judge.n)
        judge.system.begin(&self.c)
        for k in range(count):
            good = judge.optimal_into(&self.c, self.right.ts)
            if place_of(path[k].transition, self.right.ts, good) == NONE:
                return False
            judge.follow(&self.c, path[k].transition, path[k].label)
        return True

    cdef int change(self, Oracle judge, const Tokens *t, const Node *path, int skip, int count, float delta) noexcept nogil:
        """Make the transitions of a derivation better or worse, but for the first that it shares; −1 if memory is out."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int k, features
        config_reset(&self.c, t.n)
        judge.system.begin(&self.c)
        for k in range(count):
            if k >= skip:
                features = self.decoder.program.keys_into(&self.c, t, k_of(path[k].transition) or 1, NONE, NONE, keys)
                if self.types.add(keys, features, class_of(path[k].transition), delta) < 0:
                    return -1
            judge.system.act(&self.c, path[k].transition, path[k].label)
        return 0

    cdef int learn_labels(self, Oracle judge, const Tokens *t, const Node *path, int count, int *mistakes) noexcept nogil:
        """Labels are learnt on the way of the best right derivation; −1 if memory is out."""
        cdef int k, h, d
        config_reset(&self.c, t.n)
        judge.system.begin(&self.c)
        for k in range(count):
            if judge.system.arc(&self.c, path[k].transition, &h, &d) and judge.gold[d] == h:
                if self.learn_label(t, h, d, judge.gold_label[d], mistakes) < 0:
                    return -1
            judge.system.act(&self.c, path[k].transition, path[k].label)
        for d in range(1, t.n + 1):
            if self.c.head[d] == NONE and judge.gold[d] == 0:
                if self.learn_label(t, 0, d, judge.gold_label[d], mistakes) < 0:
                    return -1
        return 0

    cdef int learn_label(self, const Tokens *t, int h, int d, int gold, int *mistakes) noexcept nogil:
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int count, predicted
        if gold == NONE:
            return 0
        predicted = self.decoder.choose_label(&self.c, t, h, d, keys, &count, self.free.label_scores)
        self.labels.steps += 1
        if predicted == gold:
            return 0
        mistakes[0] += 1
        return -1 if self.labels.add(keys, count, gold, 1) < 0 or self.labels.add(keys, count, predicted, -1) < 0 else 0

    cdef int sentence(self, Oracle judge, const Tokens *t, int *counts, Watch *watch) noexcept nogil:
        """0; −1 where there is no memory, AT_FAULT, or 1 where it is to stop before the end."""
        cdef double worst = -INFINITY
        cdef int failed = 0, free_last = NONE, right_last = NONE, shared = 0, wrong, right
        cdef Hypothesis *f
        cdef Hypothesis *r
        self.free.tokens = self.right.tokens = t
        if self.free.start(t.n) < 0 or self.right.start(t.n) < 0 or config_reset(&self.c, t.n) < 0:
            return -1
        while self.free.now.count or self.right.now.count:
            if self.free.now.count:
                failed = self.free.next_stage(watch)
            if not failed and self.right.now.count:
                failed = self.right.next_stage(watch)
            if failed:
                return failed
            f, r = self.free.best(), self.right.best()
            if r == NULL:
                return AT_FAULT
            if f.score - r.score >= worst:
                worst = f.score - r.score
                free_last, right_last = f.last, r.last
        self.types.steps += 1
        if worst >= 0:
            wrong = self.path(self.free, free_last, &self.path_free)
            right = self.path(self.right, right_last, &self.path_right)
            if wrong == NONE or right == NONE:
                return -1
            if not self.is_right(judge, self.path_free, wrong):
                while (shared < min(wrong, right) and self.path_free[shared].transition == self.path_right[shared].transition
                        and self.path_free[shared].label == self.path_right[shared].label):
                    shared += 1
                counts[1] += max(wrong, right) - shared
                if (self.change(judge, t, self.path_right, shared, right, 1) < 0
                        or self.change(judge, t, self.path_free, shared, wrong, -1) < 0):
                    return -1
        r = self.right.best()
        right = self.path(self.right, r.last, &self.path_right)
        counts[0] += max(right, 0)
        return -1 if right == NONE else self.learn_labels(judge, t, self.path_right, right, &counts[2])

    def epoch(self, Oracle judge not None, values, offsets, heads, labels, tree_offsets, order):
        """One pass in the given order; returns (transitions, those that were learnt from as mistakes, mistakes in labels)."""
        cdef const uint32_t[::1] v = values
        if judge.system.name != self.decoder.system.name:
            raise ValueError(f"found an oracle of {judge.system!r}, expected one of {self.decoder.system!r}")
        starts, trees, tree_labels, sizes = chosen(len(v), offsets, heads, labels, tree_offsets, order, self.labels.classes)
        cdef const int64_t[::1] at = starts
        cdef const int[::1] h = trees
        cdef const int[::1] l = tree_labels
        cdef const int[::1] size = sizes
        cdef int failed = 0
        cdef int64_t x, tree = 0
        cdef int counts[3]
        counts[0] = counts[1] = counts[2] = 0
        cdef Watch watch
        cdef Tokens tokens
        watch_begin(&watch)
        judge = judge.twin()
        self.free.hold()
        try:
            self.decoder.hold(to_write=True)
            self.right.judge = judge
            with nogil:
                for x in range(size.shape[0]):
                    if judge.bind(&h[tree], &l[tree], size[x]) < 0:
                        failed = -1
                        break
                    tree += size[x] + 1
                    tokens.n = size[x]
                    tokens.values = &v[at[x]]
                    failed = self.sentence(judge, &tokens, counts, &watch)
                    if failed:
                        break
            self.decoder.let_go(to_write=True)
        finally:
            self.free.let_go()
        if failed > 0:
            raise_reason()
        if failed == AT_FAULT:
            raise ValueError(f"found a configuration without an optimal transition, expected some from {judge!r}")
        if failed:
            raise MemoryError("no memory for the weights: use fewer templates or a smaller treebank")
        return counts[0], counts[1], counts[2]
