"""What goes wrong with experiments."""

from __future__ import annotations

from rearc.errors import RearcError


class SpecError(RearcError):
    """A spec is not as it must be: where, what was found, what was expected, what to do.

    >>> print(SpecError("spec.toml", 3, "the key 'sead'", "seeds", "rename it"))
    spec.toml:3: found the key 'sead', expected seeds; rename it
    """

    def __init__(self, file: str, line: int, found: str, expected: str, remedy: str = "") -> None:
        super().__init__(file, line, found, expected, remedy)
        self.file, self.line, self.found, self.expected, self.remedy = file, line, found, expected, remedy

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: found {self.found}, expected {self.expected}" + (f"; {self.remedy}" if self.remedy else "")


class ExperimentError(RearcError):
    """An experiment cannot be done or reported as asked."""
