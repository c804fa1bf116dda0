from libc.stdint cimport int64_t, uint32_t, uint64_t

from rearc.perceptron.weights cimport CLASSES, Scorer


cdef class GrowingWeights(Scorer):
    """Weights that change; −1 is what `add` returns when there is no memory."""
    cdef readonly int64_t used
    cdef readonly int64_t steps

    cdef int add(self, const uint64_t *keys, int count, int cls, float delta) noexcept nogil

    # What average, state and restore do, while nobody else changes or reads the weights.
    cdef object averaged(self)
    cdef dict written(self)
    cdef int read(self, dict state) except -1


cdef struct Entry:
    uint64_t key                    # 0 is an empty place
    float w[CLASSES]


cdef class TypeLearner(GrowingWeights):
    """Weights of the transition classes while they are learnt."""
    cdef Entry *entries
    cdef uint32_t *numbers          # of each entry: which sums are its own
    cdef double *sums               # Σ step·Δ of each weight: the average is w − sum / steps
    cdef uint64_t mask
    cdef int64_t room               # features that there is memory for sums of

    cdef void put(self, const Entry *entry, uint32_t number) noexcept nogil
    cdef int grow_for(self, int count) noexcept nogil
    cdef int grow(self) noexcept nogil


cdef struct Cell:
    double sum                      # as above
    float w
    uint32_t label


cdef struct Row:
    uint64_t key                    # 0 is an empty place
    uint32_t start                  # its cells
    uint32_t count                  # their number; or DENSE


cdef enum:
    SIZES = 16                      # rows have room for 2^size cells until they are dense


cdef class LabelLearner(GrowingWeights):
    """Weights of the labels while they are learnt: of each feature those that were ever changed, or all where these are many."""
    cdef Row *rows
    cdef uint64_t mask
    cdef Cell *cells
    cdef int64_t filled, room       # cells given out, and cells that there is memory for
    cdef int64_t after              # in a dense row: cells for the weights; those for the sums are behind
    cdef uint32_t spare[SIZES]      # by size the first stretch that a row has left; each names the next

    cdef tuple cells_in_order(self)
    cdef int grow(self) noexcept nogil
    cdef int64_t take(self, int64_t cells) noexcept nogil
    cdef int64_t stretch(self, int size) noexcept nogil
    cdef int extend(self, Row *row) noexcept nogil
    cdef int find(self, Row *row, int label, float **w, double **sum) noexcept nogil
