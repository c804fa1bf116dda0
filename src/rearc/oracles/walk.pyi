from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rearc.oracles.base import Oracle
from rearc.systems.base import System

IntArray = npt.NDArray[np.intc]
LongArray = npt.NDArray[np.int64]

class Trees:
    def __init__(self, trees: Iterable[Sequence[int] | IntArray]) -> None: ...
    @property
    def heads(self) -> IntArray: ...
    @property
    def offsets(self) -> LongArray: ...
    @property
    def longest(self) -> int: ...
    @property
    def words(self) -> int: ...
    def __len__(self) -> int: ...

def derive(
    judge: Oracle, trees: Trees, against: Trees | None = None, *, start: int = 0, stop: int | None = None
) -> IntArray: ...

class Derivations:
    def __init__(self, judge: Oracle, trees: Trees) -> None: ...
    @property
    def system(self) -> System: ...
    @property
    def trees(self) -> Trees: ...
    @property
    def offsets(self) -> LongArray: ...
    def __len__(self) -> int: ...

def replay(derivations: Derivations) -> int: ...
def walk(
    judge: Oracle,
    trees: Trees,
    *,
    follow: float = 0.9,
    seed: int = 1,
    start: int = 0,
    stop: int | None = None,
    optimal: bool = False,
) -> tuple[int, int]: ...
