"""One pass of online learning over a treebank (Goldberg & Nivre 2012; Honnibal & Johnson 2015).

At each configuration the best-scoring transition is set against the best-scoring optimal one, and where they differ the weights
move by one. What is followed then is the exploration policy's choice.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from rearc.features.program cimport MAX_TEMPLATES
from rearc.features.tokens cimport ATTRIBUTES, Tokens
from rearc.interrupt cimport Watch, raise_reason, stopped, watch_begin
from rearc.oracles.base cimport Oracle
from rearc.oracles.policy cimport AT_FAULT, best_optimal, followed, place_of
from rearc.perceptron.decoder cimport LinearDecoder, trees_to_begin
from rearc.perceptron.growing cimport LabelLearner, TypeLearner
from rearc.systems.base cimport begin_with
from rearc.systems.config cimport MAX_WORDS, NONE, SHIFT, Config, Transition, class_of, config_free, config_reset, k_of
from rearc.treebank.structure cimport check_all


cdef class TransitionLearner:
    """Learns the two models of a decoder.

    margin: by how much a right transition has to score above a wrong one; by less, it counts as a mistake.
    """
    cdef readonly LinearDecoder decoder
    cdef TypeLearner types
    cdef LabelLearner labels
    cdef public uint64_t random
    cdef readonly float margin

    def __cinit__(self, LinearDecoder decoder not None, uint64_t seed=1, float margin=0):
        self.decoder = decoder
        self.types = decoder.types
        self.labels = decoder.labels
        self.random = seed
        self.margin = margin

    cdef int too_close(self, const Transition *ts, int count, float *scores, int predicted, const Transition *optimal, int good) noexcept nogil:
        """The place of the best transition when what is not optimal is taken to score higher by the margin: so a right prediction is
        learnt from, too, while it is a narrow one."""
        cdef int x
        for x in range(count):
            if place_of(ts[x], optimal, good) == NONE:
                scores[x] += self.margin
        for x in range(count):
            if scores[x] > scores[predicted]:
                predicted = x
        return predicted

    cdef int update(self, const Config *c, const Tokens *t, Transition right, Transition wrong) noexcept nogil:
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int k = k_of(right) or 1
        cdef int count = self.decoder.program.keys_into(c, t, k, NONE, NONE, keys)
        if self.types.add(keys, count, class_of(right), 1) < 0:
            return -1
        if (k_of(wrong) or 1) != k:
            count = self.decoder.program.keys_into(c, t, k_of(wrong) or 1, NONE, NONE, keys)
        return self.types.add(keys, count, class_of(wrong), -1)

    cdef int update_repair(self, const Config *c, const Tokens *t, Transition r, int by) noexcept nogil:
        """For a repair (1) or against it (−1)."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int count = self.decoder.repair_keys(c, t, r, keys)
        if self.types.add(keys, count, class_of(r), by) < 0:
            return -1
        return self.types.add(keys, count, class_of(SHIFT), -by)

    cdef int learn_apart(self, Oracle judge, const Config *c, const Tokens *t, const Transition *ts, int count, const float *scores,
                         int predicted, const Transition *optimal, int good, Transition *room) noexcept nogil:
        """From one configuration, where repairs are judged apart: 1 for a mistake, 0 for none, −1 if memory is out.

        What is no repair is learnt as if there were none, so that repairs do not disturb it: the best-scoring against the best-scoring of
        its own best. A repair is right where nothing else is optimal, and wrong where it is not optimal itself.
        """
        cdef int x, others = 0, repair = NONE, first = NONE, right = NONE, mistake = 0
        cdef bint needs_repair = True
        for x in range(count):
            if self.decoder.is_apart(c, ts[x]):
                if place_of(ts[x], optimal, good) != NONE and (repair == NONE or scores[x] > scores[repair]):
                    repair = x
                continue
            needs_repair = needs_repair and place_of(ts[x], optimal, good) == NONE
            room[others] = ts[x]
            others += 1
            if first == NONE or scores[x] > scores[first]:
                first = x
        if others > 0:
            others = judge.best_among(c, room, others)
            right = best_optimal(ts, count, scores, room, others, NULL)
            if place_of(ts[first], room, others) == NONE:
                mistake = 1
                if self.update(c, t, ts[right], ts[first]) < 0:
                    return -1
        if place_of(ts[predicted], optimal, good) != NONE:
            return mistake
        if self.decoder.is_apart(c, ts[predicted]):
            mistake = 1
            if self.update_repair(c, t, ts[predicted], -1) < 0:
                return -1
        if needs_repair:
            mistake = 1
            if self.update_repair(c, t, ts[repair], 1) < 0:
                return -1
        return mistake

    cdef int label(self, const Config *c, const Tokens *t, int h, int d, int gold, float *scores, int *mistakes) noexcept nogil:
        """Predict a label and, where the gold one is known, learn from the mistake."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int count
        cdef int predicted = self.decoder.choose_label(c, t, h, d, keys, &count, scores)
        if gold != NONE:
            self.labels.steps += 1
            if predicted != gold:
                mistakes[0] += 1
                if self.labels.add(keys, count, gold, 1) < 0 or self.labels.add(keys, count, predicted, -1) < 0:
                    return -2
        return predicted

    cdef int sentence(self, Oracle judge, Config *c, const Tokens *t, double explore, Transition *ts, Transition *optimal,
                      Transition *room, float *scores, int *counts, Watch *watch, const int *begun, const int *begun_labels,
                      Transition[::1] taken) noexcept nogil:
        """0; −1 where there is no memory, AT_FAULT, or 1 where it is to stop before the end."""
        cdef int count, good, k, h, d, predicted, label, gold, mistake
        cdef bint wrong
        cdef Transition chosen
        judge.system.begin(c)
        if begun != NULL:
            begin_with(c, begun, begun_labels)
        while not judge.system.finished(c):
            # all that is legal competes, as it does in parsing: what the oracle does not allow must be seen to lose
            count = judge.system.legal_into(c, ts)
            predicted = self.decoder.choose(c, t, ts, count, scores)
            good = judge.optimal_into(c, optimal)
            if self.margin > 0:
                predicted = self.too_close(ts, count, scores, predicted, optimal, good)
            k = best_optimal(ts, count, scores, optimal, good, NULL)
            if k == NONE:
                return AT_FAULT
            self.types.steps += 1
            counts[0] += 1
            chosen = ts[k]
            wrong = predicted != k and place_of(ts[predicted], optimal, good) == NONE
            if self.decoder.repairs_apart:
                mistake = self.learn_apart(judge, c, t, ts, count, scores, predicted, optimal, good, room)
            else:
                mistake = wrong
                if wrong and self.update(c, t, ts[k], ts[predicted]) < 0:
                    return -1
            if mistake < 0:
                return -1
            counts[1] += mistake
            if wrong:
                chosen = followed(judge, c, ts[k], ts[predicted], explore, &self.random, optimal)
            if taken is not None and counts[0] <= taken.shape[0]:
                taken[counts[0] - 1] = chosen
            label = NONE
            if judge.system.arc(c, chosen, &h, &d):
                gold = judge.gold_label[d] if judge.gold[d] == h else NONE
                label = self.label(c, t, h, d, gold, scores, &counts[2])
                if label == -2:
                    return -1
                if explore == 0 and gold != NONE:
                    label = gold
            judge.follow(c, chosen, label)
            if stopped(watch):
                return 1
        for d in range(1, c.n + 1):
            if c.head[d] == NONE and judge.gold[d] == 0 and judge.gold_label[d] != NONE:
                if self.label(c, t, 0, d, judge.gold_label[d], scores, &counts[2]) == -2:
                    return -1
        return 0

    def epoch(self, Oracle judge not None, values, offsets, heads, labels, tree_offsets, order, double explore, begun=None, taken=None):
        """One pass in the given order; returns (configurations, mistakes in transitions, mistakes in labels).

        begun: heads and labels of the trees that the sentences of the order begin with, one behind the other and without root slots.
        taken: an array of numbers that gets the transitions taken, as many as it has room for; `transition_names` says which they are.
        """
        cdef const uint32_t[::1] v = values
        cdef Transition[::1] record = taken
        if judge.system.name != self.decoder.system.name:
            raise ValueError(f"found an oracle of {judge.system!r}, expected one of {self.decoder.system!r}")
        if not judge.takes_partial and np.min(heads, initial=0) < 0:
            raise ValueError(f"found unknown heads, expected whole trees for {judge!r}")
        starts, trees, tree_labels, sizes = chosen(len(v), offsets, heads, labels, tree_offsets, order, self.labels.classes)
        cdef const int64_t[::1] at = starts
        cdef const int[::1] h = trees
        cdef const int[::1] l = tree_labels
        cdef const int[::1] size = sizes
        cdef int longest = int(sizes.max(initial=0)) + 1
        cdef const int[::1] first = None
        cdef const int[::1] first_labels = None
        if begun is not None:
            first, first_labels = trees_to_begin(judge.system, sizes + 1, begun, self.labels.classes)
        cdef int n, failed = 0
        cdef int64_t x, tree = 0, word = 0
        cdef int counts[3]
        counts[0] = counts[1] = counts[2] = 0
        cdef int64_t totals[3]
        totals[0] = totals[1] = totals[2] = 0
        cdef Watch watch
        cdef Tokens tokens
        cdef Config c
        watch_begin(&watch)
        c.memory = NULL
        c.capacity = 0
        judge = judge.twin()                # the caller's keeps its tree, and may be used by other threads meanwhile
        self.decoder.hold(to_write=True)
        cdef Transition *ts = <Transition *>malloc((6 * longest + 12) * sizeof(Transition))
        cdef float *scores = <float *>malloc(max(2 * longest + 4, self.labels.classes) * sizeof(float))
        with nogil:
            for x in range(size.shape[0]):
                n = size[x]
                if (ts == NULL or scores == NULL or config_reset(&c, n) < 0
                        or judge.bind(&h[tree], &l[tree], n) < 0):
                    failed = -1
                    break
                tree += n + 1
                tokens.n = n
                tokens.values = &v[at[x]]
                failed = self.sentence(judge, &c, &tokens, explore, ts, ts + 2 * longest + 4, ts + 4 * longest + 8,
                                       scores, counts, &watch, NULL if first is None else &first[word] - 1,
                                       NULL if first is None else &first_labels[word] - 1, record)
                word += n
                if failed:
                    break
            config_free(&c)
            free(ts)
            free(scores)
        self.decoder.let_go(to_write=True)
        if failed > 0:
            raise_reason()
        if failed == AT_FAULT:
            raise ValueError(f"found an optimal transition that is not legal, expected legal ones from {judge!r}")
        if failed:
            raise MemoryError("no memory for the weights: use fewer templates or a smaller treebank")
        return counts[0], counts[1], counts[2]


cdef tuple chosen(int64_t count, offsets, heads, labels, tree_offsets, order, int classes):
    """What an epoch needs of the sentences in `order`, checked and copied, since it is used without the GIL.

    Where the values of each start, their trees and labels in a row, and their sizes in words.
    """
    cdef const int64_t[::1] at = offsets
    cdef const int64_t[::1] tree_at = tree_offsets
    cdef const int[::1] h = heads
    cdef const int[::1] l = labels
    cdef const int64_t[::1] sequence = np.array(order, dtype=np.int64)
    cdef int64_t x, s, first, last, total = 0
    if len(at) != len(tree_at) or len(h) != len(l):
        raise ValueError(f"found {len(at)} and {len(tree_at)} offsets, {len(h)} heads and {len(l)} labels, expected as many of the one as of the other")
    starts, sizes = np.zeros(len(sequence), dtype=np.int64), np.zeros(len(sequence), dtype=np.intc)
    pieces, names = [np.zeros(0, dtype=np.intc)], [np.zeros(0, dtype=np.intc)]
    for x in range(len(sequence)):
        s = sequence[x]
        if not 0 <= s < len(at) - 1:
            raise ValueError(f"found sentence {s} in the order, expected numbers below {len(at) - 1}")
        first, last = tree_at[s], tree_at[s + 1]
        if not (0 <= first and first + 2 <= last <= len(h) and last - first <= MAX_WORDS
                and 0 <= at[s] <= count - ATTRIBUTES * (last - first)):
            raise ValueError(f"found sentence {s} at {first} to {last} of {len(h)} heads and from {at[s]} on in {count} values, "
                             f"expected a root slot and words, and {ATTRIBUTES} values for each")
        starts[x], sizes[x] = at[s], last - first - 1
        pieces.append(np.array(h[first:last]))
        names.append(np.array(l[first:last]))
    trees, tree_labels = np.concatenate(pieces), np.concatenate(names)
    if trees.min(initial=0) < NONE:
        raise ValueError(f"found the head {trees.min()}, expected a number from 0 on, or -1 for an unknown one")
    check_all(np.maximum(trees, 0), sizes)              # an unknown head closes no cycle
    if tree_labels.max(initial=NONE) >= classes or tree_labels.min(initial=NONE) < NONE:
        raise ValueError(f"found labels from {tree_labels.min()} to {tree_labels.max()}, expected numbers below {classes}, or -1 for none")
    return starts, trees, tree_labels, sizes
