from libc.stdint cimport int16_t, int64_t, uint32_t, uint64_t

cdef enum:
    CLASSES = 4                     # shift, left-arc, right-arc, and the fourth: no-arc, reduce or unshift, swap
    MAX_FEATURES = 256              # that are scored at a time


cdef class Scorer:
    """Scores of all classes for a set of features."""
    cdef readonly int classes

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil


cdef struct Entry:
    uint64_t key                    # 0 is an empty place
    float w[CLASSES]


cdef class TypeLearner(Scorer):
    """Weights of the transition classes while they are learnt."""
    cdef Entry *entries
    cdef double *sums               # Σ step·Δ of each weight: the average is w − sum / steps
    cdef uint64_t mask
    cdef readonly int64_t used
    cdef readonly int64_t steps

    cdef int add(self, const uint64_t *keys, int count, int cls, float delta) noexcept nogil
    cdef int grow(self) noexcept nogil


cdef class LabelLearner(Scorer):
    """Weights of the labels while they are learnt: a dense row a feature."""
    cdef uint64_t *keys
    cdef uint32_t *rows
    cdef float *w
    cdef double *sums
    cdef uint64_t mask
    cdef int64_t room               # rows there is memory for
    cdef readonly int64_t used
    cdef readonly int64_t steps

    cdef int add(self, const uint64_t *keys, int count, int label, float delta) noexcept nogil
    cdef int grow_for(self, int count) noexcept nogil
    cdef int grow(self) noexcept nogil


cdef struct Packed:
    uint32_t tag                    # the upper half of the key; 0 is an empty place
    int16_t w[CLASSES]


cdef class TypeWeights(Scorer):
    """Averaged weights of the transition classes, pruned and in 16 bits, for parsing."""
    cdef Packed[::1] entries
    cdef readonly object table
    cdef uint64_t mask


cdef class LabelWeights(Scorer):
    """Averaged weights of the labels for parsing."""
    cdef readonly object tags, index, table
    cdef const uint32_t[::1] tag
    cdef const uint32_t[::1] at
    cdef const int16_t[:, ::1] rows
    cdef uint64_t mask
