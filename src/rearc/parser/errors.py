"""What goes wrong with models."""

from rearc.files.errors import FileError


class ModelError(FileError):
    """A model file cannot be used or made: which, what was found, what was expected, what to do.

    >>> print(ModelError("m.rearc", "a file of 0 bytes", "a model made by rearc", "train it again"))
    m.rearc: found a file of 0 bytes, expected a model made by rearc; train it again
    """
