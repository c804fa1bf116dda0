"""splitmix64: random numbers from one number of state, the same on every machine."""

from libc.stdint cimport uint64_t


cdef inline uint64_t draw(uint64_t *state) noexcept nogil:
    state[0] += 0x9E3779B97F4A7C15ULL
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline double uniform(uint64_t *state) noexcept nogil:
    """From 0 to 1, without 1."""
    return <double>(draw(state) >> 11) * (1.0 / 9007199254740992.0)
