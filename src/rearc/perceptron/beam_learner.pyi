import numpy as np
from numpy.typing import NDArray

from rearc.oracles import Oracle
from rearc.perceptron.decoder import LinearDecoder

class BeamLearner:
    def __init__(self, decoder: LinearDecoder, size: int) -> None: ...
    @property
    def size(self) -> int: ...
    def epoch(
        self,
        judge: Oracle,
        values: NDArray[np.uint32],
        offsets: NDArray[np.int64],
        heads: NDArray[np.intc],
        labels: NDArray[np.intc],
        tree_offsets: NDArray[np.int64],
        order: NDArray[np.int64],
    ) -> tuple[int, int, int]: ...
