"""Weights of hashed features for parsing: small fixed tables.

A random read of main memory costs more than all arithmetic on what it brings, so the places of all features are prefetched
before the first is read, and an entry holds key and weights together.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

TRANSITIONS = CLASSES
PACKED = np.dtype([("tag", np.uint32), ("w", np.int16, (CLASSES,))])


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
        if len(features):
            self.score(&features[0], <int>len(features), &out[0])
        return result


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
