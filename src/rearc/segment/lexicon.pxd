from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef struct Entry:                  # what is known of a word in lower case
    uint32_t key                    # 0: no entry
    uint8_t count                   # how often it was seen, up to 255; so are the next two
    uint8_t large                   # how often with a capital, not counting the first tokens of sentences
    uint8_t small                   # how often with a small letter there
    uint8_t tag                     # the number of its usual UPOS; 0 unknown


cdef class KnownWords:
    cdef object arrays
    cdef Entry *entries
    cdef uint32_t mask
    cdef const Entry *find(self, uint64_t h) noexcept nogil
