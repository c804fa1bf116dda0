"""Weights of hashed features while they are learnt: tables that grow, with what averaging takes.

As in weights.pyx, places are prefetched before the first is read.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

import numpy as np

from rearc.perceptron.weights cimport CLASSES, rearc_prefetch


cdef class GrowingWeights(Scorer):
    cdef int add(self, const uint64_t *keys, int count, int cls, float delta) noexcept nogil:
        return -1

    def update(self, keys, int right, int wrong):
        """One step of learning from features with these keys: where the classes differ, +1 for right and −1 for wrong."""
        cdef const uint64_t[::1] features = np.ascontiguousarray(keys, dtype=np.uint64)
        if not (0 <= right < self.classes and 0 <= wrong < self.classes):
            raise ValueError(f"found the classes {right} and {wrong}, expected numbers below {self.classes}")
        self.steps += 1
        if right != wrong and len(features) and (
            self.add(&features[0], <int>len(features), right, 1) < 0 or self.add(&features[0], <int>len(features), wrong, -1) < 0
        ):
            raise MemoryError("no memory for the weights")

    cdef void average_into(self, uint64_t[::1] keys, float[:, ::1] weights, double steps):
        pass

    def average(self):
        """(keys, averaged weights) of all features, in the order of their keys."""
        keys = np.zeros(self.used, dtype=np.uint64)
        weights = np.zeros((self.used, self.classes), dtype=np.float32)
        self.average_into(keys, weights, self.steps or 1)
        order = np.argsort(keys)
        return keys[order], weights[order]


cdef class TypeLearner(GrowingWeights):
    def __cinit__(self, int bits=16):
        self.classes = CLASSES
        self.mask = (<uint64_t>1 << bits) - 1
        self.entries = <Entry *>calloc(self.mask + 1, sizeof(Entry))
        self.sums = <double *>calloc((self.mask + 1) * CLASSES, sizeof(double))
        if self.entries == NULL or self.sums == NULL:
            raise MemoryError("no memory for the weights")

    def __dealloc__(self):
        free(self.entries)
        free(self.sums)

    @property
    def nbytes(self):
        return (self.mask + 1) * (sizeof(Entry) + CLASSES * sizeof(double))

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
        cdef int k
        cdef uint64_t at
        if (self.used + count) * 10 > <int64_t>(self.mask + 1) * 6 and self.grow() < 0:
            return -1
        for k in range(count):
            at = keys[k] & self.mask
            while self.entries[at].key and self.entries[at].key != keys[k]:
                at = (at + 1) & self.mask
            if not self.entries[at].key:
                self.entries[at].key = keys[k]
                self.used += 1
            self.entries[at].w[cls] += delta
            self.sums[at * CLASSES + cls] += <double>self.steps * delta
        return 0

    cdef int grow(self) noexcept nogil:
        cdef uint64_t old_size = self.mask + 1, k, at
        cdef Entry *old = self.entries
        cdef double *old_sums = self.sums
        cdef int x
        self.entries = <Entry *>calloc(old_size * 2, sizeof(Entry))
        self.sums = <double *>calloc(old_size * 2 * CLASSES, sizeof(double))
        if self.entries == NULL or self.sums == NULL:
            free(self.entries)
            free(self.sums)
            self.entries, self.sums = old, old_sums
            return -1
        self.mask = old_size * 2 - 1
        for k in range(old_size):
            if old[k].key:
                at = old[k].key & self.mask
                while self.entries[at].key:
                    at = (at + 1) & self.mask
                self.entries[at] = old[k]
                for x in range(CLASSES):
                    self.sums[at * CLASSES + x] = old_sums[k * CLASSES + x]
        free(old)
        free(old_sums)
        return 0

    cdef void average_into(self, uint64_t[::1] keys, float[:, ::1] weights, double steps):
        cdef int64_t k, filled = 0
        cdef int x
        for k in range(<int64_t>(self.mask + 1)):
            if self.entries[k].key:
                keys[filled] = self.entries[k].key
                for x in range(CLASSES):
                    weights[filled, x] = <float>(self.entries[k].w[x] - self.sums[k * CLASSES + x] / steps)
                filled += 1

    def state(self):
        """All that has been learnt, as arrays for restore."""
        cdef int64_t k, filled = 0
        keys = np.zeros(self.used, dtype=np.uint64)
        weights = np.zeros((self.used, CLASSES), dtype=np.float32)
        sums = np.zeros((self.used, CLASSES), dtype=np.float64)
        cdef uint64_t[::1] out_keys = keys
        cdef float[:, ::1] out = weights
        cdef double[:, ::1] out_sums = sums
        for k in range(<int64_t>(self.mask + 1)):
            if self.entries[k].key:
                out_keys[filled] = self.entries[k].key
                memcpy(&out[filled, 0], self.entries[k].w, sizeof(self.entries[k].w))
                memcpy(&out_sums[filled, 0], self.sums + k * CLASSES, CLASSES * sizeof(double))
                filled += 1
        return {"keys": keys, "weights": weights, "sums": sums}

    def restore(self, state, int64_t steps):
        """Go on from a state; the learner must be new."""
        cdef const uint64_t[::1] keys = state["keys"]
        cdef const float[:, ::1] weights = state["weights"]
        cdef const double[:, ::1] sums = state["sums"]
        if not state["weights"].shape == state["sums"].shape == (len(keys), CLASSES):
            raise ValueError("arrays of different lengths")
        cdef int64_t k
        cdef uint64_t at
        while len(keys) * 10 > <int64_t>(self.mask + 1) * 6:
            if self.grow() < 0:
                raise MemoryError("no memory for the weights")
        for k in range(len(keys)):
            at = keys[k] & self.mask
            while self.entries[at].key:
                at = (at + 1) & self.mask
            self.entries[at].key = keys[k]
            memcpy(self.entries[at].w, &weights[k, 0], sizeof(self.entries[at].w))
            memcpy(self.sums + at * CLASSES, &sums[k, 0], CLASSES * sizeof(double))
        self.used = len(keys)
        self.steps = steps


cdef class LabelLearner(GrowingWeights):
    def __cinit__(self, int labels, int bits=14):
        self.classes = labels
        self.mask = (<uint64_t>1 << bits) - 1
        self.keys = <uint64_t *>calloc(self.mask + 1, sizeof(uint64_t))
        self.rows = <uint32_t *>calloc(self.mask + 1, sizeof(uint32_t))
        if self.keys == NULL or self.rows == NULL:
            raise MemoryError("no memory for the weights")

    def __dealloc__(self):
        free(self.keys)
        free(self.rows)
        free(self.w)
        free(self.sums)

    @property
    def nbytes(self):
        return (self.mask + 1) * 12 + self.room * self.classes * 12

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        cdef int k, x
        cdef uint64_t at
        cdef const float *row
        for k in range(count):
            rearc_prefetch(&self.keys[keys[k] & self.mask])
        for x in range(self.classes):
            out[x] = 0
        for k in range(count):
            at = keys[k] & self.mask
            while self.keys[at]:
                if self.keys[at] == keys[k]:
                    row = self.w + <int64_t>self.rows[at] * self.classes
                    for x in range(self.classes):
                        out[x] += row[x]
                    break
                at = (at + 1) & self.mask

    cdef int add(self, const uint64_t *keys, int count, int label, float delta) noexcept nogil:
        cdef int k
        cdef uint64_t at
        cdef int64_t cell
        if self.grow_for(count) < 0:
            return -1
        for k in range(count):
            at = keys[k] & self.mask
            while self.keys[at] and self.keys[at] != keys[k]:
                at = (at + 1) & self.mask
            if not self.keys[at]:
                self.keys[at] = keys[k]
                self.rows[at] = <uint32_t>self.used
                self.used += 1
            cell = <int64_t>self.rows[at] * self.classes + label
            self.w[cell] += delta
            self.sums[cell] += <double>self.steps * delta
        return 0

    cdef int grow_for(self, int count) noexcept nogil:
        """Room for so many new rows."""
        cdef int64_t room
        cdef void *w
        cdef void *sums
        if self.used + count > self.room:
            room = 2 * self.room if self.room else 4096
            w = realloc(self.w, room * self.classes * sizeof(float))
            if w == NULL:
                return -1
            self.w = <float *>w
            sums = realloc(self.sums, room * self.classes * sizeof(double))
            if sums == NULL:
                return -1
            self.sums = <double *>sums
            memset(self.w + self.room * self.classes, 0, (room - self.room) * self.classes * sizeof(float))
            memset(self.sums + self.room * self.classes, 0, (room - self.room) * self.classes * sizeof(double))
            self.room = room
        if (self.used + count) * 10 > <int64_t>(self.mask + 1) * 6:
            return self.grow()
        return 0

    cdef int grow(self) noexcept nogil:
        cdef uint64_t old_size = self.mask + 1, k, at
        cdef uint64_t *old = self.keys
        cdef uint32_t *old_rows = self.rows
        self.keys = <uint64_t *>calloc(old_size * 2, sizeof(uint64_t))
        self.rows = <uint32_t *>calloc(old_size * 2, sizeof(uint32_t))
        if self.keys == NULL or self.rows == NULL:
            free(self.keys)
            free(self.rows)
            self.keys, self.rows = old, old_rows
            return -1
        self.mask = old_size * 2 - 1
        for k in range(old_size):
            if old[k]:
                at = old[k] & self.mask
                while self.keys[at]:
                    at = (at + 1) & self.mask
                self.keys[at] = old[k]
                self.rows[at] = old_rows[k]
        free(old)
        free(old_rows)
        return 0

    cdef void average_into(self, uint64_t[::1] keys, float[:, ::1] weights, double steps):
        cdef int64_t k, filled = 0, cell
        cdef int x
        for k in range(<int64_t>(self.mask + 1)):
            if self.keys[k]:
                keys[filled] = self.keys[k]
                cell = <int64_t>self.rows[k] * self.classes
                for x in range(self.classes):
                    weights[filled, x] = <float>(self.w[cell + x] - self.sums[cell + x] / steps)
                filled += 1

    def state(self):
        """All that has been learnt, as arrays for restore: keys, cells that are not 0, their weights and sums."""
        cdef int64_t k, filled = 0
        keys = np.zeros(self.used, dtype=np.uint64)
        cdef uint64_t[::1] out_keys = keys
        for k in range(<int64_t>(self.mask + 1)):
            if self.keys[k]:
                out_keys[self.rows[k]] = self.keys[k]
        for k in range(self.used * self.classes):
            filled += self.w[k] != 0 or self.sums[k] != 0
        cells = np.zeros(filled, dtype=np.int64)
        weights = np.zeros(filled, dtype=np.float32)
        sums = np.zeros(filled, dtype=np.float64)
        cdef int64_t[::1] out_cells = cells
        cdef float[::1] out = weights
        cdef double[::1] out_sums = sums
        filled = 0
        for k in range(self.used * self.classes):
            if self.w[k] != 0 or self.sums[k] != 0:
                out_cells[filled], out[filled], out_sums[filled] = k, self.w[k], self.sums[k]
                filled += 1
        return {"keys": keys, "cells": cells, "weights": weights, "sums": sums}

    def restore(self, state, int64_t steps):
        """Go on from a state; the learner must be new."""
        cdef const uint64_t[::1] keys = state["keys"]
        cdef const int64_t[::1] cells = state["cells"]
        cdef const float[::1] weights = state["weights"]
        cdef const double[::1] sums = state["sums"]
        if not len(cells) == len(weights) == len(sums):
            raise ValueError("arrays of different lengths")
        cdef int64_t k
        cdef uint64_t at
        while len(keys) > self.room or len(keys) * 10 > <int64_t>(self.mask + 1) * 6:
            if self.grow_for(len(keys)) < 0:
                raise MemoryError("no memory for the weights")
        for k in range(len(keys)):
            at = keys[k] & self.mask
            while self.keys[at]:
                at = (at + 1) & self.mask
            self.keys[at] = keys[k]
            self.rows[at] = <uint32_t>k
        for k in range(len(cells)):
            if not 0 <= cells[k] < <int64_t>len(keys) * self.classes:
                raise ValueError(f"found the cell {cells[k]}, expected at most {len(keys) * self.classes}")
            self.w[cells[k]], self.sums[cells[k]] = weights[k], sums[k]
        self.used = len(keys)
        self.steps = steps
