import numpy as np
from numpy.typing import NDArray

from rearc.constraints.guard import Guard
from rearc.neural.decoder import NetworkDecoder
from rearc.search.beam import Beam, Found

class NetworkBeam(Beam):
    def __init__(self, decoder: NetworkDecoder, size: int, scale: float) -> None: ...
    def parse(
        self,
        values: NDArray[np.float32],
        sizes: NDArray[np.intc],
        sheets: NDArray[np.int64],
        strides: NDArray[np.intc],
        most: int = 1,
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
    ) -> Found: ...
