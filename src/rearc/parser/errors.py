"""What goes wrong with models."""

from __future__ import annotations


class ModelError(ValueError):
    """A model file cannot be used or made: which, what was found, what was expected, what to do.

    >>> print(ModelError("m.rearc", "a file of 0 bytes", "a model made by rearc", "train it again"))
    m.rearc: found a file of 0 bytes, expected a model made by rearc; train it again
    """

    def __init__(self, file: str, found: str, expected: str, remedy: str) -> None:
        super().__init__(file, found, expected, remedy)
        self.file = file
        self.found = found
        self.expected = expected
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.file}: found {self.found}, expected {self.expected}; {self.remedy}"
