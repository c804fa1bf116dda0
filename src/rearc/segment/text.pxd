from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef enum:
    PAD = 4                         # cells before and behind a text that can be looked at

cdef enum:                          # the classes of characters.py, in its order
    OUTSIDE, SPACE, LINE, UPPER, LOWER, LETTER, IDEOGRAPH, DIGIT, MARK, STOP, OPEN, CLOSE, QUOTE, DASH, POINT, SYMBOL, FLAG, OTHER, KINDS

cdef enum:                          # what is between a token and the next one
    NOTHING, ONE_SPACE, SPACES, LINE_END, PARAGRAPH


cdef class Text:
    cdef object arrays
    cdef readonly int64_t size
    cdef uint32_t *c                # the first character
    cdef uint32_t *l                # in lower case; white space of any kind is a space here
    cdef uint8_t *k                 # classes


cdef class Tokens:
    cdef object arrays
    cdef readonly Text text
    cdef readonly int64_t count
    cdef int64_t *start
    cdef int64_t *end
    cdef uint8_t *gap               # behind each token


cdef uint8_t between(Text text, int64_t start, int64_t stop) noexcept nogil


cdef inline bint is_space(uint8_t k) noexcept nogil:
    return k == SPACE or k == LINE


cdef inline bint is_cased(uint8_t k) noexcept nogil:
    """A letter of a script with capitals, or a mark on one."""
    return k == UPPER or k == LOWER or k == MARK


cdef inline bint is_letter(uint8_t k) noexcept nogil:
    """A letter of a script with spaces between words, or a mark on one."""
    return is_cased(k) or k == LETTER
