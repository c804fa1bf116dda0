from rearc.oracles.base cimport Oracle
from rearc.systems.base cimport State, System
from rearc.systems.config cimport Config

cdef enum:
    SEARCHED = 1_000_000            # configurations at the most, if nothing else is said


cdef int wrong_heads(Oracle o, const Config *c) noexcept nogil


cdef class Search:
    """Search from configurations of one system against one gold tree."""
    cdef readonly System system
    cdef readonly Oracle gold
    cdef Oracle lower, upper
    cdef bint monotonic

    cdef int least(self, const Config *c) except -1
    cdef bint within(self, const Config *c, int limit) except -1
    cdef int loss_from(self, const Config *c, long max_configurations) except -1
    cdef bint reaches(self, const Config *start, int limit, long max_configurations) except -1
