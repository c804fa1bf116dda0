from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.perceptron.weights import Scorer
from rearc.tagger.words import Words

COLUMNS: tuple[str, ...]

class Lexicon:
    def __init__(
        self, attributes: Sequence[str], keys: NDArray[Any], counts: NDArray[Any], classes: NDArray[Any]
    ) -> None: ...
    @property
    def attributes(self) -> tuple[str, ...]: ...

class Pass:
    def __init__(
        self,
        scorer: Scorer,
        templates: Sequence[Sequence[tuple[str, int]]],
        units: Sequence[Sequence[int]],
        groups: Sequence[Sequence[int]],
        column: str,
        lexicon: Lexicon | None = None,
    ) -> None: ...
    @property
    def scorer(self) -> Scorer: ...
    @property
    def column(self) -> str: ...
    @property
    def seen(self) -> frozenset[str]: ...
    @property
    def lexicon(self) -> Lexicon | None: ...

def lexicon_keys(level: int, values: NDArray[Any], groups: NDArray[Any]) -> NDArray[np.uint32]: ...
def tag(passes: Sequence[Pass], words: Words) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
def learn(
    step: Pass,
    words: Words,
    given: Mapping[str, NDArray[np.int32]],
    gold: NDArray[np.int32],
    order: NDArray[np.int64],
) -> int: ...
