"""One direction of one layer of an LSTM, over many sequences at once."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from rearc.neural.product cimport ALIGNMENT, VECTORS, Kernels, Packed, aligned

cdef enum:
    CHUNK = 512                     # elements whose gates are computed at once; they stay in the cache until their steps come


cdef class Steps:
    """Which elements are computed in which step, checked, and in memory that nobody else can change."""
    cdef int[::1] element, previous, active

    def __cinit__(self, elements, previous, active, ptrdiff_t count):
        self.element, self.previous, self.active = (np.array(numbers, dtype=np.intc) for numbers in (elements, previous, active))
        cdef int lanes = 2147483647
        cdef ptrdiff_t k, total = 0
        for k in range(self.active.shape[0]):
            if not 0 < self.active[k] <= lanes:
                raise ValueError(f"found {self.active[k]} lanes in step {k}, expected at least 1 and no more than before")
            lanes = self.active[k]
            total += lanes
        if not total == self.element.shape[0] == self.previous.shape[0] == count:
            raise ValueError(
                f"found {self.element.shape[0]} elements, {self.previous.shape[0]} before them and {total} in the steps, expected {count}"
            )
        for k in range(count):
            if not (0 <= self.element[k] < count and -1 <= self.previous[k] < count):
                raise ValueError(f"found element {self.element[k]} behind {self.previous[k]}, expected numbers below {count}")


cdef class Direction:
    """The weights of a direction. The logistic function is a tanh: σ(x) = ½ tanh(½x) + ½. Its halves are in the weights, so one tanh
    serves all gates."""
    cdef Packed input, more, recurrent
    cdef readonly ptrdiff_t hidden  # units

    def __cinit__(self, inputs, recurrent, bias, *, ptrdiff_t more=0, str kernels=None):
        """The columns are those of the input gates, the forget gates, the candidates and the output gates.

        more: how many numbers of an input, the last ones, do not come from a table (`run`).
        """
        self.hidden = len(recurrent)
        for name, array, size in (("inputs", inputs, (len(inputs),)), ("recurrent", recurrent, (self.hidden,)), ("bias", bias, ())):
            if array.shape != (*size, VECTORS * self.hidden):
                raise ValueError(f"found {name} of the shape {array.shape}, expected {VECTORS * self.hidden} columns")
        if not 0 <= more <= len(inputs):
            raise ValueError(f"found {more:,} numbers of an input beside the table's, expected at most {len(inputs):,}")
        width = Packed(np.zeros((0, 0), dtype=np.float32), kernels=kernels).width
        units = np.arange(-(-self.hidden // width) * width).reshape(-1, 1, width)   # the kernels' order: kernels.h
        gates = np.array([0, 1, 3, 2])[:, None]
        chosen = np.where(units < self.hidden, gates * self.hidden + units, VECTORS * self.hidden).reshape(-1)
        halves = np.array([0.5, 0.5, 1, 0.5], dtype=np.float32)
        scale = np.append(np.repeat(halves, self.hidden), np.float32(0))

        def laid(array):
            """With a column of zeros behind it, for units that fill up the last vector."""
            more = np.zeros((*array.shape[:-1], 1), dtype=np.float32)
            return (np.concatenate([array, more], axis=-1) * scale)[..., chosen]

        whole = laid(inputs)
        self.input = Packed(whole[:len(inputs) - more], laid(bias), kernels=kernels)
        self.more = Packed(whole[len(inputs) - more:], kernels=kernels)
        self.recurrent = Packed(laid(recurrent), kernels=kernels)

    def run(self, const float[:, ::1] inputs not None, elements, previous, active, float[:, ::1] out not None,
            ptrdiff_t column, *, places=None, const float[:, ::1] more=None):
        """Fills columns of `out`, from this one on, with the outputs for all elements.

        The elements of a step stand one behind the other in `elements`, one for each of its lanes, `active` says how many;
        `previous` is the element before each in its sequence, or −1. No step has more lanes than the one before.

        places: the row of `inputs` that each element has, where some have the same one, which is then multiplied once.
        more: the rest of each element's input.
        """
        cdef const int[::1] place = None if places is None else np.array(places, dtype=np.intc)
        cdef ptrdiff_t count = inputs.shape[0] if places is None else place.shape[0], k
        cdef Steps steps = Steps(elements, previous, active, count)
        cdef bint done
        if inputs.shape[1] != self.input.weights.depth:
            raise ValueError(f"found inputs of {inputs.shape[1]:,} numbers, expected {self.input.weights.depth:,}")
        if (0 if more is None else more.shape[1]) != self.more.weights.depth or more is not None and more.shape[0] != count:
            raise ValueError(
                f"found {'nothing' if more is None else f'{more.shape[0]:,} × {more.shape[1]:,} numbers'} beside the table, "
                f"expected {count:,} × {self.more.weights.depth:,}"
            )
        for k in range(count if places is not None else 0):
            if not 0 <= place[k] < inputs.shape[0]:
                raise ValueError(f"found the place {place[k]}, expected numbers from 0 to below {inputs.shape[0]:,}")
        if out.shape[0] != count or not 0 <= column <= out.shape[1] - self.hidden:
            raise ValueError(
                f"found room for {out.shape[0]:,} × {out.shape[1]:,} outputs, expected {count:,} × {self.hidden:,} from column {column:,} on"
            )
        if count == 0 or self.hidden == 0:
            return
        with nogil:
            # inputs of no numbers are never looked at
            done = self.run_steps(
                &inputs[0, 0] if inputs.shape[1] else &out[0, 0], inputs.shape[0], &place[0] if place is not None else NULL,
                &more[0, 0] if self.more.weights.depth else NULL, steps, &out[0, 0] + column, out.shape[1],
            )
        if not done:
            raise MemoryError(f"no memory for an LSTM over {count:,} elements")

    @cython.boundscheck(False)
    @cython.wraparound(False)
    cdef bint run_steps(self, const float *inputs, ptrdiff_t different, const int *place, const float *more, Steps steps,
                        float *out, ptrdiff_t stride) noexcept nogil:
        cdef const Kernels *kernels = self.input.kernels
        cdef ptrdiff_t columns = self.input.weights.columns, units = columns // VECTORS
        cdef ptrdiff_t width = self.input.weights.depth, more_width = self.more.weights.depth
        cdef ptrdiff_t lanes = steps.active[0], room = lanes if lanes > CHUNK else CHUNK
        cdef ptrdiff_t in_table = different if place != NULL else 0
        cdef float *floats = <float *>malloc(((room + in_table) * columns + (lanes + 1) * units) * sizeof(float) + ALIGNMENT)
        cdef void **pointers = <void **>malloc((max(room, in_table) + 3 * lanes) * sizeof(void *))
        if floats == NULL or pointers == NULL:
            free(floats)
            free(pointers)
            return False
        cdef float *gates = aligned(floats)
        cdef float *table = gates + room * columns              # what each row of the inputs gives to the gates
        cdef float *cells = table + in_table * columns
        cdef float *nothing = cells + lanes * units             # the state before the first element
        cdef const float **rows = <const float **>pointers
        cdef const float **states = rows + max(room, in_table)
        cdef const float **sums = states + lanes
        cdef float **outputs = <float **>(sums + lanes)
        cdef ptrdiff_t step = 0, next_step, first = 0, last, k, lane
        memset(nothing, 0, units * sizeof(float))
        for k in range(in_table):
            rows[k] = inputs + k * width
        kernels.product(rows, in_table, &self.input.weights, False, False, table, columns)
        while step < steps.active.shape[0]:
            last = first
            next_step = step
            while next_step < steps.active.shape[0] and last + steps.active[next_step] - first <= room:
                last += steps.active[next_step]
                next_step += 1
            if place == NULL:
                for k in range(first, last):
                    rows[k - first] = inputs + steps.element[k] * width
                kernels.product(rows, last - first, &self.input.weights, False, False, gates, columns)
            elif more != NULL:
                for k in range(first, last):
                    memcpy(gates + (k - first) * columns, table + place[steps.element[k]] * columns, columns * sizeof(float))
            if more != NULL:
                for k in range(first, last):
                    rows[k - first] = more + steps.element[k] * more_width
                kernels.product(rows, last - first, &self.more.weights, True, False, gates, columns)
            k = first
            for step in range(step, next_step):
                for lane in range(steps.active[step]):
                    if place == NULL or more != NULL:
                        sums[lane] = gates + (k + lane - first) * columns
                    else:
                        sums[lane] = table + place[steps.element[k + lane]] * columns
                    outputs[lane] = out + steps.element[k + lane] * stride
                    if steps.previous[k + lane] < 0:
                        states[lane] = nothing
                        memset(cells + lane * units, 0, units * sizeof(float))
                    else:
                        states[lane] = out + steps.previous[k + lane] * stride
                kernels.step(states, sums, steps.active[step], &self.recurrent.weights, cells, units, outputs)
                k += steps.active[step]
            first = last
            step = next_step
        free(floats)
        free(pointers)
        return True
