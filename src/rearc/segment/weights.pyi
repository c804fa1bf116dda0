from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class Weights:
    def __init__(self, table: Sequence[float] | NDArray[Any], bias: float = 0) -> None: ...
    @property
    def table(self) -> NDArray[np.float32]: ...

class Learner(Weights):
    def average(self) -> NDArray[np.float32]: ...
