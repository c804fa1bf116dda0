import numpy as np
from numpy.typing import NDArray

from rearc.neural.decoder import NetworkDecoder
from rearc.systems import System

def parse_slots(text: str) -> list[int]: ...

class StackDecoder(NetworkDecoder):
    def __init__(
        self,
        system: System,
        slots: str,
        bias: NDArray[np.float32],
        output: NDArray[np.float32],
        output_bias: NDArray[np.float32],
    ) -> None: ...
    def learn(
        self, bias: NDArray[np.float32], output: NDArray[np.float32], output_bias: NDArray[np.float32]
    ) -> None: ...
