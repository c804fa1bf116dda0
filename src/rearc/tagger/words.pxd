cdef enum:
    ATTRIBUTES = 20                 # what a form says by itself: NAMES in words.pyx


cdef class Words:
    """Sentences as numbers: every different form is described once; row 0 is what stands outside a sentence."""
    cdef readonly object rows       # uint32: a row of ATTRIBUTES a form
    cdef readonly object tokens     # int32: the row of each word
    cdef readonly object offsets    # int64: where the words of each sentence start, and their number at the end
