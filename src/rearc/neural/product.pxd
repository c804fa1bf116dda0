from libc.stdint cimport uintptr_t


cdef extern from "kernels.h":
    enum:
        VECTORS

    ctypedef struct Weights:
        const float *panels
        ptrdiff_t depth
        ptrdiff_t columns

    ctypedef struct Kernels:
        const char *name
        int width
        void (*product)(const float *const *rows, ptrdiff_t count, const Weights *weights, bint onto, bint rectified,
                        float *results, ptrdiff_t stride) noexcept nogil
        void (*step)(const float *const *states, const float *const *gates, ptrdiff_t count, const Weights *recurrent,
                     float *cells, ptrdiff_t cell_stride, float *const *outputs) noexcept nogil
        void (*squash)(float *numbers, ptrdiff_t count) noexcept nogil

cdef enum:
    ALIGNMENT = 64              # bytes: a vector never lies across two cache lines


cdef inline float *aligned(void *memory) noexcept nogil:
    """The first place of a block that is aligned; it needs room for it."""
    return <float *>((<uintptr_t>memory + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT)


cdef class Packed:
    """A matrix, and a bias that is added, laid out for fast products. It never changes."""
    cdef const Kernels *kernels
    cdef Weights weights
    cdef float *memory
