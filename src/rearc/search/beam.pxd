from libc.stdint cimport int64_t

from rearc.constraints.guard cimport Guard, Plan
from rearc.interrupt cimport Watch
from rearc.systems.base cimport System
from rearc.systems.config cimport Config, Transition


cdef enum:
    MARGINS = 3                     # of a word: see Trees


cdef struct Hypothesis:             # a derivation so far
    Config c
    double score                    # of all its transitions together
    int steps
    int last                        # the number of the node of its last transition
    float *margins                  # for each word: see Trees
    int room                        # words that there is memory for
    Plan plan                       # of the guard, if there is one


cdef struct Node:                   # a transition of a derivation
    int before                      # the number of the node of the one before it, or NONE
    Transition transition
    int label


cdef struct Candidate:              # a way to go on
    int parent
    Transition transition
    float own                       # its score by itself
    double margin                   # how much that is above those of all others
    double score                    # of the derivation with it
    bint used
    bint refused                    # by the guard


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
    cdef Guard guard                # keeps each derivation within limits; or None
    cdef unsigned char *refused     # what it refuses of ts
    cdef Candidate *candidates
    cdef Transition *ts
    cdef float *scores
    cdef int room                   # words that there is memory for

    cdef bint remembers             # the derivations, as nodes
    cdef Node *nodes
    cdef int node_count, node_room

    # Where it may go from a configuration, and how: all that is legal, unless a class says otherwise.
    cdef int ways(self, const Config *c, Transition *ts) noexcept nogil
    cdef void follow(self, Config *c, Transition t, int label) noexcept nogil

    # What a scorer defines. `score` returns the place of the one that a greedy parser takes; NONE for the first of the best.
    cdef int score(self, const Config *c, const Transition *ts, int count, float *scores) noexcept nogil
    cdef int label(self, const Config *c, int h, int d, float *margin) noexcept nogil

    cdef Pool *pool(self, int k) noexcept nogil
    cdef int hold(self, Guard guard=?) except -1    # one search at a time; RuntimeError for a second
    cdef void let_go(self) noexcept
    cdef int reserve(self, int n) noexcept nogil
    cdef int expand(self) noexcept nogil
    cdef int advance(self, int count) noexcept nogil
    cdef double margin(self, int chosen, int count) noexcept nogil
    cdef void narrow(self, Hypothesis *h, double margin) noexcept nogil
    cdef int become(self, Hypothesis *next, const Candidate *chosen) noexcept nogil
    cdef int stage(self, const Hypothesis *h) noexcept nogil
    cdef bint put(self, Pool *pool) noexcept nogil
    cdef int remember(self) noexcept nogil
    cdef int start(self, int n) noexcept nogil                      # −1 if memory is out
    cdef int next_stage(self, Watch *watch) noexcept nogil          # −1 if memory is out, 1 to stop
    cdef Hypothesis *best(self) noexcept nogil                      # of those that go on and those that are done; or NULL
    cdef int search(self, int n, Watch *watch) noexcept nogil       # into `done`, best first; −1 if memory is out, 1 to stop
    cdef int write_down(self, int most, Trees *out) noexcept nogil
    cdef int explain(self, int failed) except -1                    # raises what the end of a search stands for


cdef tuple arrays_for(Trees *out, int64_t sentences, int64_t words, int most)
cdef tuple filled(tuple arrays, const Trees *out)
