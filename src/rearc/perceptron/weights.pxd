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
    cdef readonly object table
    cdef uint64_t mask


cdef class LabelWeights(Scorer):
    """Averaged weights of the labels for parsing."""
    cdef readonly object tags, index, table
    cdef const uint32_t[::1] tag
    cdef const uint32_t[::1] at
    cdef const int16_t[:, ::1] rows
    cdef uint64_t mask
