import numpy as np
from numpy.typing import NDArray

from rearc.constraints.guard import Guard
from rearc.oracles import Oracle
from rearc.systems import State, System

class NetworkDecoder:
    @property
    def system(self) -> System: ...
    @property
    def slots(self) -> int: ...
    def parse(
        self,
        values: NDArray[np.float32],
        sizes: NDArray[np.intc],
        sheets: NDArray[np.int64],
        strides: NDArray[np.intc],
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
    ) -> NDArray[np.intc]: ...
    def scores(
        self,
        values: NDArray[np.float32],
        sizes: NDArray[np.intc],
        sheets: NDArray[np.int64],
        strides: NDArray[np.intc],
        state: State,
    ) -> NDArray[np.float32]: ...
    def walk(
        self,
        judge: Oracle,
        values: NDArray[np.float32],
        sizes: NDArray[np.intc],
        sheets: NDArray[np.int64],
        strides: NDArray[np.intc],
        heads: NDArray[np.intc],
        explore: float,
        seed: int,
    ) -> tuple[NDArray[np.intc], NDArray[np.intc] | None, NDArray[np.intc], NDArray[np.uint8], int]: ...
