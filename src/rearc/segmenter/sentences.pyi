import numpy as np
from numpy.typing import NDArray

from rearc.segmenter.lexicon import Lexicon
from rearc.segmenter.templates import Templates
from rearc.segmenter.text import Tokens
from rearc.segmenter.weights import Weights

ATOMS: tuple[str, ...]

class SentenceModel:
    def __init__(self, weights: Weights, templates: str, words: Lexicon) -> None: ...
    @property
    def weights(self) -> Weights: ...
    @property
    def templates(self) -> Templates: ...
    @property
    def words(self) -> Lexicon: ...
    def cut(self, tokens: Tokens) -> NDArray[np.uint8]: ...
    def learn(self, tokens: Tokens, lasts: NDArray[np.uint8], order: NDArray[np.int64], rate: float) -> int: ...
