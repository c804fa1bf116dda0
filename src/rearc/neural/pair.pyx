"""The pair scorer's decoder (Fernández-González & Gómez-Rodríguez 2018, 4.2, after Qi & Manning 2017).

An arc is scored by its head and its dependent, no-arc by the two focus words, shift by the front of the buffer. Beyond these
words a score depends on one thing alone, and in non-monotonic systems only: whether the word that would get a head, or be
shifted, has one. So a score is a look into the tables of the sentence.
"""

from libc.stdint cimport int64_t

from rearc.neural.scorers import is_pair_system

from rearc.neural.decoder cimport NetworkDecoder, Sheet
from rearc.oracles.base cimport Oracle
from rearc.systems.base cimport System
from rearc.systems.config cimport NO_ARC, NONE, SHIFT, Config, Transition, buffer_word, kind_of


cdef inline float entry(const Sheet *sheet, int64_t start, int row, int column, int n) noexcept nogil:
    """Of a table or, for a sentence too long for tables, the product of its two factors."""
    cdef const float *left
    cdef const float *right
    cdef float total = 0
    cdef int k, size = -sheet.stride
    if sheet.stride >= 0:
        return sheet.values[start + row * <int64_t>sheet.stride + column]
    left = sheet.values + start + row * <int64_t>size
    right = sheet.values + start + (n + 1 + column) * <int64_t>size
    for k in range(size):
        total += left[k] * right[k]
    return total


cdef inline bint holds(const Sheet *sheet, int64_t start, int n, int64_t count) noexcept nogil:
    """Whether a whole table, or both of its factors, are among the values."""
    if not 0 <= start < count:
        return False
    if sheet.stride >= 0:
        return n * <int64_t>sheet.stride + n < count - start
    return 2 * (n + 1) * -<int64_t>sheet.stride <= count - start


cdef class PairDecoder(NetworkDecoder):
    """For the systems whose every arc joins the front of the buffer with a word before it."""
    cdef bint lists                 # Covington's configuration: λ1, λ2 and the buffer
    cdef bint no_detours

    def __cinit__(self, System system not None):
        if not is_pair_system(system.name):
            raise ValueError(f"found {system!r}, expected a system whose arcs all join the front of the buffer with a word before it")
        self.lists = "covington" in system.name
        self.no_detours = system.name == "nl-covington-nonmonotonic"
        self.slots = 0

    cdef void score(self, const Sheet *sheet, const Config *c, const Transition *ts, int count, float *scores,
                    int *cells, int *words) noexcept nogil:
        cdef int x, kind, h, d
        cdef int j = c.j if self.lists else buffer_word(c, 0)
        cdef int64_t start
        for x in range(count):
            kind = kind_of(ts[x])
            if kind == SHIFT:
                start = sheet.shifts if c.head[j] == NONE else sheet.settled
                scores[x] = sheet.values[start + j]
                cells[x] = <int>(start + j)
            elif kind == NO_ARC:
                scores[x] = entry(sheet, sheet.no_arcs, c.i, j, c.n)
                cells[x] = <int>(sheet.no_arcs + c.i * <int64_t>sheet.stride + j)
            else:
                self.system.arc(c, ts[x], &h, &d)
                start = sheet.start if c.head[d] == NONE else sheet.repairs
                scores[x] = entry(sheet, start, h, d, c.n)
                cells[x] = <int>(start + h * <int64_t>sheet.stride + d)

    cdef bint covers(self, const Sheet *sheet, int n, int64_t count) noexcept nogil:
        return (
            -count <= sheet.stride <= count and holds(sheet, sheet.start, n, count) and holds(sheet, sheet.no_arcs, n, count)
            and holds(sheet, sheet.repairs, n, count) and 0 <= sheet.shifts < count - n and 0 <= sheet.settled < count - n
        )

    cdef int lessons(self, Oracle judge, const Config *c, Transition *optimal, int count) noexcept nogil:
        """In NL-Covington an arc passes words. A wrong one that can be repaired is free, but not worth that: it is right
        only where nothing else is, as repairs are in Honnibal & Johnson 2015."""
        cdef int k, h, d, kept = 0
        if self.no_detours:
            for k in range(count):
                if not self.system.arc(c, optimal[k], &h, &d) or judge.gold[d] == h:
                    optimal[kept] = optimal[k]
                    kept += 1
        return kept or count
