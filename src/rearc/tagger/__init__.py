"""Tags for bare words: a tagger beside the parser, an averaged perceptron over hashed features."""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.tagger.learning import TagEpoch, jackknife, train
    from rearc.tagger.tagger import Tagger

__all__ = ["TagEpoch", "Tagger", "jackknife", "train"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "TagEpoch": "rearc.tagger.learning",
        "Tagger": "rearc.tagger.tagger",
        "jackknife": "rearc.tagger.learning",
        "train": "rearc.tagger.learning",
    },
)
