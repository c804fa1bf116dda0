"""The small numbers in a line."""

from libc.stdint cimport int32_t

cdef enum:
    HUGE = 1 << 30  # stands for any number of ten digits or more

cdef enum Kind:
    NONE, WORD, RANGE, EMPTY


cdef struct Id:
    Kind kind
    Py_ssize_t first, second


cdef inline bint is_blank(const char* text, const int32_t* cut, int field) noexcept nogil:
    return cut[field + 1] - cut[field] == 2 and text[cut[field]] == c"_"


cdef inline Py_ssize_t number(const char* text, Py_ssize_t length) noexcept nogil:
    """The value of a decimal number as it is written by rule, HUGE where it is too big, -1 where it is none."""
    cdef Py_ssize_t k, value = 0
    if length == 0 or (text[0] == c"0" and length > 1):
        return -1
    for k in range(length):
        if not c"0" <= text[k] <= c"9":
            return -1
        if value < HUGE:
            value = 10 * value + (text[k] - c"0")
    return min(value, <Py_ssize_t> HUGE)


cdef inline Id identify(const char* text, Py_ssize_t length) noexcept nogil:
    """What an id says: 3 is a word, 3-4 a multiword token, 3.1 an empty node."""
    cdef Id token
    cdef Py_ssize_t k = 0
    while k < length and text[k] != c"-" and text[k] != c".":
        k += 1
    token.first = number(text, k)
    token.second = 0
    if k == length:
        token.kind = WORD
    else:
        token.kind = RANGE if text[k] == c"-" else EMPTY
        token.second = number(text + k + 1, length - k - 1)
    if token.first < 0 or token.second < 0:
        token.kind = NONE
    return token
