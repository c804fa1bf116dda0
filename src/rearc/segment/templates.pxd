from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    MAX_TEMPLATES = 96
    MAX_ATOMS = 6


cdef struct Template:
    uint64_t seed
    int count
    int atom[MAX_ATOMS]


cdef class Templates:
    cdef readonly str text
    cdef int count
    cdef Template templates[MAX_TEMPLATES]
    cdef int features_into(self, const uint64_t *values, uint32_t *out) noexcept nogil
