"""Sentences as numbers: every attribute of a word is a 32-bit hash of its string, so that a model needs no vocabulary."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

NAMES = ("w", "u", "m", "p", "t", "f", "x2", "x3", "c4", "c6", "c")
cdef enum:
    W, U, M, P, T, F, X2, X3, C4, C6, C

cdef enum:
    ROOT = 1                        # every attribute of the artificial root



cdef uint32_t string_hash(str text):
    """The same on every machine, never 0 or 1 (FNV-1a over UTF-8, folded)."""
    cdef bytes data = text.encode("utf-8", "surrogatepass")
    cdef const uint8_t *p = data
    cdef uint64_t h = 0xCBF29CE484222325ULL
    cdef Py_ssize_t i
    for i in range(len(data)):
        h = (h ^ p[i]) * 0x100000001B3ULL
    h ^= h >> 29
    h = h * 0xBF58476D1CE4E5B9ULL
    cdef uint32_t folded = <uint32_t>(h >> 32)
    return folded if folded > 1 else folded + 2


cdef class TokenEncoder:
    """Turns columns of strings into numbers; remembers what it has seen, up to a bound."""
    cdef dict seen                  # a column's string: its hash
    cdef dict shapes                # a form: the hashes of the form, lower-cased, two suffixes, three cluster prefixes
    cdef dict clusters

    def __init__(self, clusters=None):
        self.seen = {"_": 0}
        self.shapes = {}
        self.clusters = clusters or {}

    cdef uint32_t value(self, str text):
        known = self.seen.get(text)
        if known is None:
            if len(self.seen) > 1 << 18:
                self.seen = {"_": 0}
            known = string_hash(text)
            self.seen[text] = known
        return known

    cdef tuple shape(self, str form):
        known = self.shapes.get(form)
        if known is None:
            if len(self.shapes) > 1 << 18:
                self.shapes = {}
            cluster = self.clusters.get(form, "")
            known = (
                string_hash(form), string_hash(form.lower()), string_hash(form[-2:].lower()), string_hash(form[-3:].lower()),
                string_hash(cluster[:4]) if cluster else 0, string_hash(cluster[:6]) if cluster else 0,
                string_hash(cluster) if cluster else 0,
            )
            self.shapes[form] = known
        return known

    def encode(self, sentences):
        """An Encoded of these sentences."""
        sentences = list(sentences)
        offsets = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([ATTRIBUTES * (len(s) + 1) for s in sentences], out=offsets[1:])
        values = np.zeros(offsets[len(sentences)], dtype=np.uint32)
        cdef uint32_t[::1] out = values
        cdef int64_t at = 0, size
        cdef Py_ssize_t k
        for sentence in sentences:
            size = len(sentence) + 1
            for k in range(ATTRIBUTES):
                out[at + k * size] = ROOT
            k = 1
            for form, lemma, upos, xpos, feats in zip(
                sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats, strict=True
            ):
                shape = self.shape(form)
                out[at + W * size + k] = shape[0]
                out[at + U * size + k] = shape[1]
                out[at + X2 * size + k] = shape[2]
                out[at + X3 * size + k] = shape[3]
                out[at + C4 * size + k] = shape[4]
                out[at + C6 * size + k] = shape[5]
                out[at + C * size + k] = shape[6]
                out[at + M * size + k] = self.value(lemma)
                out[at + P * size + k] = self.value(upos)
                out[at + T * size + k] = self.value(xpos)
                out[at + F * size + k] = self.value(feats)
                k += 1
            at += ATTRIBUTES * size
        return values, offsets
