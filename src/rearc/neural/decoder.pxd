from libc.stdint cimport int64_t, uint64_t

from rearc.interrupt cimport Watch
from rearc.oracles.base cimport Oracle
from rearc.constraints.guard cimport Guard
from rearc.systems.base cimport System
from rearc.systems.config cimport Config, Transition


cdef struct Sheet:                  # where the scores of one sentence are
    const float *values             # of all sentences of a batch
    int64_t start                   # pairs: the arcs h→d; stacks: the row of the root
    int64_t no_arcs                 # pairs: the pairs (i, j) left alone
    int64_t repairs                 # pairs: the arcs h→d where d has a head
    int64_t shifts                  # pairs: the words shifted
    int64_t settled                 # pairs: those that have a head
    int stride                      # pairs: of a table; −k where two factors of k numbers a word stand for it


cdef struct Record:                 # the configurations of a walk: a growing list for each thing to know of them
    int *counts                     # transitions of each configuration
    int *words                      # the decoder's slots of each
    int *cells                      # of each transition
    unsigned char *optimal
    int64_t configurations
    int64_t transitions
    int64_t room
    int64_t transition_room


cdef enum:
    MAX_SLOTS = 16
    SHEET = 5                       # numbers that say where a sheet is


cdef class NetworkDecoder:
    """Chooses transitions by scores that a network computed beforehand, for all sentences of a batch at once."""
    cdef readonly System system
    cdef readonly int slots         # words that a score depends on beside the transition; 0 where a cell says it all

    cdef int users                  # that score without the GIL now

    cdef bint covers(self, const Sheet *sheet, int n, int64_t count) noexcept nogil    # whether all it reads is among so many values
    cdef int check(self, const float[::1] values, const int64_t[:, ::1] sheets, const int[::1] sizes, const int[::1] strides,
                   int least) except -1

    # What a decoder defines: the scores of the transitions, the number by which training finds each of them again,
    # and the words they depend on.
    cdef void score(self, const Sheet *sheet, const Config *c, const Transition *ts, int count, float *scores,
                    int *cells, int *words) noexcept nogil
    cdef int walk_into(self, const Sheet *sheet, Oracle judge, Config *c, double explore, uint64_t *random, Transition *ts,
                       Transition *optimal, float *scores, int *cells, Record *record, int64_t *mistakes,
                       Watch *watch) noexcept nogil
    cdef bint parse_into(self, const Sheet *sheet, Config *c, Transition *ts, float *scores, int *cells, Watch *watch,
                         Guard guard) noexcept nogil


cdef void open_sheet(Sheet *sheet, const float *values, const int64_t *at, int stride) noexcept nogil
