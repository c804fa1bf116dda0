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
    cdef uint8_t *marks             # a bit for several keys; it is set if one of them is there
    cdef uint32_t marks_mask
    cdef const Entry *find(self, uint64_t h) noexcept nogil


cdef inline uint32_t fold(uint64_t h) noexcept nogil:
    return <uint32_t>(h >> 32) or 1


cdef inline uint32_t place_of_mark(uint32_t key) noexcept nogil:
    return key >> 11                # has little to do with the place in the table, which the last bits say


cdef inline uint8_t mark_of(uint32_t key) noexcept nogil:
    return 1 << (key >> 29)


cdef inline int count_of(KnownWords words, uint64_t h) noexcept nogil:
    """How often the word with this hash was seen, as find says it; faster where there is none."""
    cdef uint32_t key = fold(h)
    if not words.marks[place_of_mark(key) & words.marks_mask] & mark_of(key):
        return 0
    return words.find(h).count
