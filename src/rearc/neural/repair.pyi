import numpy as np
from numpy.typing import NDArray

from rearc.systems import System

def repaired(
    system: System, values: NDArray[np.float32], sizes: NDArray[np.intc], heads: NDArray[np.intc]
) -> NDArray[np.intc]: ...
