"""Raw text to sentences of tokens: linear models learnt from a treebank."""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.segment.learning import SegmentEpoch, train
    from rearc.segment.segmenter import Segmented, Segmenter
    from rearc.treebank.running_text import rebuild

__all__ = ["SegmentEpoch", "Segmented", "Segmenter", "rebuild", "train"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "SegmentEpoch": "rearc.segment.learning",
        "Segmented": "rearc.segment.segmenter",
        "Segmenter": "rearc.segment.segmenter",
        "rebuild": "rearc.treebank.running_text",
        "train": "rearc.segment.learning",
    },
)
