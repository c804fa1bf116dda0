from rearc.systems.config cimport Config, Transition


cdef class Labels:
    """Label strings and their numbers, shared by the states of one system."""
    cdef readonly list names
    cdef dict ids

    cpdef int id(self, label) except -2


cdef class State:
    """A configuration of one system."""
    cdef Config c
    cdef readonly System system


cdef class System:
    """A transition system. The methods here without the GIL are what a system defines; the Python API is built on them."""
    cdef readonly str name
    cdef readonly bint single_root
    cdef readonly Labels labels

    cdef void begin(self, Config *c) noexcept nogil                             # from a cleared configuration to the start
    cdef bint finished(self, const Config *c) noexcept nogil
    cdef int legal_into(self, const Config *c, Transition *out) noexcept nogil  # fills out, returns how many; room for 2n+4
    cdef void act(self, Config *c, Transition t, int label) noexcept nogil      # a legal transition's effect, in place
    cdef bint arc(self, const Config *c, Transition t, int *h, int *d) noexcept nogil   # the arc h→d that t would build, if any
    cdef str lists(self, const Config *c)                                       # the lists as the papers write them
    cdef int own(self, State state) except -1                                   # ValueError for another system's state


cdef str transition_name(Transition t)
cdef Transition transition_from(str name) except -1
cdef str words(const int *items, int start, int stop)
cdef str lists_with_root_last(const Config *c)                                 # for the systems whose β ends in the root
