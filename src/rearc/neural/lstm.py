"""A bidirectional LSTM over many sequences at once, in NumPy.

The sequences run through a fixed number of lanes, one behind the other in each: when one ends, the next begins. So no
step computes much for nothing, and every matrix product has the same shape whatever is in the batch: a sequence's
vectors are the same bits alone and among others.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LANES = 64


class Lanes:
    """Where each element of each sequence is computed: at which step, in which lane."""

    def __init__(self, lengths: Sequence[int]) -> None:
        loads = [(0, lane) for lane in range(LANES)]
        self.starts: dict[int, list[int]] = {}  # the lanes in which a sequence begins at a step
        first, lane_of = np.zeros(len(lengths), dtype=np.int64), np.zeros(len(lengths), dtype=np.int64)
        for s in sorted(range(len(lengths)), key=lambda s: -lengths[s]):
            if lengths[s]:
                load, lane = heapq.heappop(loads)
                self.starts.setdefault(load, []).append(lane)
                first[s], lane_of[s] = load, lane
                heapq.heappush(loads, (load + lengths[s], lane))
        self.steps = max(load for load, _ in loads)
        sizes = np.asarray(lengths, dtype=np.int64)
        ends = np.cumsum(sizes)
        within = np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes)
        begin, column, last = (np.repeat(numbers, sizes) for numbers in (first, lane_of, sizes - 1))
        self.forward = (
            begin + within
        ) * LANES + column  # the place of each element, all sequences one behind the other
        self.backward = (begin + last - within) * LANES + column
        self.last = ends - 1
        self.first = ends - sizes


class Direction:
    """One direction of one layer.

    The logistic function is a tanh: σ(x) = ½ tanh(½x) + ½. Its halves are in the weights, so one tanh serves all gates.
    """

    def __init__(self, inputs: Floats, recurrent: Floats, bias: Floats) -> None:
        hidden = len(recurrent)
        order = np.r_[0 : 2 * hidden, 3 * hidden : 4 * hidden, 2 * hidden : 3 * hidden]  # i f g o to i f o g
        scale = np.repeat(np.array([0.5, 0.5, 0.5, 1], dtype=np.float32), hidden)
        self.input = np.ascontiguousarray(inputs[:, order] * scale)
        self.recurrent = np.ascontiguousarray(recurrent[:, order] * scale)
        self.bias = bias[order] * scale
        self.hidden = hidden

    def run(self, inputs: Floats, places: NDArray[np.int64], lanes: Lanes) -> Floats:
        """The outputs for inputs that are one behind the other."""
        width, hidden = inputs.shape[1], self.hidden
        laid = np.zeros((lanes.steps * LANES, width), dtype=np.float32)
        laid[places] = inputs
        gates = np.matmul(laid.reshape(lanes.steps, LANES, width), self.input)
        gates += self.bias
        outputs = np.empty((lanes.steps, LANES, hidden), dtype=np.float32)
        state = np.zeros((LANES, hidden), dtype=np.float32)
        cell = np.zeros((LANES, hidden), dtype=np.float32)
        product = np.empty((LANES, 4 * hidden), dtype=np.float32)
        scratch = np.empty((LANES, hidden), dtype=np.float32)
        for step in range(lanes.steps):
            if step and step in lanes.starts:
                state[lanes.starts[step]] = 0
                cell[lanes.starts[step]] = 0
            gate = gates[step]
            np.matmul(state, self.recurrent, out=product)
            gate += product
            np.tanh(gate, out=gate)
            switches = gate[:, : 3 * hidden]
            switches *= 0.5
            switches += 0.5
            np.multiply(gate[:, :hidden], gate[:, 3 * hidden :], out=scratch)
            cell *= gate[:, hidden : 2 * hidden]
            cell += scratch
            np.tanh(cell, out=scratch)
            state = np.multiply(scratch, gate[:, 2 * hidden : 3 * hidden], out=outputs[step])
            if step + 1 in lanes.starts:
                state = state.copy()
        return outputs.reshape(-1, hidden)[places]


class BiLSTM:
    """All layers of a bidirectional LSTM."""

    def __init__(self, layers: Sequence[tuple[Direction, Direction]]) -> None:
        self.layers = layers

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Floats], layers: int) -> BiLSTM:
        """From the weights of a model file."""
        names = [[f"{k}.{part}" for part in ("input", "recurrent", "bias")] for k in range(layers)]
        return cls([(_direction(tensors, own, 0), _direction(tensors, own, 1)) for own in names])

    def run(self, inputs: Floats, lengths: Sequence[int]) -> tuple[Floats, Lanes]:
        """The last layer's outputs, forward and backward side by side."""
        lanes = Lanes(lengths)
        for ahead, back in self.layers:
            inputs = np.concatenate(
                [ahead.run(inputs, lanes.forward, lanes), back.run(inputs, lanes.backward, lanes)], axis=1
            )
        return inputs, lanes

    def ends(self, inputs: Floats, lengths: Sequence[int]) -> Floats:
        """For each sequence what has been read at its end, and backward at its beginning."""
        outputs, lanes = self.run(inputs, lengths)
        half = outputs.shape[1] // 2
        return np.concatenate([outputs[lanes.last, :half], outputs[lanes.first, half:]], axis=1)


def _direction(tensors: Mapping[str, Floats], names: Sequence[str], which: int) -> Direction:
    return Direction(*(tensors[name][which] for name in names))
