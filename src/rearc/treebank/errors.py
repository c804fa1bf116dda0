"""The one exception that treebanks raise."""

from __future__ import annotations

from rearc.errors import RearcError


class TreebankError(RearcError):
    """Something in a treebank is not as it must be: where, what, and what to do about it.

    `column` is the 1-based character position in the line, 0 where the sentence as a whole is meant;
    `line` is 0 where the file as a whole is meant.

    >>> print(TreebankError("a.conllu", 3, 1, "the id '5'", "the id '2'", "number the words 1, 2, 3 …"))
    a.conllu:3:1: found the id '5', expected the id '2'; number the words 1, 2, 3 …
    """

    def __init__(self, file: str | None, line: int, column: int, found: str, expected: str, remedy: str) -> None:
        super().__init__(file, line, column, found, expected, remedy)
        self.file = file
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.remedy = remedy

    def __str__(self) -> str:
        where = self.file or "<sentence>"
        if self.line:
            where += f":{self.line}:{self.column}" if self.column else f":{self.line}"
        return f"{where}: found {self.found}, expected {self.expected}; {self.remedy}"


class TreebankWarning(UserWarning):
    """What was passed over in a treebank that is not written quite as it should be.

    >>> import io, warnings
    >>> from rearc.treebank import read
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     sentences = list(read(io.BytesIO(b"Dogs  bark\\n"), format="tokens"))
    >>> print(caught[0].message)
    <stream>: passed over a superfluous space
    """


def shown(text: str, limit: int = 40) -> str:
    """A piece of somebody's file as an error message shows it: quoted, escaped, not too long."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
