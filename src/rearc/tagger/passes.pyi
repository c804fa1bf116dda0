from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.perceptron.weights import Scorer
from rearc.tagger.words import Words

class Pass:
    def __init__(
        self,
        scorer: Scorer,
        templates: Sequence[Sequence[tuple[str, int]]],
        units: Sequence[Sequence[int]],
        groups: Sequence[Sequence[int]],
        first: bool,
    ) -> None: ...
    @property
    def scorer(self) -> Scorer: ...
    @property
    def first(self) -> bool: ...

def tag(passes: Sequence[Pass], words: Words) -> NDArray[np.int32]: ...
def learn(
    step: Pass, words: Words, upos: NDArray[np.int32], gold: NDArray[np.int32], order: NDArray[np.int64]
) -> int: ...
