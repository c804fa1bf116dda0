"""The error for files that cannot be read or written."""

from __future__ import annotations

from rearc.errors import RearcError


class FileError(RearcError):
    """A file or stream cannot be opened, read or written: which, what was found, what was expected, what to do.

    >>> print(FileError("a.conllu", "no such file or directory", "a file that can be read", "check the name"))
    a.conllu: found no such file or directory, expected a file that can be read; check the name
    """

    def __init__(self, file: str, found: str, expected: str, remedy: str) -> None:
        super().__init__(file, found, expected, remedy)
        self.file = file
        self.found = found
        self.expected = expected
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.file}: found {self.found}, expected {self.expected}; {self.remedy}"
