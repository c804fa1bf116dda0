from libc.stdint cimport int32_t

# The places of the columns of strings; the heads are integers and live in `arcs`.
cdef enum:
    FORMS, LEMMAS, UPOS, XPOS, FEATS, DEPRELS, DEPS, MISC, COLUMNS


cdef class Sentence:
    cdef readonly str file
    cdef readonly Py_ssize_t line
    cdef readonly str format
    cdef Py_ssize_t n
    cdef tuple columns      # for each of them a tuple of n strings, or None where all are "_"
    cdef int32_t* arcs      # [0, h(1), …, h(n)], or NULL where no word has a head
    cdef str comment_lines  # one string with line feeds, or None
    cdef tuple multiword_tokens
    cdef tuple empty_nodes

    cdef int _copy_arcs(self, const int32_t* arcs) except -1
    cdef void _drop_arcs(self) noexcept
    cdef int _take_arcs(self, const int32_t[::1] arcs) except -1
    cdef list _list(self, int column)
    cdef tuple _content(self)


cdef Py_ssize_t word_on_cycle(const int32_t* arcs, Py_ssize_t n, int32_t* mark) noexcept nogil
cdef str describe_cycle(const int32_t* arcs, Py_ssize_t word)
