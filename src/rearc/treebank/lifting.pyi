import numpy as np
from numpy.typing import NDArray

from rearc.treebank.trees import Heads

def lift(heads: Heads) -> tuple[NDArray[np.int32], NDArray[np.bool_]]: ...
