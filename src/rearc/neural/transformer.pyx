"""The steps of a transformer beside its products: attention, norms, activations, and means over the parts of words."""

cimport cython
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

import numpy as np


cdef extern from "transformer.h":
    enum:
        GELU
        GELU_TANH
        RELU
    void activate_numbers "activate"(float *numbers, ptrdiff_t count, int kind) noexcept nogil
    void add_and_norm_row "add_and_norm"(float *row, const float *other, ptrdiff_t size, const float *weight,
                                         const float *bias, float epsilon) noexcept nogil
    ptrdiff_t filled_up(ptrdiff_t n) noexcept nogil
    void attend_head(const float *queries, const float *keys, const float *values, ptrdiff_t stride, ptrdiff_t n,
                     ptrdiff_t size, float *room, float *results, ptrdiff_t results_stride) noexcept nogil

ACTIVATIONS = {"gelu": GELU, "gelu_tanh": GELU_TANH, "relu": RELU}


def activate(float[:, ::1] rows not None, str kind not None):
    """Each number by the activation of this name, in place."""
    if kind not in ACTIVATIONS:
        raise ValueError(f"found the activation {kind!r}, expected one of {', '.join(ACTIVATIONS)}")
    cdef int number = ACTIVATIONS[kind]
    if rows.shape[0] and rows.shape[1]:
        with nogil:
            activate_numbers(&rows[0, 0], rows.shape[0] * rows.shape[1], number)


@cython.boundscheck(False)
@cython.wraparound(False)
def add_and_norm(
    float[:, ::1] rows not None, const float[:, ::1] others, const float[::1] weight not None, const float[::1] bias not None,
    float epsilon,
):
    """Adds the others to the rows, and brings each row to mean 0 and variance 1, times weight, plus bias; in place."""
    cdef ptrdiff_t size = rows.shape[1], k
    if weight.shape[0] != size or bias.shape[0] != size:
        raise ValueError(f"found rows of {size:,} numbers, expected {weight.shape[0]:,} and {bias.shape[0]:,}")
    if others is not None and (others.shape[0] != rows.shape[0] or others.shape[1] != size):
        raise ValueError(f"found {others.shape[0]:,} × {others.shape[1]:,} to add, expected {rows.shape[0]:,} × {size:,}")
    if not size:
        return
    with nogil:
        for k in range(rows.shape[0]):
            add_and_norm_row(&rows[k, 0], &others[k, 0] if others is not None else NULL, size, &weight[0], &bias[0], epsilon)


@cython.boundscheck(False)
@cython.wraparound(False)
def attend(const float[:, ::1] rows not None, const int64_t[::1] starts not None, int heads):
    """In each window the rows look at each other. A row has a query, a key and a value; starts: where each window begins,
    and where the last ends."""
    cdef ptrdiff_t width = rows.shape[1] // 3, w, h, n, longest = 0, size
    if heads < 1 or rows.shape[1] % (3 * heads):
        raise ValueError(f"found rows of {rows.shape[1]:,} numbers, expected three times as many for each of {heads} heads")
    check_starts(starts, rows.shape[0])
    for w in range(starts.shape[0] - 1):
        longest = max(longest, starts[w + 1] - starts[w])
    size = width // heads
    results = np.empty((rows.shape[0], width), dtype=np.float32)
    cdef float[:, ::1] out = results
    if not rows.shape[0] or not width:
        return results
    cdef float *room = <float *>malloc((size + 1) * filled_up(longest) * sizeof(float))
    if room == NULL:
        raise MemoryError(f"no memory for a window of {longest:,}")
    cdef const float *row
    with nogil:
        for w in range(starts.shape[0] - 1):
            n = starts[w + 1] - starts[w]
            if n:
                row = &rows[starts[w], 0]
                for h in range(heads):
                    attend_head(row + h * size, row + width + h * size, row + 2 * width + h * size, 3 * width, n, size, room,
                                &out[starts[w], h * size], width)
        free(room)
    return results


@cython.boundscheck(False)
@cython.wraparound(False)
def means(const float[:, ::1] rows not None, const int64_t[::1] places not None, const int64_t[::1] starts not None):
    """The means of some rows each; places: which, those of each mean one behind the other; starts: where each begins, and
    where the last ends. Every mean has a row."""
    cdef ptrdiff_t size = rows.shape[1], m, p, k
    cdef float share
    check_starts(starts, places.shape[0])
    for p in range(places.shape[0]):
        if not 0 <= places[p] < rows.shape[0]:
            raise ValueError(f"found the row {places[p]:,}, expected one of {rows.shape[0]:,}")
    results = np.zeros((starts.shape[0] - 1, size), dtype=np.float32)
    cdef float[:, ::1] out = results
    if not size or not places.shape[0]:
        return results
    with nogil:
        for m in range(starts.shape[0] - 1):
            for p in range(starts[m], starts[m + 1]):
                for k in range(size):
                    out[m, k] += rows[places[p], k]
            if starts[m + 1] - starts[m] > 1:
                share = 1.0 / <float>(starts[m + 1] - starts[m])
                for k in range(size):
                    out[m, k] *= share
    return results


cdef int check_starts(const int64_t[::1] starts, ptrdiff_t count) except -1:
    """They go up from 0 to the count."""
    cdef ptrdiff_t k
    if not starts.shape[0] or starts[0] != 0 or starts[starts.shape[0] - 1] != count:
        raise ValueError(f"found starts that do not go from 0 to {count:,}")
    for k in range(starts.shape[0] - 1):
        if starts[k + 1] < starts[k]:
            raise ValueError(f"found the start {starts[k + 1]:,} behind {starts[k]:,}, expected none that is smaller")
    return 0
