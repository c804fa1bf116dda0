from libc.stdint cimport uint8_t, uint32_t, uint64_t

from rearc.features.program cimport Program
from rearc.features.tokens cimport Tokens
from rearc.interrupt cimport Watch
from rearc.constraints.guard cimport Guard
from rearc.perceptron.weights cimport Scorer
from rearc.systems.base cimport State, System
from rearc.systems.config cimport Config, Transition


cdef class LinearDecoder:
    """Chooses transitions and labels by the scores of two linear models."""
    cdef readonly System system
    cdef readonly Program program
    cdef readonly Program label_program
    cdef readonly Scorer types
    cdef readonly Scorer labels
    cdef readonly bint repairs_apart        # whether to take a head away is asked by itself, with weights of their own
    cdef object arrays                      # what the pointers below point into
    cdef const uint8_t *of_root             # the label has been seen on an arc from the root
    cdef const uint8_t *of_word             # … from a word

    cdef int hold(self, bint to_write=*) except -1      # the weights, while they are used without the GIL
    cdef void let_go(self, bint to_write=*) noexcept
    cdef int choose(self, const Config *c, const Tokens *t, const Transition *ts, int count, float *scores) noexcept nogil
    cdef bint is_apart(self, const Config *c, Transition t) noexcept nogil                              # a repair, and judged apart
    cdef int repair_keys(self, const Config *c, const Tokens *t, Transition r, uint64_t *keys) noexcept nogil
    cdef int choose_repair(self, const Config *c, const Tokens *t, const Transition *ts, int count, float *scores, int best) noexcept nogil
    cdef int choose_label(self, const Config *c, const Tokens *t, int h, int d, uint64_t *keys, int *key_count,
                          float *scores) noexcept nogil
    cdef int open_words(self, const uint32_t[::1] values, State state, Tokens *tokens) except -1
    cdef bint parse_into(self, Config *c, const Tokens *t, Transition *ts, float *scores, Watch *watch, Guard guard,
                         const int *begun, const int *begun_labels) noexcept nogil


cdef tuple trees_to_begin(System system, sizes, begun, int classes)             # flat, without root slots, checked and copied
cdef object sizes_of(const uint32_t[::1] v, offsets, int start, int last)      # words and root of each sentence, checked
