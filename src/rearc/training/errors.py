"""What goes wrong in training."""

from rearc.errors import RearcError


class TrainingError(RearcError):
    """Training cannot be done as asked; the message says what was found, what was expected and what to do."""


class Stopped(Exception):
    """The watcher stopped a training before there was anything to keep."""
