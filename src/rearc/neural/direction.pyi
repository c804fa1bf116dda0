import numpy as np
from numpy.typing import NDArray

class Direction:
    def __init__(
        self,
        inputs: NDArray[np.float32],
        recurrent: NDArray[np.float32],
        bias: NDArray[np.float32],
        *,
        more: int = 0,
        kernels: str | None = None,
    ) -> None: ...
    @property
    def hidden(self) -> int: ...
    def run(
        self,
        inputs: NDArray[np.float32],
        elements: NDArray[np.int64],
        previous: NDArray[np.int64],
        active: NDArray[np.int64],
        out: NDArray[np.float32],
        column: int,
        *,
        places: NDArray[np.int64] | None = None,
        more: NDArray[np.float32] | None = None,
    ) -> None: ...
