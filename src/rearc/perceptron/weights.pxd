from libc.stdint cimport int16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define rearc_prefetch(p) __builtin_prefetch(p)
    #else
    #define rearc_prefetch(p) ((void)(p))
    #endif
    """
    void rearc_prefetch(const void *p) noexcept nogil

cdef enum:
    CLASSES = 4                     # shift, left-arc, right-arc, and the fourth: no-arc, reduce or unshift, swap
    MAX_FEATURES = 256              # that are scored at a time
    MAX_LABELS = 65535              # a model file has 16 bits for one


cdef inline bint is_dense(int count, int labels) noexcept nogil:
    """Whether a row with so many weights is kept whole: it is faster to add than label by label, and still not much larger."""
    return count * 8 >= labels


cdef class Scorer:
    """Scores of all classes for a set of features."""
    cdef readonly int classes
    cdef int readers                # that look at the weights without the GIL now
    cdef bint writer                # whether somebody changes them without the GIL now

    cdef int hold(self, bint to_write=*) except -1              # RuntimeError where that would meet another thread's work
    cdef void let_go(self, bint to_write=*) noexcept
    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil


cdef struct Packed:
    uint32_t tag                    # the upper half of the key; 0 is an empty place
    int16_t w[CLASSES]


cdef class TypeWeights(Scorer):
    """Averaged weights of the transition classes, pruned and in 16 bits, for parsing."""
    cdef Packed[::1] entries
    cdef uint64_t mask


cdef class LabelWeights(Scorer):
    """Averaged weights of the labels for parsing. Most rows have few that are not 0, and keep only these."""
    cdef const uint32_t[::1] tag    # by place
    cdef const uint32_t[::1] start  # by place: where in the table its row is
    cdef const int16_t[::1] rows    # each with its length first, and then labels and weights in turn; or DENSE, and all weights
    cdef uint64_t mask
