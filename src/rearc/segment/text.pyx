"""A text as numbers, and tokens as places in it."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

import numpy as np

from rearc.segment.characters import CLASSES, look_up

if len(CLASSES) != KINDS:
    raise ImportError("found other classes in characters.py than in text.pxd")


cdef class Text:
    """The characters of a text, with room to look beyond both ends.

    >>> Text("Hello there.").size
    12
    """

    def __cinit__(self, str text not None):
        cdef uint32_t[::1] c, l
        cdef uint8_t[::1] k
        cdef int64_t i
        codes, lower, classes = look_up(text)
        self.size = len(codes)
        padded = self.size + 2 * PAD
        self.arrays = np.zeros(padded, np.uint32), np.zeros(padded, np.uint32), np.zeros(padded, np.uint8)
        for array, values in zip(self.arrays, (codes, lower, classes)):
            array[PAD:PAD + self.size] = values
        c, l, k = self.arrays
        self.c, self.l, self.k = &c[PAD], &l[PAD], &k[PAD]
        for i in range(self.size):
            if is_space(self.k[i]):
                self.l[i] = c" "


cdef class Tokens:
    """Tokens by where they start and end, and what is between each and the next.

    >>> text = Text("Go on.")
    >>> tokens = Tokens(text, [0, 3, 5], [2, 5, 6])
    >>> tokens.count, tokens.gaps.tolist()
    (3, [1, 0, 0])
    """

    def __cinit__(self, Text text not None, starts, ends):
        cdef int64_t[::1] start, end
        cdef uint8_t[::1] gap
        cdef int64_t m, at = 0
        start, end = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)      # copies, which nobody else can change
        if len(start) != len(end):
            raise ValueError(f"found {len(start)} starts and {len(end)} ends of tokens, expected as many")
        for m in range(len(start)):
            if not at <= start[m] < end[m] <= text.size:
                raise ValueError(f"found a token from {start[m]} to {end[m]}, expected it from {at} on and up to {text.size}")
            at = end[m]
        self.text, self.count = text, len(start)
        gap = np.zeros(max(self.count, 1), dtype=np.uint8)
        self.arrays = start.base, end.base, gap.base
        if self.count:
            self.start, self.end = &start[0], &end[0]
        self.gap = &gap[0]
        for m in range(self.count):
            gap[m] = between(text, end[m], start[m + 1] if m + 1 < self.count else text.size)

    @property
    def starts(self):
        return self.arrays[0].copy()

    @property
    def ends(self):
        return self.arrays[1].copy()

    @property
    def gaps(self):
        return self.arrays[2][:self.count].copy()


cdef uint8_t between(Text text, int64_t start, int64_t stop) noexcept nogil:
    """What is there. Two line ends, whatever spaces are between them, end a paragraph; a paragraph separator counts for two."""
    cdef int64_t i
    cdef int lines = 0
    for i in range(start, stop):
        if text.k[i] == LINE and not (text.c[i] == c"\r" and i + 1 < stop and text.c[i + 1] == c"\n"):
            lines += 2 if text.c[i] == 0x2029 else 1
    if lines:
        return PARAGRAPH if lines > 1 else LINE_END
    return NOTHING if start == stop else ONE_SPACE if stop == start + 1 and text.c[start] == c" " else SPACES
