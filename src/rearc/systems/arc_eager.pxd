from rearc.systems.base cimport System


cdef class ArcEager(System):
    pass
