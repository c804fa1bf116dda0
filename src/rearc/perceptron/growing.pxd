from libc.stdint cimport int64_t, uint32_t, uint64_t

from rearc.perceptron.weights cimport CLASSES, Scorer


cdef class GrowingWeights(Scorer):
    """Weights that change; −1 is what `add` returns when there is no memory."""
    cdef readonly int64_t used
    cdef readonly int64_t steps

    cdef int add(self, const uint64_t *keys, int count, int cls, float delta) noexcept nogil
    cdef void average_into(self, uint64_t[::1] keys, float[:, ::1] weights, double steps)


cdef struct Entry:
    uint64_t key                    # 0 is an empty place
    float w[CLASSES]


cdef class TypeLearner(GrowingWeights):
    """Weights of the transition classes while they are learnt."""
    cdef Entry *entries
    cdef double *sums               # Σ step·Δ of each weight: the average is w − sum / steps
    cdef uint64_t mask

    cdef int grow(self) noexcept nogil


cdef class LabelLearner(GrowingWeights):
    """Weights of the labels while they are learnt: a dense row a feature."""
    cdef uint64_t *keys
    cdef uint32_t *rows
    cdef float *w
    cdef double *sums
    cdef uint64_t mask
    cdef int64_t room               # rows there is memory for

    cdef int grow_for(self, int count) noexcept nogil
    cdef int grow(self) noexcept nogil
