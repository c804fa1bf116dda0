"""Weights of hashed features while they are learnt: tables that grow, with what averaging takes.

As in weights.pyx, places are prefetched before the first is read. What learning touches less often than it scores lies apart from
the weights, and what no mistake has touched takes no memory.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from rearc.perceptron.weights cimport CLASSES, MAX_FEATURES, is_dense, rearc_prefetch

from rearc.perceptron.weights import Rows, check_labels

cdef enum:
    MAX_BITS = 32                   # a table has at most 2^so many places

cdef uint32_t NOTHING = 0xFFFFFFFF  # no stretch of cells
cdef uint32_t DENSE = 0xFFFFFFFF    # instead of the number of a row's cells


def checked_keys(keys, limit=None):
    """Keys of features as an array; 0 marks an empty place in the tables, so it is none."""
    features = np.ascontiguousarray(keys, dtype=np.uint64)
    if features.ndim != 1 or (limit is not None and len(features) > limit):
        raise ValueError(f"found {features.size} features, expected a list of at most {limit}")
    if not features.all():
        raise ValueError("found a feature with the key 0, expected other numbers")
    return features


def checked_bits(bits):
    if not 4 <= bits <= MAX_BITS:
        raise ValueError(f"found a table of 2^{bits} places, expected 2^4 to 2^{MAX_BITS}")
    return bits


cdef class GrowingWeights(Scorer):
    cdef int add(self, const uint64_t *keys, int count, int cls, float delta) noexcept nogil:
        return -1

    def update(self, keys, int right, int wrong):
        """One step of learning from features with these keys: where the classes differ, +1 for right and −1 for wrong."""
        cdef const uint64_t[::1] features = checked_keys(keys, MAX_FEATURES)
        if not (0 <= right < self.classes and 0 <= wrong < self.classes):
            raise ValueError(f"found the classes {right} and {wrong}, expected numbers below {self.classes}")
        self.hold(to_write=True)
        self.steps += 1
        cdef bint failed = right != wrong and len(features) and (
            self.add(&features[0], <int>len(features), right, 1) < 0 or self.add(&features[0], <int>len(features), wrong, -1) < 0
        )
        self.let_go(to_write=True)
        if failed:
            raise MemoryError("no memory for the weights")

    def average(self):
        """The averaged weights: of types (keys, weights) in the order of the keys, of labels Rows."""
        self.hold()
        try:
            return self.averaged()
        finally:
            self.let_go()

    def state(self):
        """All that has been learnt, as arrays for restore."""
        self.hold()
        try:
            return self.written()
        finally:
            self.let_go()

    def restore(self, state, int64_t steps):
        """Go on from a state; the learner must be new."""
        arrays = {name: np.array(array) for name, array in state.items()}   # nobody changes what has been checked
        self.hold(to_write=True)
        try:
            check_new(self.used, arrays["keys"], steps)
            self.read(arrays)
            self.used, self.steps = len(arrays["keys"]), steps
        finally:
            self.let_go(to_write=True)

    cdef object averaged(self):
        raise TypeError("found no weights, expected a learner of types or of labels")

    cdef dict written(self):
        raise TypeError("found no weights, expected a learner of types or of labels")

    cdef int read(self, dict state) except -1:
        raise TypeError("found no weights, expected a learner of types or of labels")


cdef class TypeLearner(GrowingWeights):
    def __cinit__(self, int bits=16):
        self.classes = CLASSES
        self.mask = (<uint64_t>1 << <int>checked_bits(bits)) - 1
        self.entries = <Entry *>calloc(self.mask + 1, sizeof(Entry))
        self.numbers = <uint32_t *>calloc(self.mask + 1, sizeof(uint32_t))
        if self.entries == NULL or self.numbers == NULL:
            raise MemoryError("no memory for the weights")

    def __dealloc__(self):
        free(self.entries)
        free(self.numbers)
        free(self.sums)

    @property
    def nbytes(self):
        return (self.mask + 1) * (sizeof(Entry) + sizeof(uint32_t)) + self.room * CLASSES * sizeof(double)

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        cdef int k, x
        cdef uint64_t at
        for k in range(count):
            rearc_prefetch(&self.entries[keys[k] & self.mask])
        for x in range(CLASSES):
            out[x] = 0
        for k in range(count):
            at = keys[k] & self.mask
            while self.entries[at].key:
                if self.entries[at].key == keys[k]:
                    for x in range(CLASSES):
                        out[x] += self.entries[at].w[x]
                    break
                at = (at + 1) & self.mask

    cdef int add(self, const uint64_t *keys, int count, int cls, float delta) noexcept nogil:
        cdef int k, x
        cdef uint64_t at
        cdef int64_t number
        if self.grow_for(count) < 0:
            return -1
        for k in range(count):
            at = keys[k] & self.mask
            while self.entries[at].key and self.entries[at].key != keys[k]:
                at = (at + 1) & self.mask
            if not self.entries[at].key:
                self.entries[at].key = keys[k]
                self.numbers[at] = <uint32_t>self.used
                for x in range(CLASSES):
                    self.sums[self.used * CLASSES + x] = 0
                self.used += 1
            self.entries[at].w[cls] += delta
            number = self.numbers[at]
            self.sums[number * CLASSES + cls] += <double>self.steps * delta
        return 0

    cdef int grow_for(self, int count) noexcept nogil:
        """Room for so many new features."""
        cdef int64_t room = self.used + count
        cdef void *sums
        if room > self.room:
            room += room // 4 + 4096
            sums = realloc(self.sums, room * CLASSES * sizeof(double))
            if sums == NULL:
                return -1
            self.sums, self.room = <double *>sums, room
        while (self.used + count) * 10 > <int64_t>(self.mask + 1) * 6:
            if self.grow() < 0:
                return -1
        return 0

    cdef void put(self, const Entry *entry, uint32_t number) noexcept nogil:
        """Into a table that does not have it yet."""
        cdef uint64_t at = entry.key & self.mask
        while self.entries[at].key:
            at = (at + 1) & self.mask
        self.entries[at], self.numbers[at] = entry[0], number

    cdef int grow(self) noexcept nogil:
        """Twice as many places, without a second table beside the first."""
        cdef uint64_t size = self.mask + 1, first = 0, k
        cdef Entry entry
        cdef Entry *waiting
        cdef uint32_t *numbers
        cdef void *more = NULL if size >> MAX_BITS else realloc(self.entries, size * 2 * sizeof(Entry))
        if more == NULL:
            return -1
        self.entries = <Entry *>more
        more = realloc(self.numbers, size * 2 * sizeof(uint32_t))
        if more == NULL:
            return -1
        self.numbers = <uint32_t *>more
        # Entries before the first empty place may belong at the old end, so they are taken out first and put back last. The others
        # go, in their order, to the new half or to a place that is free by then at or before their own: none comes to stand behind
        # one that still leaves.
        while self.entries[first].key:
            first += 1
        waiting = <Entry *>malloc((first + 1) * sizeof(Entry))
        numbers = <uint32_t *>malloc((first + 1) * sizeof(uint32_t))
        if waiting == NULL or numbers == NULL:
            free(waiting)
            free(numbers)
            return -1
        memcpy(waiting, self.entries, first * sizeof(Entry))
        memcpy(numbers, self.numbers, first * sizeof(uint32_t))
        memset(self.entries, 0, first * sizeof(Entry))
        memset(self.entries + size, 0, size * sizeof(Entry))
        self.mask = 2 * size - 1
        for k in range(first, size):
            if self.entries[k].key:
                entry = self.entries[k]
                memset(&self.entries[k], 0, sizeof(Entry))
                self.put(&entry, self.numbers[k])
        for k in range(first):
            self.put(&waiting[k], numbers[k])
        free(waiting)
        free(numbers)
        return 0

    cdef object averaged(self):
        cdef int64_t k, x, filled = 0
        keys = np.zeros(self.used, dtype=np.uint64)
        places = np.zeros(self.used, dtype=np.uint32)
        cdef uint64_t[::1] out_keys = keys
        cdef uint32_t[::1] place = places
        for k in range(<int64_t>(self.mask + 1)):
            if self.entries[k].key:
                out_keys[filled], place[filled] = self.entries[k].key, <uint32_t>k
                filled += 1
        order = np.argsort(keys)
        keys = keys[order]
        place = places[order]
        del places, order, out_keys
        weights = np.zeros((len(keys), CLASSES), dtype=np.float32)
        cdef float[:, ::1] out = weights
        cdef double steps = self.steps or 1
        cdef const double *sums
        for k in range(len(place)):
            sums = self.sums + <int64_t>self.numbers[place[k]] * CLASSES
            for x in range(CLASSES):
                out[k, x] = <float>(self.entries[place[k]].w[x] - sums[x] / steps)
        return keys, weights

    cdef dict written(self):
        keys = np.zeros(self.used, dtype=np.uint64)
        weights = np.zeros((self.used, CLASSES), dtype=np.float32)
        sums = np.zeros((self.used, CLASSES), dtype=np.float64)
        cdef uint64_t[::1] out_keys = keys
        cdef float[:, ::1] out = weights
        cdef double[:, ::1] out_sums = sums
        cdef int64_t k
        for k in range(<int64_t>(self.mask + 1)):
            if self.entries[k].key:
                out_keys[self.numbers[k]] = self.entries[k].key
                memcpy(&out[self.numbers[k], 0], self.entries[k].w, CLASSES * sizeof(float))
        if self.used:
            memcpy(&out_sums[0, 0], self.sums, self.used * CLASSES * sizeof(double))
        return {"keys": keys, "weights": weights, "sums": sums}

    cdef int read(self, dict state) except -1:
        cdef const uint64_t[::1] keys = state["keys"]
        cdef const float[:, ::1] weights = state["weights"]
        cdef const double[:, ::1] sums = state["sums"]
        if not state["weights"].shape == state["sums"].shape == (len(keys), CLASSES):
            raise ValueError("arrays of different lengths")
        cdef int64_t k
        cdef Entry entry
        if self.grow_for(<int>len(keys)) < 0:
            raise MemoryError("no memory for the weights")
        for k in range(len(keys)):
            entry.key = keys[k]
            memcpy(entry.w, &weights[k, 0], CLASSES * sizeof(float))
            self.put(&entry, <uint32_t>k)
            memcpy(self.sums + k * CLASSES, &sums[k, 0], CLASSES * sizeof(double))
        return 0


def check_new(used, keys, steps):
    """ValueError where a state does not fit, or there is something that it would be mixed with."""
    if used:
        raise ValueError(f"found a learner of {used:,} features, expected a new one")
    if steps < 0:
        raise ValueError(f"found {steps} steps, expected at least 0")
    if len(keys) >= 1 << 31 or not keys.all() or len(np.unique(keys)) < len(keys):
        raise ValueError("found keys that are 0 or there twice, expected different ones")


cdef inline int size_of(uint32_t count) noexcept nogil:
    """The size, a power of two, of the stretch that so many cells are in."""
    cdef int size = 1
    while <uint32_t>1 << size < count:
        size += 1
    return size


cdef class LabelLearner(GrowingWeights):
    def __cinit__(self, int labels, int bits=14):
        cdef int k
        check_labels(labels)
        self.classes = labels
        self.after = (labels * sizeof(float) + sizeof(Cell) - 1) // sizeof(Cell)
        self.mask = (<uint64_t>1 << <int>checked_bits(bits)) - 1
        self.rows = <Row *>calloc(self.mask + 1, sizeof(Row))
        for k in range(SIZES):
            self.spare[k] = NOTHING
        if self.rows == NULL:
            raise MemoryError("no memory for the weights")

    def __dealloc__(self):
        free(self.rows)
        free(self.cells)

    @property
    def nbytes(self):
        return (self.mask + 1) * sizeof(Row) + self.room * sizeof(Cell)

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        cdef int k, x, found = 0
        cdef uint32_t c
        cdef uint64_t at
        cdef const Row *rows[MAX_FEATURES]
        cdef const Cell *cells
        cdef const float *weights
        for k in range(count):
            rearc_prefetch(&self.rows[keys[k] & self.mask])
        for x in range(self.classes):
            out[x] = 0
        for k in range(count):
            at = keys[k] & self.mask
            while self.rows[at].key:
                if self.rows[at].key == keys[k]:
                    rows[found] = &self.rows[at]
                    rearc_prefetch(self.cells + self.rows[at].start)
                    found += 1
                    break
                at = (at + 1) & self.mask
        for k in range(found):
            cells = self.cells + rows[k].start
            if rows[k].count == DENSE:
                weights = <const float *>cells
                for x in range(self.classes):
                    out[x] += weights[x]
            else:
                for c in range(rows[k].count):
                    out[cells[c].label] += cells[c].w

    cdef int add(self, const uint64_t *keys, int count, int label, float delta) noexcept nogil:
        cdef int k
        cdef uint64_t at
        cdef float *w
        cdef double *sum
        while (self.used + count) * 10 > <int64_t>(self.mask + 1) * 6:
            if self.grow() < 0:
                return -1
        for k in range(count):
            at = keys[k] & self.mask
            while self.rows[at].key and self.rows[at].key != keys[k]:
                at = (at + 1) & self.mask
            if not self.rows[at].key:
                self.rows[at].key = keys[k]
                self.used += 1
            if self.find(&self.rows[at], label, &w, &sum) < 0:
                return -1
            w[0] += delta
            sum[0] += <double>self.steps * delta
        return 0

    cdef int find(self, Row *row, int label, float **w, double **sum) noexcept nogil:
        """The weight of a label and its sum, which are made where there are none; −1 where there is no memory."""
        cdef uint32_t k
        cdef Cell *cell
        if row.count != DENSE:
            for k in range(row.count):
                cell = self.cells + row.start + k
                if cell.label == <uint32_t>label:
                    w[0], sum[0] = &cell.w, &cell.sum
                    return 0
            if row.count != 1 and row.count & (row.count - 1) == 0 and self.extend(row) < 0:    # as many as there is room for
                return -1
        if row.count == DENSE:
            w[0] = <float *>(self.cells + row.start) + label
            sum[0] = <double *>(self.cells + row.start + self.after) + label
            return 0
        cell = self.cells + row.start + row.count
        cell.sum, cell.w, cell.label = 0, 0, <uint32_t>label
        w[0], sum[0] = &cell.w, &cell.sum
        row.count += 1
        return 0

    cdef int extend(self, Row *row) noexcept nogil:
        """A longer stretch for a row that has filled its own."""
        cdef uint32_t k, old = row.start, count = row.count
        cdef int size = size_of(count + 1)
        cdef int64_t start
        cdef float *w
        cdef double *sums
        if count and is_dense(<int>count, self.classes):
            start = self.take(self.after + (self.classes + 1) // 2)
            if start < 0:
                return -1
            memset(self.cells + start, 0, (self.after + (self.classes + 1) // 2) * sizeof(Cell))
            w = <float *>(self.cells + start)
            sums = <double *>(self.cells + start + self.after)
            for k in range(old, old + count):
                w[self.cells[k].label] = self.cells[k].w
                sums[self.cells[k].label] = self.cells[k].sum
            row.count = DENSE
        else:
            start = self.stretch(size)
            if start < 0:
                return -1
            if count:
                memcpy(self.cells + start, self.cells + old, count * sizeof(Cell))
        if count:
            self.cells[old].label = self.spare[size - 1]
            self.spare[size - 1] = old
        row.start = <uint32_t>start
        return 0

    cdef int64_t stretch(self, int size) noexcept nogil:
        """Where 2^size cells are free; −1 if nowhere."""
        cdef int64_t start = self.spare[size]
        if start == NOTHING:
            return self.take(<int64_t>1 << size)
        self.spare[size] = self.cells[start].label
        return start

    cdef int64_t take(self, int64_t count) noexcept nogil:
        """New cells at the end; −1 if there is no memory."""
        cdef int64_t start = self.filled, room = start + count
        cdef void *cells
        if room > self.room:
            room += room // 4 + 4096
            cells = NULL if room >= NOTHING else realloc(self.cells, room * sizeof(Cell))
            if cells == NULL:
                return -1
            self.cells, self.room = <Cell *>cells, room
        self.filled += count
        return start

    cdef int grow(self) noexcept nogil:
        cdef uint64_t old_size = self.mask + 1, k, at
        cdef Row *old = self.rows
        if old_size >> MAX_BITS:
            return -1
        self.rows = <Row *>calloc(old_size * 2, sizeof(Row))
        if self.rows == NULL:
            self.rows = old
            return -1
        self.mask = old_size * 2 - 1
        for k in range(old_size):
            if old[k].key:
                at = old[k].key & self.mask
                while self.rows[at].key:
                    at = (at + 1) & self.mask
                self.rows[at] = old[k]
        free(old)
        return 0

    cdef tuple cells_in_order(self):
        """(keys, cells in each row, labels, weights, sums), rows in the order of the keys, cells in that of the labels."""
        cdef int64_t k, filled = 0, total = 0
        cdef uint32_t c
        keys = np.zeros(self.used, dtype=np.uint64)
        places = np.zeros(self.used, dtype=np.int64)
        cdef uint64_t[::1] out_keys = keys
        cdef int64_t[::1] place = places
        for k in range(<int64_t>(self.mask + 1)):
            if self.rows[k].key:
                out_keys[filled], place[filled] = self.rows[k].key, k
                total += self.classes if self.rows[k].count == DENSE else self.rows[k].count
                filled += 1
        order = np.argsort(keys)
        place = places[order]
        counts = np.zeros(len(keys), dtype=np.uint32)
        labels = np.zeros(total, dtype=np.uint16)
        weights = np.zeros(total, dtype=np.float32)
        sums = np.zeros(total, dtype=np.float64)
        cdef uint32_t[::1] count = counts
        cdef uint16_t[::1] out_labels = labels
        cdef float[::1] out = weights
        cdef double[::1] out_sums = sums
        cdef const Row *row
        cdef const Cell *cell
        cdef const float *w
        cdef const double *all_sums
        cdef int64_t at, start, end = 0
        for k in range(len(place)):
            row, start = &self.rows[place[k]], end
            if row.count == DENSE:
                w = <const float *>(self.cells + row.start)
                all_sums = <const double *>(self.cells + row.start + self.after)
                for at in range(self.classes):
                    if w[at] != 0 or all_sums[at] != 0:
                        out_labels[end], out[end], out_sums[end] = <uint16_t>at, w[at], all_sums[at]
                        end += 1
            else:
                for c in range(row.count):      # few: sorted as they are copied
                    cell = self.cells + row.start + c
                    at = end
                    while at > start and out_labels[at - 1] > cell.label:
                        out_labels[at], out[at], out_sums[at] = out_labels[at - 1], out[at - 1], out_sums[at - 1]
                        at -= 1
                    out_labels[at], out[at], out_sums[at] = <uint16_t>cell.label, cell.w, cell.sum
                    end += 1
            count[k] = <uint32_t>(end - start)
        return keys[order], counts, labels[:end], weights[:end], sums[:end]

    cdef object averaged(self):
        keys, counts, labels, weights, sums = self.cells_in_order()
        sums /= self.steps or 1
        return Rows(keys, counts, labels, (weights - sums).astype(np.float32))

    cdef dict written(self):
        keys, counts, labels, weights, sums = self.cells_in_order()
        cells = np.repeat(np.arange(len(keys), dtype=np.int64) * self.classes, counts)
        cells += labels
        return {"keys": keys, "cells": cells, "weights": weights, "sums": sums}

    cdef int read(self, dict state) except -1:
        cdef const uint64_t[::1] keys = state["keys"]
        cdef const int64_t[::1] cells = state["cells"]
        cdef const float[::1] weights = state["weights"]
        cdef const double[::1] sums = state["sums"]
        if not len(cells) == len(weights) == len(sums):
            raise ValueError("arrays of different lengths")
        if len(cells) and not (state["cells"][0] >= 0 and state["cells"][-1] < len(keys) * self.classes and (np.diff(cells) > 0).all()):
            raise ValueError(f"found cells out of order, expected numbers from 0 to {len(keys) * self.classes - 1}, each above the one before")
        cdef int64_t k, x = 0
        cdef uint64_t at
        cdef float *w
        cdef double *sum
        while len(keys) * 10 > <int64_t>(self.mask + 1) * 6:
            if self.grow() < 0:
                raise MemoryError("no memory for the weights")
        for k in range(len(keys)):
            at = keys[k] & self.mask
            while self.rows[at].key:
                at = (at + 1) & self.mask
            self.rows[at].key = keys[k]
            while x < len(cells) and cells[x] < (k + 1) * self.classes:
                if self.find(&self.rows[at], <int>(cells[x] - k * self.classes), &w, &sum) < 0:
                    raise MemoryError("no memory for the weights")
                w[0], sum[0] = weights[x], sums[x]
                x += 1
        return 0
