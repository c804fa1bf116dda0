from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def key_of(text: str) -> int: ...

class KnownWords:
    def __init__(self, keys: Sequence[int] | NDArray[Any], facts: Sequence[Sequence[int]] | NDArray[Any]) -> None: ...
    @property
    def keys(self) -> NDArray[np.uint32]: ...
    @property
    def facts(self) -> NDArray[np.uint8]: ...
