"""Beam search with linear models. The label of an arc is the best one, as in greedy parsing."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from rearc.constraints.guard cimport Guard
from rearc.features.program cimport MAX_TEMPLATES
from rearc.features.tokens cimport Tokens
from rearc.interrupt cimport Watch, watch_begin
from rearc.perceptron.decoder cimport LinearDecoder, sizes_of
from rearc.search.beam cimport Beam, Trees, arrays_for, filled
from rearc.systems.config cimport Config, Transition


cdef class LinearBeam(Beam):
    def __cinit__(self, LinearDecoder decoder not None, int size, double scale):
        self.decoder = decoder
        self.label_scores = <float *>malloc(decoder.labels.classes * sizeof(float))
        if self.label_scores == NULL:
            raise MemoryError("no memory for the scores of labels")

    def __dealloc__(self):
        free(self.label_scores)

    cdef int score(self, const Config *c, const Transition *ts, int count, float *scores) noexcept nogil:
        return self.decoder.choose(c, self.tokens, ts, count, scores)

    cdef int label(self, const Config *c, int h, int d, float *margin) noexcept nogil:
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int x, count, best = self.decoder.choose_label(c, self.tokens, h, d, keys, &count, self.label_scores)
        cdef const uint8_t *allowed = self.decoder.of_word if h else self.decoder.of_root
        margin[0] = INFINITY
        for x in range(self.decoder.labels.classes):
            if allowed[x] and x != best:
                margin[0] = min(margin[0], self.label_scores[best] - self.label_scores[x])
        return best

    def parse(self, values, offsets, int most=1, Guard guard=None, known=None):
        """The best trees of encoded sentences, at most so many of each.

        Returns of each sentence how many there are; of each tree its score; and over the words of all trees their heads, labels
        and margins: by how much the transition that gave a word its head was above all others, its label above all others, and
        the least such margin while the head of the word was at stake.
        guard, known: as for `LinearDecoder.parse`.
        """
        cdef const uint32_t[::1] v = values
        offsets = np.array(offsets)
        cdef const int64_t[::1] at = offsets
        cdef int s, sentences = len(at) - 1, failed = 0
        sizes = sizes_of(v, offsets, 0, sentences)
        if not 1 <= most <= self.size:
            raise ValueError(f"found {most} trees of a sentence, expected 1 to {self.size}, the size of the beam")
        cdef const int64_t[::1] size = sizes
        cdef const int[::1] fixed = None
        if guard is not None:
            fixed = guard.known_for(self.system, sizes - 1, known)
        cdef int64_t seen = 0
        cdef Watch watch
        cdef Tokens tokens
        cdef Trees out
        watch_begin(&watch)
        arrays = arrays_for(&out, sentences, int(sizes.sum()) - sentences, most)
        self.hold(guard)
        try:
            self.decoder.hold()
            try:
                with nogil:
                    self.tokens = &tokens
                    for s in range(sentences):
                        if size[s] == 1:
                            continue
                        tokens.n = <int>size[s] - 1
                        tokens.values = &v[at[s]]
                        if fixed is not None and not self.guard.know(&fixed[seen] - 1, tokens.n):
                            failed = -1
                            break
                        failed = self.search(tokens.n, &watch)
                        if failed:
                            break
                        out.counts[s] = self.write_down(most, &out)
                        seen += tokens.n
                self.explain(failed)
            finally:
                self.decoder.let_go()
        finally:
            self.let_go()
        return filled(arrays, &out)
