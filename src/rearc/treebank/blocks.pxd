cdef enum:
    LINE_LIMIT = 1 << 22       # bytes; longer lines are refused and never held in memory. What a segmenter makes is shorter
    SENTENCE_LIMIT = 1 << 24


cdef class Blocks:
    cdef object stream_read, decoder, damage
    cdef str file, encoding
    cdef char* data
    cdef Py_ssize_t capacity
    cdef Py_ssize_t start, scan, searched, end  # the stretch, its line in hand, how far that is searched, all bytes
    cdef Py_ssize_t line                        # the number of the line in hand
    cdef Py_ssize_t line_limit
    cdef bint lines_only, strict, in_utf8, any_bytes, at_end, in_blank_run, skip_line, skip_sentence

    # What advance() has found: its first byte, its length with the last line feed, its first line
    cdef const char* text
    cdef Py_ssize_t length, first_line

    # What was passed over
    cdef Py_ssize_t returns, marks, blank_lines
    cdef bint no_line_end, no_blank_line

    cdef bint advance(self) except -1
    cdef bint _close_last(self) except -1
    cdef void _pass_mark(self) noexcept
    cdef void _give(self) noexcept
    cdef void _pass_line(self) noexcept
    cdef bint _next_line(self) except -1
    cdef int _skip(self) except -1
    cdef bint _fill(self) except -1
    cdef object _read(self)
    cdef bint _utf16(self, block) except -1
    cdef bint _damaged(self, str found, str remedy) except -1
    cdef int _append(self, const char* text, Py_ssize_t length) except -1
    cdef void _append_lines(self, const char* text, Py_ssize_t length) noexcept
    cdef object _blank_line(self, bint carriage_return)
    cdef object _unfinished(self)
    cdef object _carriage_return(self, const char* text, Py_ssize_t length, Py_ssize_t first_line)
    cdef Py_ssize_t _characters(self, const char* text, Py_ssize_t length) except -1
    cdef object _error(self, Py_ssize_t line, Py_ssize_t column, found, expected, remedy)
