import numpy as np
from numpy.typing import NDArray

from rearc.systems import System

# Of each sentence how many trees; of each tree its score; over the words of all trees heads, labels, and margins of
# the transition that gave the word its head, of the label, and the narrowest while its head was at stake
Found = tuple[NDArray[np.intc], NDArray[np.float64], NDArray[np.intc], NDArray[np.intc], NDArray[np.float32]]

class Beam:
    @property
    def system(self) -> System: ...
    @property
    def size(self) -> int: ...
    @property
    def scale(self) -> float: ...
