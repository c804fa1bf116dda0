"""Training: the options, the choice of what is not chosen, the loop, checkpoints.

The names below load what they need when they are first used: the command describes its options without it.
"""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.training.curve import Curve
    from rearc.training.distilling import distil
    from rearc.training.errors import OptionError, Stopped, TrainingError
    from rearc.training.loop import train
    from rearc.training.options import Options
    from rearc.training.trainer import Epoch
    from rearc.training.watcher import Watcher

__all__ = ["Curve", "Epoch", "OptionError", "Options", "Stopped", "TrainingError", "Watcher", "distil", "train"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Curve": "rearc.training.curve",
        "Epoch": "rearc.training.trainer",
        "OptionError": "rearc.training.errors",
        "Options": "rearc.training.options",
        "Stopped": "rearc.training.errors",
        "TrainingError": "rearc.training.errors",
        "Watcher": "rearc.training.watcher",
        "distil": "rearc.training.distilling",
        "train": "rearc.training.loop",
    },
)
