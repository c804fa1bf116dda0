from rearc.systems.config cimport Config, Transition


cdef class Labels:
    """Label strings and their numbers, shared by the states of one system."""
    cdef list table
    cdef dict ids

    cpdef int id(self, label) except -2                                         # given on first sight; NONE for None
    cdef int find(self, label) except -3                                        # −2 for a label never seen
    cdef str name(self, int number)                                             # None for NONE


cdef class State:
    """A configuration of one system, and how it came about."""
    cdef Config c
    cdef readonly System system
    cdef object past                # an array: each transition followed by the number of its label
    cdef const int[::1] begun       # the tree that it began with, or None


cdef class System:
    """A transition system. The methods here without the GIL are what a system defines; the Python API is built on them."""
    cdef readonly str name
    cdef readonly bint single_root
    cdef readonly Labels labels
    cdef readonly object traits     # the system's row in rearc.systems.table

    cdef void begin(self, Config *c) noexcept nogil                             # from a cleared configuration to the start
    cdef bint finished(self, const Config *c) noexcept nogil
    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil  # fills out, returns how many; room for 2n+4
    cdef void act(self, Config *c, Transition t, int label) noexcept nogil      # a legal transition's effect, in place
    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil   # the arc h→d that t would build, if any
    cdef bint repairs(self, const Config *c, Transition t) noexcept nogil      # t's arc takes a head away that a word has
    cdef tuple lists(self, const Config *c)                                     # the lists of words, as the papers have them; β is the last

    # What all share.
    cdef int own(self, State state) except -1                                   # ValueError for another system's state
    cdef bint is_like(self, System other) noexcept                              # of the same name and single_root
    cdef bint allows(self, const Config *c, Transition t) except -1             # t is legal
    cdef int check(self, State state, Transition t) except -1                   # IllegalTransition if t is not legal
    cdef int move(self, State state, Transition t, int label) except -1         # check, act, and note it in the state's past


cdef int may_begin_with_trees(System system) except -1                                 # ValueError for a system that has to begin with nothing
cdef void begin_with(Config *c, const int *heads, const int *labels) noexcept nogil     # arcs that are there from the beginning; labels may be NULL
cdef str transition_name(Transition t)
cdef Transition transition_from(str name) except -1
cdef int check_length(Py_ssize_t n) except -1                                         # ValueError for what is no number of words
