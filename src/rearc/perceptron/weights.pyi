from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TRANSITIONS: int
PACKED: np.dtype[Any]

class Rows(NamedTuple):
    keys: NDArray[np.uint64]
    counts: NDArray[np.uint32]
    labels: NDArray[np.uint16]
    weights: NDArray[np.float32]

class Scorer:
    @property
    def classes(self) -> int: ...
    def scores(self, keys: NDArray[np.uint64]) -> NDArray[np.float32]: ...

MOST_LABELS: int
LEVELS: NDArray[np.int16]

def sum_rows(first: Rows, second: Rows) -> Rows: ...
def quantise(weights: NDArray[np.float32]) -> NDArray[np.int8]: ...
def table_size(count: int) -> int: ...
def arrange(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint32]]: ...
def pack_types(
    keys: NDArray[np.uint64], weights: NDArray[np.float32], prune: float = 0.0
) -> dict[str, NDArray[Any]]: ...
def pack_labels(rows: Rows, prune: float = 0.0) -> dict[str, NDArray[Any]]: ...

class TypeWeights(Scorer):
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...

class LabelWeights(Scorer):
    @property
    def nbytes(self) -> int: ...
    def __init__(self, arrays: dict[str, NDArray[Any]], labels: int) -> None: ...
