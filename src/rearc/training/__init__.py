"""The training loop: exploration policy, epochs, selection on dev, checkpoints."""

from rearc.training.errors import Stopped, TrainingError
from rearc.training.plan import Options
from rearc.training.train import train
from rearc.training.trainer import Epoch
from rearc.training.watcher import Watcher

__all__ = ["Epoch", "Options", "Stopped", "TrainingError", "Watcher", "train"]
