"""Opening what is read."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import select
import sys
import zlib
from pathlib import Path
from typing import Any

from rearc.files.names import File, refused, unusable

# What reading on raises where a stream is broken, closed, or not what its name says.
DAMAGE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)
TURN = 0.2  # seconds


def open_source(source: File) -> tuple[Any, bool]:
    """The binary stream to read from, and whether it is ours to close."""
    if source == "-":
        source = standard_input()
    if not isinstance(source, (str, os.PathLike)):
        if not hasattr(source, "read"):
            raise unusable(source)
        return source, False
    name = os.fspath(source)
    try:
        if Path(name).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        file = _File(name)
    except (OSError, ValueError) as error:
        raise refused(name, error, "a file that can be read") from error
    if name.endswith(".gz"):
        return gzip.GzipFile(fileobj=file, mode="rb"), True  # type: ignore[call-overload]
    if name.endswith(".xz"):
        return _Unxz(file), True
    return file, True


def standard_input() -> Any:
    """Standard input in bytes, if there is one."""
    buffer = getattr(sys.stdin, "buffer", None)
    return None if buffer is None else _Waiting(buffer)


class _Waiting:
    """A stream that may have nothing yet, which is waited for in short turns.

    A signal ends a read that is waiting. But one that comes a moment before the read begins would wait with it, and
    nobody could stop a command that has just said something about its input.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._drained = False  # nothing is left of what was read ahead, which cannot be waited for
        self._can_wait = True

    def _wait(self) -> None:
        try:
            while not select.select([self._stream], [], [], TURN)[0]:
                pass
        except (OSError, ValueError, TypeError, AttributeError):  # nothing that has a number, or another system
            self._can_wait = False

    def read1(self, size: int) -> bytes:
        if self._drained and self._can_wait:
            self._wait()
        read = getattr(self._stream, "read1", None) or self._stream.read
        block: bytes = read(size)
        self._drained = len(block) < size
        return block

    read = read1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _File:
    """A file to read. Unlike io.FileIO it needs no close(): a reader that is dropped halfway is no mistake."""

    def __init__(self, name: str) -> None:
        self._number = -1
        self._number = os.open(name, os.O_RDONLY | getattr(os, "O_BINARY", 0))

    def read(self, size: int) -> bytes:
        return os.read(self._number, size)

    def close(self) -> None:
        number, self._number = self._number, -1
        if number >= 0:
            os.close(number)

    __del__ = close


class _Unxz:
    """An .xz file as a stream. Unlike lzma.LZMAFile it does not take a damaged second part for the end."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self._decoder = lzma.LZMADecompressor()

    def read(self, size: int) -> bytes:
        while True:
            block = b""
            if self._decoder.eof:
                block = self._decoder.unused_data
                while not block.strip(b"\0"):  # parts may be padded with zeros
                    block = self._file.read(size)
                    if not block:
                        return b""
                block = block.lstrip(b"\0")
                self._decoder = lzma.LZMADecompressor()
            elif self._decoder.needs_input:
                block = self._file.read(size)
                if not block:
                    raise EOFError("the compressed stream is cut off")
            text = self._decoder.decompress(block, size)
            if text:
                return text

    def close(self) -> None:
        self._file.close()
