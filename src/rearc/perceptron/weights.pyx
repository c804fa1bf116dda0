"""Weights of hashed features: tables that grow while learning, and small fixed ones for parsing.

A random read of main memory costs more than all arithmetic on what it brings, so the places of all features are prefetched
before the first is read, and an entry holds key and weights together.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define rearc_prefetch(p) __builtin_prefetch(p)
    #else
    #define rearc_prefetch(p) ((void)(p))
    #endif
    """
    void rearc_prefetch(const void *p) noexcept nogil

TRANSITIONS = CLASSES
PACKED = np.dtype([("tag", np.uint32), ("w", np.int16, (CLASSES,))])


cdef class Scorer:
    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        pass

    def scores(self, keys):
        """The score of each class for the features with these keys."""
        cdef const uint64_t[::1] features = np.ascontiguousarray(keys, dtype=np.uint64)
        result = np.zeros(self.classes, dtype=np.float32)
        cdef float[::1] out = result
        if len(features) > MAX_FEATURES:
            raise ValueError(f"found {len(features)} features, expected at most {MAX_FEATURES}")
        if len(features):
            self.score(&features[0], <int>len(features), &out[0])
        return result


cdef class TypeLearner(Scorer):
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

    def average(self):
        """(keys, averaged weights) of all features, in the order of their keys."""
        cdef int64_t k, filled = 0
        cdef int x
        keys = np.zeros(self.used, dtype=np.uint64)
        weights = np.zeros((self.used, CLASSES), dtype=np.float32)
        cdef uint64_t[::1] out_keys = keys
        cdef float[:, ::1] out = weights
        cdef double steps = self.steps if self.steps else 1
        for k in range(<int64_t>(self.mask + 1)):
            if self.entries[k].key:
                out_keys[filled] = self.entries[k].key
                for x in range(CLASSES):
                    out[filled, x] = <float>(self.entries[k].w[x] - self.sums[k * CLASSES + x] / steps)
                filled += 1
        order = np.argsort(keys)
        return keys[order], weights[order]

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


cdef class LabelLearner(Scorer):
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

    def average(self):
        """(keys, averaged weights) of all features, in the order of their keys."""
        cdef int64_t k, filled = 0, cell
        cdef int x
        keys = np.zeros(self.used, dtype=np.uint64)
        weights = np.zeros((self.used, self.classes), dtype=np.float32)
        cdef uint64_t[::1] out_keys = keys
        cdef float[:, ::1] out = weights
        cdef double steps = self.steps if self.steps else 1
        for k in range(<int64_t>(self.mask + 1)):
            if self.keys[k]:
                out_keys[filled] = self.keys[k]
                cell = <int64_t>self.rows[k] * self.classes
                for x in range(self.classes):
                    out[filled, x] = <float>(self.w[cell + x] - self.sums[cell + x] / steps)
                filled += 1
        order = np.argsort(keys)
        return keys[order], weights[order]

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


# What a model file keeps of a table: which places are taken (a bit each), the tags in them, and the weights as codes of
# 8 bits. The codes stand for levels that grow geometrically, so that small weights keep their precision as well.

MAGNITUDES = np.rint(32767 * (256.0 ** (np.arange(128) / 127) - 1) / 255)
LEVELS = np.concatenate([MAGNITUDES, [0], -MAGNITUDES[:0:-1]]).astype(np.int16)     # of the codes 0…127, −128…−1


def quantise(weights):
    """The codes of the levels next to the weights, the largest of which gets the last level."""
    largest = float(np.abs(weights).max(initial=0.0))
    scaled = np.abs(weights) * (32767 / largest if largest else 0.0)
    codes = np.searchsorted((MAGNITUDES[1:] + MAGNITUDES[:-1]) / 2, scaled)
    return (np.sign(weights) * codes).astype(np.int8)


