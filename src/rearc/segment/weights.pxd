from libc.stdint cimport int64_t, uint32_t


cdef class Weights:
    cdef object arrays
    cdef float *w
    cdef uint32_t mask
    cdef float bias
    cdef float score(self, const uint32_t *features, int count) noexcept nogil


cdef class Learner(Weights):
    cdef double *sums               # Σ step·Δ of each weight: its average is w − sum / steps
    cdef int64_t steps
    cdef bint step(self, const uint32_t *features, int count, bint answer, float rate) noexcept nogil
    cdef void add(self, const uint32_t *features, int count, float delta) noexcept nogil
