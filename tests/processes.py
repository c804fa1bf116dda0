"""Processes that tests start, and what they say."""

import os
import select
import subprocess
from typing import IO, Any

PATIENCE = 60  # seconds without a word


class Child(subprocess.Popen):
    """A process that does not outlive a test that has failed: else the end of `with` waits for it."""

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, *rest)


def heard(stream: IO[bytes], end: bytes) -> bytes:
    """What comes out of a pipe up to this end, which nothing follows yet."""
    said = b""
    while not said.endswith(end):
        assert select.select([stream], [], [], PATIENCE)[0], said
        piece = os.read(stream.fileno(), 1 << 16)
        assert piece, said
        said += piece
    return said
