from libc.stdint cimport uint32_t, uint64_t


cdef struct Entry:
    uint64_t hash
    uint32_t length
    char* key     # the bytes of the string in the file's encoding
    void* string  # an owned reference


cdef class Strings:
    cdef Entry* entries
    cdef bytes encoding  # NULL-terminated name of the codec; None for UTF-8
    cdef int size  # binary logarithm of the number of sets
    cdef uint32_t turn

    cdef str decode(self, const char* text, Py_ssize_t length)
    cdef str get(self, const char* text, Py_ssize_t length)
    cdef inline Entry* _set(self, uint64_t key) noexcept
    cdef int _grow(self) except -1
