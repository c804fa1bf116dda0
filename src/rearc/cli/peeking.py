"""A look at the beginning of standard input: is it a treebank, or plain text?"""

from __future__ import annotations

from typing import IO

LOOK = 1 << 22  # bytes; no line of a treebank is longer
COLUMNS = 10
_MARKS = b"\0\xef\xbb\xbf\xff\xfe"  # bytes of byte order marks, and those between the letters of UTF-16


class Peeked:
    """A stream of which the beginning can be looked at before it is read."""

    name = "<stdin>"

    def __init__(self, stream: IO[bytes]) -> None:
        self._read = getattr(stream, "read1", None) or stream.read
        self._seen = b""

    def read(self, size: int) -> bytes:
        """Some bytes, those that were looked at first; none at the end."""
        seen, self._seen = self._seen, b""
        return seen or self._read(size)

    def is_text(self) -> bool:
        """Whether the first line that is neither blank nor a comment has no columns."""
        line = self._first_line()
        # Columns that lost their tabs on the way are no text; the reader's message tells what is wrong with them
        return bool(line) and b"\t" not in line and not (len(line.split()) == COLUMNS and line.split()[0] == b"1")

    def _first_line(self) -> bytes:
        done = 0
        while True:
            while (end := self._seen.find(b"\n", done)) >= 0:
                line = self._seen[done:end].strip(_MARKS).strip()
                if line and not line.startswith(b"#"):
                    return line
                done = end + 1
            block = self._read(LOOK)
            if not block or len(self._seen) > LOOK:
                self._seen += block
                line = self._seen[done:].strip(_MARKS).strip()
                return b"" if line.startswith(b"#") else line
            self._seen += block

    def __str__(self) -> str:
        return self.name
