"""The weights of a binary linear model, learnt by logistic regression. A feature is a number; two features may share a weight."""

from libc.math cimport exp
from libc.stdint cimport int64_t, uint32_t

import numpy as np

cdef enum:
    LEAST = 1 << 8
    MOST = 1 << 24

cdef double SURE = 0.01                 # what is nearly right teaches nothing


cdef class Weights:
    """A table of weights, as many as a power of two, and a bias that is added to every score.

    >>> Weights([0.0] * 256, 0.5).table.shape
    (256,)
    """

    def __cinit__(self, table, float bias=0):
        cdef float[::1] w = np.array(table, dtype=np.float32)
        size = len(w)
        if not LEAST <= size <= MOST or size & (size - 1):
            raise ValueError(f"found {size:,} weights, expected a power of two from {LEAST:,} to {MOST:,}")
        if not np.isfinite(w).all() or not np.isfinite(bias):
            raise ValueError("found a weight that is no number, expected numbers alone")
        self.arrays = (w.base,)
        self.w = &w[0]
        self.mask = size - 1
        self.bias = bias

    cdef float score(self, const uint32_t *features, int count) noexcept nogil:
        cdef float total = 0
        cdef int k
        for k in range(count):
            total += self.w[features[k] & self.mask]
        return total + self.bias

    @property
    def table(self):
        return self.arrays[0].copy()


cdef class Learner(Weights):
    """Weights that are learnt and averaged over all steps."""

    def __cinit__(self, table, float bias=0):
        cdef double[::1] sums = np.zeros(len(self.arrays[0]))
        self.arrays += (sums.base,)
        self.sums = &sums[0]

    cdef bint step(self, const uint32_t *features, int count, bint answer, float rate) noexcept nogil:
        """Learn one answer; whether it was not known before."""
        cdef float score = self.score(features, count)
        cdef double error = answer - 1 / (1 + exp(-score))
        self.steps += 1
        if error > SURE or error < -SURE:
            self.add(features, count, <float>(rate * error))
        return (score > 0) != answer

    cdef void add(self, const uint32_t *features, int count, float delta) noexcept nogil:
        cdef int k
        cdef uint32_t at
        for k in range(count):
            at = features[k] & self.mask
            self.w[at] += delta
            self.sums[at] += <double>self.steps * delta

    def average(self):
        """The averaged weights."""
        return (self.arrays[0] - self.arrays[1] / max(self.steps, 1)).astype(np.float32)
