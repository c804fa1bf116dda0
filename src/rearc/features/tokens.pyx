"""Sentences as numbers: every attribute of a word is a 32-bit hash of its string, so that a model needs no vocabulary."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

NAMES = ("w", "u", "m", "p", "t", "f", "x2", "x3", "c4", "c6", "c")
cdef enum:
    W, U, M, P, T, F, X2, X3, C4, C6, C

cdef enum:
    ROOT = 1                        # the value of every attribute of the artificial root


cdef uint32_t string_hash(str text):
    """The number of a string, the same on every machine (FNV-1a over UTF-8, folded to 32 bits).

    It is never 0, which stands for what is absent, nor ROOT.
    """
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
    """Turns the columns of sentences into numbers. It remembers the numbers of strings it has seen, up to a bound."""
    cdef dict seen                  # from a lemma, tag or FEATS to its number
    cdef dict shapes                # from a form to the numbers of what the form alone tells; see `shape`
    cdef dict clusters              # from a form to the path of its Brown cluster

    def __cinit__(self, clusters=None):
        self.seen = {"_": 0}
        self.shapes = {}
        self.clusters = dict(clusters or {})

    cdef uint32_t value(self, str text):
        known = self.seen.get(text)
        if known is None:
            if len(self.seen) > 1 << 18:
                self.seen = {"_": 0}
            known = string_hash(text)
            self.seen[text] = known
        return known

    cdef tuple shape(self, str form):
        """The numbers of the form, of it in lower case, of its last two and three characters, of 4 and 6 bits and all of its cluster."""
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
        """(values, offsets): the numbers of all sentences in one array, and where each sentence starts in it.

        A sentence of n words has n + 1 numbers for each attribute of NAMES, one attribute behind the other; the first of the n + 1
        is the root's.
        """
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
