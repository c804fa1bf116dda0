"""Weights of hashed features for parsing: small fixed tables.

A random read of main memory costs more than all arithmetic on what it brings, so the places of all features are prefetched
before the first is read, and an entry holds key and weights together.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from typing import NamedTuple

import numpy as np

TRANSITIONS = CLASSES
MOST_LABELS = MAX_LABELS
PACKED = np.dtype([("tag", np.uint32), ("w", np.int16, (CLASSES,))])


cdef enum:
    DENSE = -1                      # instead of the length of a row
    BLOCK = 1 << 16                 # weights that are quantised at a time


class Rows(NamedTuple):
    """Weights of features, of which most are 0 and left out: features in the order of their keys, each with its labels in order."""

    keys: np.ndarray
    counts: np.ndarray              # of each feature: how many labels it has a weight for
    labels: np.ndarray
    weights: np.ndarray


cdef class Scorer:
    cdef int hold(self, bint to_write=False) except -1:
        if self.writer or (to_write and self.readers):
            raise RuntimeError("found weights in use by another thread, expected to have them alone; wait until it is done")
        if to_write:
            self.writer = True
        else:
            self.readers += 1
        return 0

    cdef void let_go(self, bint to_write=False) noexcept:
        if to_write:
            self.writer = False
        else:
            self.readers -= 1

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        pass

    def scores(self, keys):
        """The score of each class for the features with these keys."""
        cdef const uint64_t[::1] features = np.ascontiguousarray(keys, dtype=np.uint64)
        result = np.zeros(self.classes, dtype=np.float32)
        cdef float[::1] out = result
        if len(features) > MAX_FEATURES:
            raise ValueError(f"found {len(features)} features, expected at most {MAX_FEATURES}")
        if len(features) and self.classes:
            self.hold()
            self.score(&features[0], <int>len(features), &out[0])
            self.let_go()
        return result


def sum_rows(first, second):
    """The weights of two models added up."""
    keys = np.union1d(first.keys, second.keys)
    counts = np.zeros(len(keys), dtype=np.uint32)
    labels = np.zeros(len(first.labels) + len(second.labels), dtype=np.uint16)
    weights = np.zeros(len(labels), dtype=np.float32)
    cdef const uint64_t[::1] key = keys, key_a = first.keys, key_b = second.keys
    cdef const uint32_t[::1] count_a = first.counts, count_b = second.counts
    cdef const uint16_t[::1] label_a = first.labels, label_b = second.labels
    cdef const float[::1] weight_a = first.weights, weight_b = second.weights
    cdef uint32_t[::1] count = counts
    cdef uint16_t[::1] label = labels
    cdef float[::1] weight = weights
    cdef int64_t k, a = 0, b = 0, row_a = 0, row_b = 0, end_a, end_b, start, filled = 0
    for k in range(len(key)):
        start, end_a, end_b = filled, a, b
        if row_a < len(key_a) and key_a[row_a] == key[k]:
            end_a += count_a[row_a]
            row_a += 1
        if row_b < len(key_b) and key_b[row_b] == key[k]:
            end_b += count_b[row_b]
            row_b += 1
        while a < end_a or b < end_b:
            label[filled] = min(label_a[a] if a < end_a else <uint16_t>MAX_LABELS, label_b[b] if b < end_b else <uint16_t>MAX_LABELS)
            if a < end_a and label_a[a] == label[filled]:
                weight[filled] = weight_a[a]
                a += 1
            if b < end_b and label_b[b] == label[filled]:
                weight[filled] += weight_b[b]
                b += 1
            filled += 1
        count[k] = <uint32_t>(filled - start)
    return Rows(keys, counts, labels[:filled], weights[:filled])


# What a model file keeps of a table: which places are taken (a bit each), the tags in them, and the weights as codes of
# 8 bits. The codes stand for levels that grow geometrically, so that small weights keep their precision as well.

MAGNITUDES = np.rint(32767 * (256.0 ** (np.arange(128) / 127) - 1) / 255)
LEVELS = np.concatenate([MAGNITUDES, [0], -MAGNITUDES[:0:-1]]).astype(np.int16)     # of the codes 0…127, −128…−1
LEVELS.flags.writeable = False


cdef double largest_of(weights):
    return max(float(weights.max(initial=0.0)), -float(weights.min(initial=0.0)))


def quantise(weights):
    """The codes of the levels next to the weights, the largest of which gets the last level."""
    cdef double largest = largest_of(weights)
    codes = np.zeros(weights.shape, dtype=np.int8)
    flat, out = weights.reshape(-1), codes.reshape(-1)
    for start in range(0, len(flat), BLOCK):    # what this takes on the way is much more than what comes out
        some = flat[start:start + BLOCK]
        scaled = np.abs(some) * (32767 / largest if largest else 0.0)
        out[start:start + BLOCK] = np.sign(some) * np.searchsorted((MAGNITUDES[1:] + MAGNITUDES[:-1]) / 2, scaled)
    return codes


def table_size(count):
    """The power of two at which a table of so many entries is at most two thirds full."""
    return 1 << max(4, (3 * count // 2).bit_length())


def arrange(keys):
    """Where the keys go: (places taken, one bit each; tags by place; the keys' numbers by place)."""
    cdef const uint64_t[::1] k = np.ascontiguousarray(keys, dtype=np.uint64)
    cdef uint64_t mask = table_size(len(keys)) - 1, at
    numbers = np.zeros(mask + 1, dtype=np.uint32)       # from 1
    tags = np.zeros(len(keys), dtype=np.uint32)
    cdef uint32_t[::1] number = numbers
    cdef uint32_t[::1] tag = tags
    cdef uint32_t i
    if len(k) >> 31:
        raise ValueError(f"found {len(k):,} features, expected fewer than 2^31")
    for i in range(<uint32_t>len(k)):
        at = k[i] & mask
        while number[at]:
            at = (at + 1) & mask
        number[at] = i + 1
    taken = numbers != 0
    order = numbers[taken]
    order -= 1
    cdef const uint32_t[::1] by_place = order
    for i in range(<uint32_t>len(k)):
        tag[i] = <uint32_t>(k[by_place[i]] >> 32) or 1
    return np.packbits(taken, bitorder="little"), tags, order


def pack_types(keys, weights, double prune=0.0):
    """The arrays of TypeWeights: what has no weight above `prune` of the largest is left out."""
    codes = quantise(weights)
    keep = codes.any(axis=1)
    if prune:
        keep &= np.maximum(weights.max(axis=1, initial=0.0), -weights.min(axis=1, initial=0.0)) > prune * largest_of(weights)
    kept = np.flatnonzero(keep)
    places, tags, order = arrange(keys[kept])
    return {"places": places, "tags": tags, "codes": codes[kept[order]]}


def pack_labels(rows, double prune=0.0):
    """The arrays of LabelWeights: of each row how many weights are not 0, and which, with their codes."""
    cdef const uint32_t[::1] count = rows.counts
    cdef const uint16_t[::1] label = rows.labels
    cdef const float[::1] weight = rows.weights
    codes = quantise(rows.weights)
    cdef const int8_t[::1] code = codes
    cdef double least = prune * largest_of(rows.weights)
    cdef int64_t row, cell, start = 0, filled
    cdef bint high
    starts = np.zeros(len(rows.keys), dtype=np.int64)
    sizes = np.zeros(len(rows.keys), dtype=np.uint16)   # of what is left of a row
    cdef int64_t[::1] at = starts
    cdef uint16_t[::1] size = sizes
    for row in range(len(count)):
        at[row], high = start, False
        for cell in range(start, start + count[row]):
            size[row] += code[cell] != 0
            high |= abs(weight[cell]) > least
        if not high:
            size[row] = 0
        start += count[row]
    kept = np.flatnonzero(sizes)
    places, tags, order = arrange(rows.keys[kept])
    kept = kept[order]
    counts = sizes[kept]
    total = int(counts.sum(dtype=np.int64))
    out = {"places": places, "tags": tags, "counts": counts, "labels": np.zeros(total, np.uint16), "codes": np.zeros(total, np.int8)}
    cdef const int64_t[::1] chosen = kept
    cdef uint16_t[::1] out_labels = out["labels"]
    cdef int8_t[::1] out_codes = out["codes"]
    cdef int64_t k
    filled = 0
    for k in range(len(chosen)):
        row = chosen[k]
        for cell in range(at[row], at[row] + count[row]):
            if code[cell]:
                out_labels[filled], out_codes[filled] = label[cell], code[cell]
                filled += 1
    return out


def check_places(places, tags):
    """ValueError unless the places are those of a table that `arrange` would make: one that is full would never end a search."""
    if len(places) * 8 != table_size(len(tags)):
        raise ValueError(f"a table of {len(places) * 8:,} places for {len(tags):,} features")
    count = int(np.bitwise_count(places).sum()) if hasattr(np, "bitwise_count") else int(np.unpackbits(places).sum())
    if count != len(tags):
        raise ValueError(f"{count:,} places taken by {len(tags):,} features")


def check_labels(labels):
    """ValueError where there are more labels than a model file can number."""
    if not 0 <= labels <= MAX_LABELS:
        raise ValueError(f"{labels:,} labels, where {MAX_LABELS:,} are the most")


cdef inline bint is_taken(const uint8_t *places, uint64_t at) noexcept nogil:
    return places[at >> 3] >> (at & 7) & 1


# The arrays that tables are made from are copied, and the tables are not shown: a table that somebody fills up from outside
# would never end a search.

cdef class TypeWeights(Scorer):
    def __cinit__(self, arrays):
        arrays = {name: np.array(arrays[name]) for name in ("places", "tags", "codes")}
        cdef const uint8_t[::1] places = arrays["places"]
        cdef const uint32_t[::1] tags = arrays["tags"]
        cdef const int8_t[:, ::1] codes = arrays["codes"]
        check_places(arrays["places"], arrays["tags"])
        if len(codes) != len(tags) or codes.shape[1] != CLASSES:
            raise ValueError("rows of weights that do not fit together")
        cdef const int16_t[::1] levels = LEVELS
        cdef uint64_t at
        cdef int64_t row = 0
        cdef int x
        self.classes = CLASSES
        self.mask = 8 * len(places) - 1
        self.entries = np.zeros(8 * len(places), dtype=PACKED)
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
    def __cinit__(self, arrays, int labels):
        check_labels(labels)
        arrays = {name: np.array(arrays[name]) for name in ("places", "tags", "counts", "labels", "codes")}
        cdef const uint8_t[::1] places = arrays["places"]
        cdef const uint32_t[::1] tags = arrays["tags"]
        cdef const uint16_t[::1] counts = arrays["counts"]
        cdef const uint16_t[::1] label = arrays["labels"]
        cdef const int8_t[::1] codes = arrays["codes"]
        cdef const int16_t[::1] levels = LEVELS
        check_places(arrays["places"], arrays["tags"])
        if (len(counts) != len(tags) or len(label) != len(codes) or arrays["counts"].sum(dtype=np.int64) != len(codes)
                or arrays["labels"].max(initial=0) >= labels):
            raise ValueError("rows of label weights that do not fit together")
        cdef uint64_t at
        cdef int64_t row, cell = 0, end, filled = 0
        for row in range(len(counts)):
            filled += 1 + (labels if is_dense(counts[row], labels) else 2 * counts[row])
        if filled >> 32:
            raise ValueError(f"rows of label weights that take {2 * filled:,} bytes")
        self.mask = 8 * len(places) - 1
        self.classes = labels
        cdef uint32_t[::1] out_tags = np.zeros(8 * len(places), dtype=np.uint32)
        cdef uint32_t[::1] starts = np.zeros(8 * len(places), dtype=np.uint32)
        cdef int16_t[::1] rows = np.zeros(max(filled, 1), dtype=np.int16)
        row = filled = 0
        for at in range(self.mask + 1):
            if is_taken(&places[0], at):
                out_tags[at] = tags[row]
                starts[at] = <uint32_t>filled
                end = cell + counts[row]
                if is_dense(counts[row], labels):
                    rows[filled] = DENSE
                    filled += 1
                    while cell < end:
                        rows[filled + label[cell]] = levels[<uint8_t>codes[cell]]
                        cell += 1
                    filled += labels
                else:
                    rows[filled] = <int16_t>counts[row]
                    filled += 1
                    while cell < end:
                        rows[filled], rows[filled + 1] = <int16_t>label[cell], levels[<uint8_t>codes[cell]]
                        cell += 1
                        filled += 2
                row += 1
        self.tag, self.start, self.rows = out_tags, starts, rows

    @property
    def nbytes(self):
        """The size of the rows."""
        return self.rows.nbytes

    cdef void score(self, const uint64_t *keys, int count, float *out) noexcept nogil:
        cdef int k, x, found = 0, labels = self.classes
        cdef uint64_t at
        cdef uint32_t tag
        cdef const uint32_t *tags = &self.tag[0]
        cdef const int16_t *table = &self.rows[0]
        cdef const int16_t *row
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
                    rows[found] = table + self.start[at]
                    rearc_prefetch(rows[found])
                    found += 1
                    break
                at = (at + 1) & self.mask
        for k in range(found):
            row = rows[k] + 1
            if rows[k][0] == DENSE:
                for x in range(labels):
                    out[x] += row[x]
            else:
                for x in range(rows[k][0]):
                    out[<uint16_t>row[2 * x]] += row[2 * x + 1]
