from libc.stdint cimport int32_t, int64_t, uint32_t


cdef enum:
    ATTRIBUTES = 24                 # what a form says by itself: NAMES in words.pyx


cdef class Words:
    """Sentences as numbers: every different form is described once; row 0 is what stands outside a sentence."""
    cdef const uint32_t[:, ::1] row     # a row of ATTRIBUTES a form
    cdef const int32_t[::1] token       # the row of each word
    cdef const int64_t[::1] offset      # where the words of each sentence start, and their number at the end
