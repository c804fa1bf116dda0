import numpy as np
from numpy.typing import NDArray

from rearc.oracles import Oracle
from rearc.perceptron.decoder import LinearDecoder

class TransitionLearner:
    random: int
    def __init__(self, decoder: LinearDecoder, seed: int = 1, margin: float = 0) -> None: ...
    @property
    def margin(self) -> float: ...
    def epoch(
        self,
        judge: Oracle,
        values: NDArray[np.uint32],
        offsets: NDArray[np.int64],
        heads: NDArray[np.intc],
        labels: NDArray[np.intc],
        tree_offsets: NDArray[np.int64],
        order: NDArray[np.int64],
        explore: float,
        begun: tuple[NDArray[np.intc], NDArray[np.intc]] | None = None,
        taken: NDArray[np.intc] | None = None,
    ) -> tuple[int, int, int]: ...
