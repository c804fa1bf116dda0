from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from rearc.treebank import Sentence

NAMES: tuple[str, ...]

class TokenEncoder:
    def __init__(self, clusters: Mapping[str, str] | None = None) -> None: ...
    def encode(self, sentences: Iterable[Sentence]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]: ...
