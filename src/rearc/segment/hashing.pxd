"""How strings and features become numbers. Models are saved with these numbers: a change makes old models useless."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef enum:
    PIECE = 24                      # characters of a piece that are looked at, so that no input takes more than linear time


cdef inline uint64_t push(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * 0xFF51AFD7ED558CCDULL
    return h ^ (h >> 32)


cdef inline uint64_t hash_of(const uint32_t *c, int64_t start, int64_t stop) noexcept nogil:
    """Of the characters from start to stop; 1 for none."""
    return hash_on(1, c, start, stop)


cdef inline uint64_t hash_on(uint64_t h, const uint32_t *c, int64_t start, int64_t stop) noexcept nogil:
    """Of what has the hash h, and these characters behind it."""
    cdef int64_t i
    for i in range(start, stop):
        h = push(h, c[i])
    return h
