"""The steps of an LSTM layer in training, in single precision: forwards, and backwards for the gradient.

All arrays are directions × steps × sentences × units; the gates come in the order i, f, g, o.
"""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from rearc.neural.product cimport Packed


cdef extern from "steps.h":
    void open_gates(float *gates, const float *before, float *cells, float *squashed, ptrdiff_t rows, ptrdiff_t hidden) noexcept nogil
    void put_out(const float *gates, const float *squashed, float *outputs, ptrdiff_t rows, ptrdiff_t hidden) noexcept nogil
    void take_back(const float *gates, const float *forget, const float *before, const float *squashed, const float *output,
                   float *cell, float *factors, ptrdiff_t rows, ptrdiff_t hidden) noexcept nogil


cdef int check(const float[:, :, ::1] weights, list wide, list narrow) except -1:
    """ValueError unless the arrays fit. wide: those with a number for each gate; narrow: for each unit."""
    ways, hidden, width = weights.shape[0], weights.shape[1], weights.shape[2]
    steps, sentences = wide[0].shape[1:3]
    for arrays, units in ((wide, 4 * hidden), (narrow, hidden)):
        for array in arrays:
            if width != 4 * hidden or tuple(array.shape) != (ways, steps, sentences, units):
                raise ValueError(f"found weights of {ways} × {hidden} × {width} and an array of {' × '.join(map(str, array.shape))}, "
                                 f"expected {ways} × {steps} × {sentences} × {units}, and four times as many gates as units")
    return 0


cdef class Rows:
    """Pointers to the rows of a matrix."""
    cdef const float **at

    def __cinit__(self, ptrdiff_t count):
        self.at = <const float **>malloc(max(count, 1) * sizeof(float *))
        if self.at == NULL:
            raise MemoryError(f"no memory for {count:,} rows")

    def __dealloc__(self):
        free(self.at)

    cdef const float **of(self, const float *first, ptrdiff_t count, ptrdiff_t stride) noexcept nogil:
        cdef ptrdiff_t k
        for k in range(count):
            self.at[k] = first + k * stride
        return self.at


def forwards(float[:, :, :, ::1] gates not None, const float[:, :, ::1] weights not None, float[:, :, :, ::1] cells not None,
             float[:, :, :, ::1] squashed not None, float[:, :, :, ::1] outputs not None):
    """Fills cells, their tanh and outputs. gates: what the inputs give to them, with the halves of the logistic function; they are
    opened. weights: recurrent, with these halves too.

    >>> import numpy as np
    >>> gates, cells, squashed, outputs = (np.zeros((1, 2, 1, units), dtype=np.float32) for units in (4, 1, 1, 1))
    >>> gates[..., 2] = 10                          # the candidate is 1
    >>> forwards(gates, np.zeros((1, 1, 4), dtype=np.float32), cells, squashed, outputs)
    >>> cells.round(3).ravel().tolist()
    [0.5, 0.75]
    """
    check(weights, [gates], [cells, squashed, outputs])
    cdef ptrdiff_t steps = gates.shape[1], sentences = gates.shape[2], hidden = weights.shape[1], way, t
    cdef Rows rows = Rows(sentences)
    cdef Packed matrix
    if not (gates.shape[0] and steps and sentences and hidden):
        return
    for way in range(gates.shape[0]):
        matrix = Packed(weights[way])
        with nogil, cython.boundscheck(False), cython.wraparound(False):
            for t in range(steps):
                if t:
                    matrix.kernels.product(rows.of(&outputs[way, t - 1, 0, 0], sentences, hidden), sentences, &matrix.weights, True,
                                           False, &gates[way, t, 0, 0], 4 * hidden)
                matrix.kernels.squash(&gates[way, t, 0, 0], sentences * 4 * hidden)
                open_gates(&gates[way, t, 0, 0], &cells[way, t - 1, 0, 0] if t else NULL, &cells[way, t, 0, 0],
                           &squashed[way, t, 0, 0], sentences, hidden)
                matrix.kernels.squash(&squashed[way, t, 0, 0], sentences * hidden)
                put_out(&gates[way, t, 0, 0], &squashed[way, t, 0, 0], &outputs[way, t, 0, 0], sentences, hidden)


def backwards(const float[:, :, :, ::1] gates not None, const float[:, :, ::1] weights not None,
              const float[:, :, :, ::1] cells not None, const float[:, :, :, ::1] squashed not None,
              float[:, :, :, ::1] gradients not None, float[:, :, :, ::1] factors not None):
    """Fills factors with the gradient of what the inputs gave to the gates. gates, cells, squashed: as `forwards` left them; weights:
    without halves; gradients: of the outputs, to which what comes from the step behind is added."""
    check(weights, [gates, factors], [cells, squashed, gradients])
    cdef ptrdiff_t steps = gates.shape[1], sentences = gates.shape[2], hidden = weights.shape[1], way, t
    cdef Rows rows = Rows(sentences)
    cdef Packed matrix
    cdef float *cell
    if not (gates.shape[0] and steps and sentences and hidden):
        return
    cell = <float *>malloc(sentences * hidden * sizeof(float))
    if cell == NULL:
        raise MemoryError(f"no memory for {sentences:,} × {hidden:,} cells")
    try:
        for way in range(gates.shape[0]):
            matrix = Packed(np.asarray(weights[way]).T)
            with nogil, cython.boundscheck(False), cython.wraparound(False):
                memset(cell, 0, sentences * hidden * sizeof(float))
                for t in range(steps - 1, -1, -1):
                    if t + 1 < steps:
                        matrix.kernels.product(rows.of(&factors[way, t + 1, 0, 0], sentences, 4 * hidden), sentences, &matrix.weights,
                                               True, False, &gradients[way, t, 0, 0], hidden)
                    take_back(&gates[way, t, 0, 0], &gates[way, t + 1, 0, 0] if t + 1 < steps else NULL,
                              &cells[way, t - 1, 0, 0] if t else NULL, &squashed[way, t, 0, 0], &gradients[way, t, 0, 0], cell,
                              &factors[way, t, 0, 0], sentences, hidden)
    finally:
        free(cell)
