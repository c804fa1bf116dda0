from rearc.systems.covington cimport Covington


cdef class NonMonotonicCovington(Covington):
    pass
