from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

NAMES: tuple[str, ...]

def number(text: str) -> int: ...
def normal(form: str) -> str: ...

class Words:
    @property
    def rows(self) -> NDArray[np.uint32]: ...
    @property
    def tokens(self) -> NDArray[np.int32]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def sentences(self) -> int: ...

class WordEncoder:
    def __init__(
        self,
        usual: Mapping[int, Sequence[str]],
        clusters: Mapping[str, str] | None = None,
        stems: Mapping[int, int] | None = None,
    ) -> None: ...
    def encode(self, sentences: Sequence[Sequence[str]], rare: int = 0) -> Words: ...
