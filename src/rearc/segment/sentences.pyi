import numpy as np
from numpy.typing import NDArray

from rearc.segment.lexicon import KnownWords
from rearc.segment.templates import Templates
from rearc.segment.text import Tokens
from rearc.segment.weights import Weights

ATOMS: tuple[str, ...]

class SentenceModel:
    def __init__(self, weights: Weights, templates: str, words: KnownWords) -> None: ...
    @property
    def weights(self) -> Weights: ...
    @property
    def templates(self) -> Templates: ...
    @property
    def words(self) -> KnownWords: ...
    def cut(self, tokens: Tokens) -> NDArray[np.uint8]: ...
    def learn(self, tokens: Tokens, lasts: NDArray[np.uint8], order: NDArray[np.int64], rate: float) -> int: ...
