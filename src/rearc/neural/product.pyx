"""Matrix products in single precision: whatever rows stand beside a row, it comes to the same bits.

The kernels (kernels.h, tile.h) add up every number in one order. NumPy's products do not: the sums of a row may be taken in
another order when it stands elsewhere in the matrix, or when there are more rows.
"""

import os

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np


cdef extern from "product.h":
    const Kernels *const *kernels_here() noexcept nogil

cdef extern from "softmax.h":
    void softmax_row(float *row, ptrdiff_t count) noexcept nogil

cdef enum:
    LARGEST = 1 << 28               # rows or columns

cdef const Kernels *usual = NULL    # the kernels in use, where nothing else is asked for


cdef tuple names_here():
    cdef const Kernels *const *here = kernels_here()
    cdef int k = 0
    names = []
    while here[k] != NULL:
        names.append(here[k].name.decode())
        k += 1
    return tuple(names)


cdef const Kernels *kernels_named(str name) except NULL:
    names = names_here()
    if name not in names:
        raise ValueError(f"found the kernels {name!r}, expected {', '.join(names)}: the ones that this processor can run")
    return kernels_here()[names.index(name)]


KERNELS = names_here()              # what this processor can run, the fastest first
try:
    usual = kernels_named(os.environ.get("REARC_SIMD") or KERNELS[0])
except ValueError as error:
    raise OSError(f"REARC_SIMD: {error}; unset it") from None


cdef class Packed:
    def __cinit__(self, const float[:, :] matrix not None, const float[:] bias=None, *, str kernels=None):
        cdef ptrdiff_t depth = matrix.shape[0], columns = matrix.shape[1], width
        cdef size_t size
        cdef float *panels
        if depth > LARGEST or columns > LARGEST:
            raise ValueError(f"found a matrix of {depth:,} × {columns:,}, expected at most {LARGEST:,} rows and columns")
        if bias is not None and bias.shape[0] != columns:
            raise ValueError(f"found a bias of {bias.shape[0]:,} numbers, expected {columns:,}, one for each column")
        self.kernels = usual if kernels is None else kernels_named(kernels)
        width = self.kernels.width
        size = (depth + 1) * ((columns + width - 1) // width * width) * sizeof(float)
        self.memory = <float *>malloc(size + ALIGNMENT)
        if self.memory == NULL:
            raise MemoryError(f"no memory for a matrix of {depth:,} × {columns:,}")
        panels = aligned(self.memory)
        memset(panels, 0, size)
        pack(panels, matrix, bias, width)
        self.weights.panels, self.weights.depth, self.weights.columns = panels, depth, columns

    def __dealloc__(self):
        free(self.memory)

    @property
    def shape(self):
        """Rows and columns."""
        return self.weights.depth, self.weights.columns

    @property
    def width(self):
        """The numbers of a vector of the kernels that compute with it."""
        return self.kernels.width


@cython.boundscheck(False)
@cython.wraparound(False)
cdef void pack(float *panel, const float[:, :] matrix, const float[:] bias, ptrdiff_t width) noexcept:
    """In the layout of kernels.h."""
    cdef ptrdiff_t depth = matrix.shape[0], columns = matrix.shape[1], first, rest, stride, c, k
    for first in range(0, columns, VECTORS * width):
        rest = min(columns - first, VECTORS * width)
        stride = (rest + width - 1) // width * width
        for c in range(rest):
            if bias is not None:
                panel[c] = bias[first + c]
            for k in range(depth):
                panel[(k + 1) * stride + c] = matrix[k, first + c]
        panel += (depth + 1) * stride


def product(const float[:, ::1] rows not None, Packed matrix not None, *, bint rectified=False, float[:, ::1] out=None,
            bint onto=False):
    """Rows times a matrix and its bias; with `rectified`, 0 for what is negative.

    onto: the products are added to what stands in `out`, and the bias is not.
    """
    cdef ptrdiff_t count = rows.shape[0], k
    if rows.shape[1] != matrix.weights.depth:
        raise ValueError(f"found rows of {rows.shape[1]:,} numbers, expected {matrix.weights.depth:,}")
    if out is None:
        if onto:
            raise ValueError("found no result to add to, expected one as `out`")
        result = np.empty((count, matrix.weights.columns), dtype=np.float32)
        out = result
    else:
        result = out.base
        if out.shape[0] != count or out.shape[1] != matrix.weights.columns:
            raise ValueError(
                f"found a result of {out.shape[0]:,} × {out.shape[1]:,}, expected {count:,} × {matrix.weights.columns:,}"
            )
    if count == 0 or matrix.weights.columns == 0:
        return result
    cdef const float **pointers = <const float **>malloc(count * sizeof(float *))
    if pointers == NULL:
        raise MemoryError(f"no memory for a product of {count:,} rows")
    cdef const float *first = &rows[0, 0] if rows.shape[1] else &out[0, 0]     # rows of no numbers are never looked at
    with nogil:
        for k in range(count):
            pointers[k] = first + k * rows.shape[1]
        matrix.kernels.product(pointers, count, &matrix.weights, onto, rectified, &out[0, 0], matrix.weights.columns)
        free(pointers)
    return result


def softmax(float[:, ::1] rows not None):
    """Makes each row a distribution: e to the power of each number, divided by their sum."""
    cdef ptrdiff_t k
    if rows.shape[1]:
        with nogil:
            for k in range(rows.shape[0]):
                softmax_row(&rows[k, 0], rows.shape[1])
