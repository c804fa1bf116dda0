import numpy as np
from numpy.typing import NDArray

from rearc.constraints.guard import Guard
from rearc.perceptron.decoder import LinearDecoder
from rearc.search.beam import Beam, Found

class LinearBeam(Beam):
    def __init__(self, decoder: LinearDecoder, size: int, scale: float) -> None: ...
    def parse(
        self,
        values: NDArray[np.uint32],
        offsets: NDArray[np.int64],
        most: int = 1,
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
    ) -> Found: ...
