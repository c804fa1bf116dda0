from rearc.systems.base cimport System


cdef class ArcHybrid(System):
    pass
