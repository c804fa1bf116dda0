from libc.stdint cimport int64_t

from rearc.interrupt cimport Watch
from rearc.systems.base cimport System
from rearc.systems.config cimport Config, Transition


cdef enum:
    MARGINS = 3                     # of a word: see Trees


cdef struct Hypothesis:             # a derivation so far
    Config c
    double score                    # of all its transitions together
    int steps
    float *margins                  # for each word: see Trees
    int room                        # words that there is memory for


cdef struct Candidate:              # a way to go on
    int parent
    Transition transition
    double margin                   # how much its score is above those of all others
    double score
    bint used


cdef struct Pool:                   # hypotheses that compete with one another
    Hypothesis *items
    int count


cdef struct Trees:                  # what was found in many sentences
    int *counts                     # of each sentence
    double *scores                  # of each tree
    int *heads                      # of each word of each tree
    int *labels
    float *margins                  # for each word: by how much the transition that gave it its head was above all others; its label
                                    # above all others; and the least such margin while its head was at stake; ∞ without others
    int64_t trees
    int64_t words


cdef class Beam:
    """Keeps the best so many derivations. What scores them is a scorer's own class, derived from this one."""
    cdef readonly System system
    cdef readonly int size
    cdef readonly double scale      # of scores as logarithms of probabilities; 0 adds up scores as they are
    cdef bint by_words              # derivations meet when they come to the next word, not after as many steps
    cdef bint mends                 # a word that has a head may get another
    cdef bint busy
    cdef Pool now                   # those that are to go on
    cdef Pool fresh                 # what they become
    cdef Pool later                 # those that wait for the others at the next word
    cdef Pool done
    cdef Hypothesis spare
    cdef Candidate *candidates
    cdef Transition *ts
    cdef float *scores
    cdef int room                   # words that there is memory for

    # What a scorer defines.
    cdef void score(self, const Config *c, const Transition *ts, int count, float *scores) noexcept nogil
    cdef int label(self, const Config *c, int h, int d, float *margin) noexcept nogil

    cdef Pool *pool(self, int k) noexcept nogil
    cdef int hold(self) except -1                   # one search at a time; RuntimeError for a second
    cdef void let_go(self) noexcept
    cdef int reserve(self, int n) noexcept nogil
    cdef int expand(self) noexcept nogil
    cdef int advance(self, int count) noexcept nogil
    cdef void narrow(self, Hypothesis *h, double margin) noexcept nogil
    cdef void become(self, Hypothesis *next, const Candidate *chosen) noexcept nogil
    cdef int stage(self, const Hypothesis *h) noexcept nogil
    cdef bint put(self, Pool *pool) noexcept nogil
    cdef int search(self, int n, Watch *watch) noexcept nogil       # into `done`, best first; −1 if memory is out, 1 to stop
    cdef int write_down(self, int most, Trees *out) noexcept nogil


cdef tuple arrays_for(Trees *out, int64_t sentences, int64_t words, int most)
cdef tuple filled(tuple arrays, const Trees *out)
