"""What a tagger sees of words: the form, its affixes, its looks, its cluster, and the tags it usually has, all as numbers."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

import numpy as np

NAMES = (
    "w", "n",                               # the form; in lower case, with 0 for every digit
    "p1", "p2", "p3", "p4", "p5",           # prefixes and suffixes of that
    "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
    "m", "r",                               # the longest stem that it starts with; what follows that
    "h", "k",                               # shape: Xx for McDonald; kinds of characters: capitals, digits, hyphens …
    "a", "b",                               # all the tags it usually has; the most frequent one
    "c4", "c6", "c",                        # the path of its Brown cluster: 4 bits, 6, all
)
cdef enum:
    W, N, P1, P2, P3, P4, P5, S1, S2, S3, S4, S5, S6, S7, S8, M, R, H, K, A, B, C4, C6, C

cdef enum:
    LONGEST_STEM = 40

cdef enum:
    ABSENT = 0                              # a feature that would need it does not fire
    OUTSIDE = 1                             # everything about what is before the first and behind the last word

cdef uint64_t START = 0xCBF29CE484222325ULL


cdef inline uint64_t push(uint64_t h, Py_UCS4 c) noexcept nogil:
    return (h ^ <uint32_t>c) * 0x100000001B3ULL


cdef inline uint32_t fold(uint64_t h) noexcept nogil:
    """32 bits, neither ABSENT nor OUTSIDE."""
    h ^= h >> 32
    h *= 0xD6E8FEB86659FD93ULL
    cdef uint32_t folded = <uint32_t>(h >> 32)
    return folded if folded > OUTSIDE else folded + 2


cdef uint32_t number_of(str text):
    """The same on every machine."""
    cdef uint64_t h = START
    cdef Py_UCS4 c
    for c in text:
        h = push(h, c)
    return fold(h)


def number(str text not None):
    """The number of a string, as words and tags have in the tag dictionary."""
    return number_of(text)


def normal(str form not None):
    """The form in lower case, with 0 for every digit.

    >>> normal("B-52s")
    'b-00s'
    """
    cdef str lower = form.lower()
    cdef Py_UCS4 c
    for c in lower:
        if c.isdecimal():
            return "".join(["0" if c.isdecimal() else c for c in lower])
    return lower


cdef inline Py_UCS4 kind(Py_UCS4 c) noexcept:
    if c.isdecimal():
        return u"d"
    if c.isupper() or c.istitle():
        return u"X"
    return u"x" if c.isalpha() else c


cdef class Words:
    def __cinit__(self):
        self.row = np.full((1, ATTRIBUTES), OUTSIDE, dtype=np.uint32)
        self.token = np.zeros(0, dtype=np.int32)
        self.offset = np.zeros(1, dtype=np.int64)

    @property
    def sentences(self):
        return len(self.offset) - 1

    # copies: what a tagger works on without the GIL is changed by nobody

    @property
    def rows(self):
        return np.array(self.row)

    @property
    def tokens(self):
        return np.array(self.token)

    @property
    def offsets(self):
        return np.array(self.offset)


cdef class WordEncoder:
    """Describes forms. It never changes, so any number of threads may use it."""
    cdef dict usual                         # number of a normal form: numbers of all its usual tags and of the first
    cdef dict clusters
    cdef dict stems                         # number of a stem: number of the only normal form that has it, 0 if there are several

    def __cinit__(self, usual, clusters=None, stems=None):
        numbers = {tags: (number_of(" ".join(sorted(tags))), number_of(tags[0])) for tags in set(usual.values())}
        self.usual = {word: numbers[tags] for word, tags in usual.items()}
        self.clusters = dict(clusters or {})
        self.stems = dict(stems or {})

    cdef int cut(self, str lower, uint32_t *out) except -1:
        """Stem and rest. A stem that is known from this form alone does not count: so words of the treebank look as new ones do."""
        cdef uint64_t h = START
        cdef Py_ssize_t k
        cdef uint32_t found
        for k in range(min(len(lower), LONGEST_STEM)):
            h = push(h, lower[k])
            found = fold(h)
            if k and self.stems.get(found, out[N]) != out[N]:
                out[M] = found
                out[R] = number_of(lower[k + 1:])
        return 0

    cdef int describe(self, str form, uint32_t *out) except -1:
        cdef str lower = normal(form)
        cdef Py_ssize_t size = len(lower), k
        cdef uint64_t h = START
        cdef Py_UCS4 c, before = 0
        cdef bint capital = False, small = False, digit = False, hyphen = False, letter = False
        out[W] = number_of(form)
        out[N] = number_of(lower)
        for k in range(5):                  # an affix is shorter than the word, but for the words of one letter
            if k < size:
                h = push(h, lower[k])
            out[P1 + k] = fold(h) if k + 1 < size or k == 0 else ABSENT
        h = START
        for k in range(8):
            if k < size:
                h = push(h, lower[size - 1 - k])
            out[S1 + k] = fold(h) if k + 1 < size or k == 0 else ABSENT
        out[M] = out[R] = ABSENT
        if self.stems:
            self.cut(lower, out)
        h = START
        for c in form:
            capital |= c.isupper()
            small |= c.islower()
            digit |= c.isdecimal()
            letter |= c.isalpha()
            hyphen |= c == u"-"
            c = kind(c)
            if c != before:
                h = push(h, c)
                before = c
        out[H] = fold(h)
        out[K] = 2 + (capital | small << 1 | digit << 2 | letter << 3 | hyphen << 4 | form[:1].isupper() << 5)
        out[A], out[B] = self.usual.get(out[N], (ABSENT, ABSENT))
        cluster = self.clusters.get(form, "")
        out[C4] = number_of(cluster[:4]) if cluster else ABSENT
        out[C6] = number_of(cluster[:6]) if cluster else ABSENT
        out[C] = number_of(cluster) if cluster else ABSENT
        return 0

    def encode(self, sentences, int rare=0):
        """The Words of these lists of forms; forms that occur less often than `rare` get no number of their own.

        In training that makes room for the affixes to learn what words never seen are like.
        """
        cdef Words words = Words.__new__(Words)
        cdef dict places = {}
        cdef list order = []
        cdef Py_ssize_t at = 0, s = 0
        sentences = [list(forms) for forms in sentences]
        offsets = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([len(forms) for forms in sentences], out=offsets[1:])
        tokens = np.empty(offsets[len(sentences)], dtype=np.int32)
        cdef int32_t[::1] token = tokens
        for forms in sentences:
            for form in forms:
                place = places.get(form)
                if place is None:
                    order.append(form)
                    place = places[form] = len(order)
                token[at] = place
                at += 1
        rows = np.full((len(order) + 1, ATTRIBUTES), OUTSIDE, dtype=np.uint32)
        cdef uint32_t[:, ::1] row = rows
        for s in range(len(order)):
            self.describe(order[s], &row[s + 1, 0])
        if rare:
            counts = np.bincount(tokens, minlength=len(rows))
            counts[0] = rare
            _, same = np.unique(rows[:, N], return_inverse=True)
            rows[counts < rare, W] = ABSENT
            rows[np.bincount(same, weights=counts)[same] < rare, N] = ABSENT
        words.row, words.token, words.offset = rows, tokens, offsets
        return words
