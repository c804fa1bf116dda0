"""Opening what is read."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import sys
import zlib
from pathlib import Path
from typing import Any

from rearc.files.names import File, refused, unusable

# What reading on raises where a stream is broken, closed, or not what its name says.
DAMAGE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)


def open_source(source: File) -> tuple[Any, bool]:
    """The binary stream to read from, and whether it is ours to close."""
    if source == "-":
        source = getattr(sys.stdin, "buffer", None)  # type: ignore[assignment]
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
