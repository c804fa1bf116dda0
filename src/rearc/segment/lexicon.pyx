"""What the training text knows of words, by their hashes."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from rearc.segment.hashing cimport hash_of

cdef enum:
    MOST = 1 << 24                  # words

cdef Entry UNKNOWN = Entry(0, 0, 0, 0, 0)


def key_of(str text not None):
    """The number by which a string is known.

    >>> key_of("the") == key_of("the"), key_of("the") == key_of("hte")
    (True, False)
    """
    cdef uint32_t[::1] c = np.array([ord(x) for x in text] or [0], dtype=np.uint32)
    return fold(hash_of(&c[0], 0, len(text)))


cdef class KnownWords:
    """Words in lower case, by their keys. A row of facts: count, large, small, tag (lexicon.pxd says what they are).

    >>> KnownWords([key_of("the")], [[7, 0, 5, 1]])
    <KnownWords of 1 words>
    """

    def __cinit__(self, keys, facts):
        cdef const uint32_t[::1] key
        cdef const uint8_t[:, ::1] fact
        cdef int64_t i
        cdef uint32_t at
        key = np.array(keys, dtype=np.uint32)
        fact = np.array(facts, dtype=np.uint8).reshape(-1, 4)
        if len(key) != len(fact) or len(key) > MOST:
            raise ValueError(f"found {len(key):,} words and {len(fact):,} rows of facts, expected as many, and no more than {MOST:,}")
        size = 1 << max(4, (2 * len(key)).bit_length())         # at most half full, so that a search ends soon
        table = np.zeros(size * sizeof(Entry), dtype=np.uint8)
        cdef uint8_t[::1] room = table
        cdef uint8_t[::1] marks = np.zeros(size // 2, dtype=np.uint8)      # a bit in eight is set, or fewer
        self.arrays = key.base, fact.base, table, marks.base
        self.marks, self.marks_mask = &marks[0], size // 2 - 1
        self.entries = <Entry *>&room[0]
        self.mask = size - 1
        for i in range(len(key)):
            at = key[i] & self.mask
            while self.entries[at].key:
                at = (at + 1) & self.mask
            self.entries[at] = Entry(key[i] or 1, fact[i, 0], fact[i, 1], fact[i, 2], fact[i, 3])
            marks[place_of_mark(key[i] or 1) & self.marks_mask] |= mark_of(key[i] or 1)

    cdef const Entry *find(self, uint64_t h) noexcept nogil:
        """What is known of the word with this hash; all 0 if nothing is."""
        cdef uint32_t key = fold(h), at = key & self.mask
        while self.entries[at].key:
            if self.entries[at].key == key:
                return &self.entries[at]
            at = (at + 1) & self.mask
        return &UNKNOWN

    @property
    def keys(self):
        return self.arrays[0].copy()

    @property
    def facts(self):
        return self.arrays[1].copy()

    def __repr__(self):
        return f"<KnownWords of {len(self.arrays[0]):,} words>"
