"""Raw text to sentences of tokens: linear models learnt from a treebank."""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.segmenter.learning import SegmentEpoch, train
    from rearc.segmenter.segmenter import Segmented, Segmenter
    from rearc.segmenter.spaces import rebuild

__all__ = ["SegmentEpoch", "Segmented", "Segmenter", "rebuild", "train"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "SegmentEpoch": "rearc.segmenter.learning",
        "Segmented": "rearc.segmenter.segmenter",
        "Segmenter": "rearc.segmenter.segmenter",
        "rebuild": "rearc.segmenter.spaces",
        "train": "rearc.segmenter.learning",
    },
)
