"""A bidirectional LSTM over many sequences at once.

The sequences run through lanes, one behind the other in each: when one ends, the next begins. So nearly all steps have
as many rows, and nothing is computed for nothing. A sequence's vectors are the same bits alone and among others,
whatever its lane (rearc.neural.product).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rearc.neural.direction import Direction

Floats = NDArray[np.float32]

LANES = 64  # at most: the weights are fetched once a step, for all lanes


class Lanes:
    """Which element of which sequence is computed at which step, in which lane; all sequences one behind the other."""

    def __init__(self, lengths: Sequence[int]) -> None:
        sizes = np.asarray(lengths, dtype=np.int64)
        total, longest = int(sizes.sum()), int(sizes.max(initial=1))
        count = min(-(-total // longest), LANES)  # as many as have work while the longest sequence lasts
        loads = [(0, lane) for lane in range(count)]
        begin, column = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(sizes), dtype=np.int64)
        for s in np.argsort(-sizes, kind="stable").tolist():
            if lengths[s]:
                load, lane = heapq.heappop(loads)
                begin[s], column[s] = load, lane
                heapq.heappush(loads, (load + lengths[s], lane))
        rank = np.empty(
            count, dtype=np.int64
        )  # the lanes that end last come first: those at work are always the first ones
        rank[[lane for _, lane in sorted(loads, reverse=True)]] = np.arange(count)
        ends = np.cumsum(sizes)
        self.first, self.last = ends - sizes, ends - 1
        within = np.arange(total) - np.repeat(self.first, sizes)
        steps = np.repeat(begin, sizes) + within
        order = np.lexsort((np.repeat(rank[column] if count else column, sizes), steps))
        mirrored = np.repeat(ends - 1, sizes) - within
        starts = within[order] == 0
        self.active = np.bincount(steps)  # lanes at work at each step
        self.forward = order, np.where(starts, -1, order - 1)  # the elements step by step, and those before them
        self.backward = mirrored[order], np.where(starts, -1, mirrored[order] + 1)


@dataclass(frozen=True)
class Repeated:
    """Rows of which many begin with the same numbers: row k is table[places[k]] and behind it more[k]."""

    table: Floats
    places: NDArray[np.int64]
    more: Floats | None = None

    def whole(self) -> Floats:
        """The rows themselves."""
        rows = self.table[self.places]
        return rows if self.more is None else np.concatenate([rows, self.more], axis=1)


class BiLSTM:
    """All layers of a bidirectional LSTM."""

    def __init__(self, layers: Sequence[tuple[Direction, Direction]]) -> None:
        self.layers = layers

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Floats], layers: int, more: int = 0) -> BiLSTM:
        """From the weights of a model file; more: the numbers of its inputs that do not come from a table."""
        return cls([_directions(tensors, k, more if k == 0 else 0) for k in range(layers)])

    def run(self, inputs: Floats | Repeated, lengths: Sequence[int]) -> tuple[Floats, Lanes]:
        """The last layer's outputs, forward and backward side by side."""
        lanes = Lanes(lengths)
        rows, places, more = (
            (inputs, None, None) if isinstance(inputs, np.ndarray) else (inputs.table, inputs.places, inputs.more)
        )
        for ahead, back in self.layers:
            outputs = np.empty((sum(lengths), ahead.hidden + back.hidden), dtype=np.float32)
            ahead.run(rows, *lanes.forward, lanes.active, outputs, 0, places=places, more=more)
            back.run(rows, *lanes.backward, lanes.active, outputs, ahead.hidden, places=places, more=more)
            rows, places, more = outputs, None, None
        return rows, lanes

    def ends(self, inputs: Floats | Repeated, lengths: Sequence[int]) -> Floats:
        """For each sequence what has been read at its end, and backward at its beginning."""
        outputs, lanes = self.run(inputs, lengths)
        half = outputs.shape[1] // 2
        return np.concatenate([outputs[lanes.last, :half], outputs[lanes.first, half:]], axis=1)


def _directions(tensors: Mapping[str, Floats], layer: int, more: int) -> tuple[Direction, Direction]:
    inputs, recurrent, bias = (tensors[f"{layer}.{part}"] for part in ("input", "recurrent", "bias"))
    ahead, back = (Direction(inputs[k], recurrent[k], bias[k], more=more) for k in (0, 1))
    return ahead, back
