from rearc.systems.base cimport System


cdef class ArcStandard(System):
    pass
