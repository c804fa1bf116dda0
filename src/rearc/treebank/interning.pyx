"""From the bytes of a file to shared strings.

A cache and not a table of all strings: it grows up to a limit, and when a set is full one string in it gives way. So
the memory is bounded however long the file is, and no input makes it slow.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_Decode, PyUnicode_DecodeUTF8
from libc.string cimport memcmp, memcpy

cdef enum:
    WAYS = 4       # entries in a set
    LEAST = 6      # binary logarithms of the number of sets
    MOST = 14
    LONGEST = 255  # bytes; longer texts hardly ever recur


cdef class Strings:
    def __cinit__(self, str encoding):
        self.encoding = None if encoding == "utf-8" else encoding.encode("ascii")
        self.size = LEAST
        self.entries = <Entry*> PyMem_Calloc(WAYS << self.size, sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef Py_ssize_t k
        if self.entries != NULL:
            for k in range(WAYS << self.size):
                PyMem_Free(self.entries[k].key)
                Py_XDECREF(<PyObject*> self.entries[k].string)
            PyMem_Free(self.entries)

    cdef str decode(self, const char* text, Py_ssize_t length):
        """A new string; UnicodeDecodeError tells where the bytes are wrong."""
        if self.encoding is None:
            return PyUnicode_DecodeUTF8(text, length, NULL)
        return PyUnicode_Decode(<char*> text, length, <char*> self.encoding, NULL)

    cdef str get(self, const char* text, Py_ssize_t length):
        """The string for these bytes, shared with earlier calls where possible."""
        cdef uint64_t key
        cdef Entry* entry
        cdef int way
        cdef str string
        if length > LONGEST:
            return self.decode(text, length)
        key = hashed(text, length)
        entry = self._set(key)
        for way in range(WAYS):
            if entry.key == NULL:
                break
            if entry.hash == key and entry.length == length and memcmp(entry.key, text, length) == 0:
                return <str> entry.string
            entry += 1
        else:
            entry -= 1 + self.turn % WAYS
        string = self.decode(text, length)
        PyMem_Free(entry.key)
        Py_XDECREF(<PyObject*> entry.string)
        entry.string = NULL
        entry.key = <char*> PyMem_Malloc(length)
        if entry.key == NULL:
            return string
        memcpy(entry.key, text, length)
        entry.hash = key
        entry.length = <uint32_t> length
        Py_INCREF(string)
        entry.string = <void*> string
        self.turn += 1
        if self.size < MOST and self.turn >> self.size > WAYS // 2:
            self._grow()
        return string

    cdef inline Entry* _set(self, uint64_t key) noexcept:
        return &self.entries[(key >> (64 - self.size)) * WAYS]  # the upper bits are the best mixed ones

    cdef int _grow(self) except -1:
        """Four times as many sets. All entries find room, as those of an old set are spread over four new ones."""
        cdef Entry* old = self.entries
        cdef Entry* place
        cdef Py_ssize_t k, count = WAYS << self.size
        cdef Entry* entries = <Entry*> PyMem_Calloc(4 * count, sizeof(Entry))
        if entries == NULL:
            raise MemoryError
        self.entries = entries
        self.size += 2
        for k in range(count):
            if old[k].key != NULL:
                place = self._set(old[k].hash)
                while place.key != NULL:
                    place += 1
                place[0] = old[k]
        PyMem_Free(old)
        return 0


cdef inline uint64_t hashed(const char* text, Py_ssize_t length) noexcept nogil:
    """Eight bytes at a time: multiply, and fold the upper half into the lower."""
    cdef uint64_t h = <uint64_t> length * 0x9E3779B97F4A7C15u
    cdef uint64_t word
    while length >= 8:
        memcpy(&word, text, 8)
        h = (h ^ word) * 0xFF51AFD7ED558CCDu
        h ^= h >> 32
        text += 8
        length -= 8
    word = 0
    memcpy(&word, text, length)
    h = (h ^ word) * 0xFF51AFD7ED558CCDu
    h ^= h >> 29
    return h * 0x9E3779B97F4A7C15u