def table_size(count):
    """The power of two at which a table of so many entries is at most two thirds full."""
    return 1 << max(4, (3 * count // 2).bit_length())


def arrange(keys):
    """Where the keys go: (places taken, one bit each; tags by place; the keys' numbers by place)."""
    cdef const uint64_t[::1] k = np.ascontiguousarray(keys, dtype=np.uint64)
    cdef uint64_t mask = table_size(len(keys)) - 1, at
    numbers = np.full(mask + 1, -1, dtype=np.int64)
    cdef int64_t[::1] number = numbers
    cdef int64_t i
    for i in range(len(k)):
        at = k[i] & mask
        while number[at] >= 0:
            at = (at + 1) & mask
        number[at] = i
    order = numbers[numbers >= 0]
    tags = (keys[order] >> np.uint64(32)).astype(np.uint32)
    return np.packbits(numbers >= 0, bitorder="little"), np.maximum(tags, 1), order


def pack_types(keys, weights, double prune=0.0):
    """The arrays of TypeWeights: what has no weight above `prune` of the largest is left out."""
    codes = quantise(weights)
    keep = codes.any(axis=1) & (np.abs(weights).max(axis=1, initial=0.0) > prune * np.abs(weights).max(initial=0.0))
    places, tags, order = arrange(keys[keep])
    return {"places": places, "tags": tags, "codes": codes[keep][order]}


def pack_labels(keys, weights, double prune=0.0):
    """The arrays of LabelWeights, where most weights are 0: of each row how many are not, and which, with their codes."""
    codes = quantise(weights)
    keep = codes.any(axis=1) & (np.abs(weights).max(axis=1, initial=0.0) > prune * np.abs(weights).max(initial=0.0))
    places, tags, order = arrange(keys[keep])
    codes = codes[keep][order]
    rows, labels = np.nonzero(codes)
    counts = np.bincount(rows, minlength=len(order)).astype(np.uint16)
    return {"places": places, "tags": tags, "counts": counts, "labels": labels.astype(np.uint16), "codes": codes[rows, labels]}


def check_places(places, tags):
    """ValueError unless the places are those of a table that `arrange` would make: one that is full would never end a search."""
    if len(places) * 8 != table_size(len(tags)):
        raise ValueError(f"a table of {len(places) * 8:,} places for {len(tags):,} features")
    count = int(np.bitwise_count(places).sum()) if hasattr(np, "bitwise_count") else int(np.unpackbits(places).sum())
    if count != len(tags):
        raise ValueError(f"{count:,} places taken by {len(tags):,} features")


cdef inline bint is_taken(const uint8_t *places, uint64_t at) noexcept nogil:
    return places[at >> 3] >> (at & 7) & 1


cdef class TypeWeights(Scorer):
    def __init__(self, arrays):
        check_places(arrays["places"], arrays["tags"])
        cdef const uint8_t[::1] places = arrays["places"]
        cdef const uint32_t[::1] tags = arrays["tags"]
        cdef const int8_t[:, ::1] codes = arrays["codes"]
        cdef const int16_t[::1] levels = LEVELS
        cdef uint64_t at
        cdef int64_t row = 0
        cdef int x
        self.classes = CLASSES
        self.mask = 8 * len(places) - 1
        self.table = np.zeros(8 * len(places), dtype=PACKED)
        self.entries = self.table
        for at in range(self.mask + 1):
            if is_taken(&places[0], at):
                self.entries[at].tag = tags[row]
                for x in range(CLASSES):
                    self.entries[at].w[x] = levels[<uint8_t>codes[row, x]]
                row += 1

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        cdef int k, x
        cdef uint64_t at
        cdef uint32_t tag
        cdef const Packed *entries = &self.entries[0]
        for k in range(count):
            rearc_prefetch(&entries[keys[k] & self.mask])
        for x in range(CLASSES):
            out[x] = 0
        for k in range(count):
            at = keys[k] & self.mask
            tag = <uint32_t>(keys[k] >> 32) or 1
            while entries[at].tag:
                if entries[at].tag == tag:
                    for x in range(CLASSES):
                        out[x] += entries[at].w[x]
                    break
                at = (at + 1) & self.mask


cdef class LabelWeights(Scorer):
    def __init__(self, arrays, int labels):
        check_places(arrays["places"], arrays["tags"])
        if arrays["counts"].sum(dtype=np.int64) != len(arrays["codes"]) or arrays["labels"].max(initial=0) >= labels:
            raise ValueError("rows of label weights that do not fit together")
        cdef const uint8_t[::1] places = arrays["places"]
        cdef const uint32_t[::1] tags = arrays["tags"]
        cdef const uint16_t[::1] counts = arrays["counts"]
        cdef const uint16_t[::1] label = arrays["labels"]
        cdef const int8_t[::1] codes = arrays["codes"]
        cdef const int16_t[::1] levels = LEVELS
        self.mask = 8 * len(places) - 1
        self.classes = labels
        self.tags = np.zeros(8 * len(places), dtype=np.uint32)
        self.index = np.zeros(8 * len(places), dtype=np.uint32)
        self.table = np.zeros((len(tags), labels), dtype=np.int16)
        cdef uint32_t[::1] out_tags = self.tags
        cdef uint32_t[::1] index = self.index
        cdef int16_t[:, ::1] rows = self.table
        cdef uint64_t at
        cdef int64_t row = 0, cell = 0, end
        for at in range(self.mask + 1):
            if is_taken(&places[0], at):
                out_tags[at] = tags[row]
                index[at] = <uint32_t>row
                end = cell + counts[row]
                while cell < end:
                    rows[row, label[cell]] = levels[<uint8_t>codes[cell]]
                    cell += 1
                row += 1
        self.tag, self.at, self.rows = self.tags, self.index, self.table

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        cdef int k, x, found = 0, labels = self.classes
        cdef uint64_t at
        cdef uint32_t tag
        cdef const uint32_t *tags = &self.tag[0]
        cdef const int16_t *table = &self.rows[0, 0] if len(self.rows) else NULL
        cdef const int16_t *rows[MAX_FEATURES]
        for k in range(count):
            rearc_prefetch(&tags[keys[k] & self.mask])
        for x in range(labels):
            out[x] = 0
        for k in range(count):
            at = keys[k] & self.mask
            tag = <uint32_t>(keys[k] >> 32) or 1
            while tags[at]:
                if tags[at] == tag:
                    rows[found] = table + <int64_t>self.at[at] * labels
                    rearc_prefetch(rows[found])
                    found += 1
                    break
                at = (at + 1) & self.mask
        for k in range(found):
            for x in range(labels):
                out[x] += rows[k][x]
