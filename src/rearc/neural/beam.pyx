"""Beam search with scores that a network computed once for each sentence. Labels come after it."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, realloc

import numpy as np

from rearc.constraints.guard cimport Guard
from rearc.interrupt cimport Watch, watch_begin
from rearc.neural.decoder cimport MAX_SLOTS, NetworkDecoder, Sheet, open_sheet
from rearc.search.beam cimport Beam, Trees, arrays_for, filled
from rearc.systems.config cimport NONE, Config, Transition


cdef class NetworkBeam(Beam):
    cdef readonly NetworkDecoder decoder
    cdef const Sheet *sheet                 # of the sentence
    cdef int *cells                         # training finds scores again by these; here nobody does

    def __cinit__(self, NetworkDecoder decoder not None, int size, double scale):
        self.decoder = decoder

    def __dealloc__(self):
        free(self.cells)

    cdef int reserve(self, int n) noexcept nogil:
        cdef void *larger
        if n > self.room:
            larger = realloc(self.cells, (2 * <size_t>n + 4) * sizeof(int))
            if larger == NULL:
                return -1
            self.cells = <int *>larger
        return Beam.reserve(self, n)

    cdef int score(self, const Config *c, const Transition *ts, int count, float *scores) noexcept nogil:
        cdef int words[MAX_SLOTS]
        self.decoder.score(self.sheet, c, ts, count, scores, self.cells, words)
        return NONE

    def parse(self, values, sizes, sheets, strides, int most=1, Guard guard=None, known=None):
        """The best trees of sentences of these sizes, at most so many of each: as `LinearBeam.parse`, and without labels."""
        cdef const float[::1] v = values
        sizes, sheets, strides = np.array(sizes), np.array(sheets), np.array(strides)   # checked, then used without the GIL
        cdef const int64_t[:, ::1] at = sheets
        cdef const int[::1] size = sizes
        cdef const int[::1] stride = strides
        self.decoder.check(v, at, size, stride, 0)
        if not 1 <= most <= self.size:
            raise ValueError(f"found {most} trees of a sentence, expected 1 to {self.size}, the size of the beam")
        cdef const int[::1] fixed = None
        if guard is not None:
            fixed = guard.known_for(self.system, sizes, known)
        cdef Py_ssize_t s
        cdef int64_t seen = 0
        cdef int failed = 0
        cdef Watch watch
        cdef Sheet sheet
        cdef Trees out
        watch_begin(&watch)
        arrays = arrays_for(&out, size.shape[0], int(sizes.sum(dtype=np.int64)), most)
        self.hold(guard)
        self.decoder.users += 1
        try:
            with nogil:
                self.sheet = &sheet
                for s in range(size.shape[0]):
                    if size[s] == 0:
                        continue
                    open_sheet(&sheet, &v[0], &at[s, 0], stride[s])
                    if fixed is not None and not self.guard.know(&fixed[seen] - 1, size[s]):
                        failed = -1
                        break
                    failed = self.search(size[s], &watch)
                    if failed:
                        break
                    out.counts[s] = self.write_down(most, &out)
                    seen += size[s]
            self.explain(failed)
        finally:
            self.decoder.users -= 1
            self.let_go()
        return filled(arrays, &out)
