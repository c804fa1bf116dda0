import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

def forwards(gates: Floats, weights: Floats, cells: Floats, squashed: Floats, outputs: Floats) -> None: ...
def backwards(
    gates: Floats, weights: Floats, cells: Floats, squashed: Floats, gradients: Floats, factors: Floats
) -> None: ...
