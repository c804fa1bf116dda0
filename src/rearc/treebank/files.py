"""Opening what is read and what is written: paths, compressed files, standard streams, open streams."""

from __future__ import annotations

import contextlib
import errno
import gzip
import lzma
import os
import secrets
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from rearc.treebank.errors import TreebankError

Source = str | os.PathLike[str] | IO[bytes]

# What reading on raises where a stream is broken, closed, or not what its name says.
DAMAGE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)

_REMEDIES = {
    errno.ENOENT: "check the name",
    errno.EISDIR: "give the name of a file",
    errno.EACCES: "check the permissions",
    errno.EPERM: "check the permissions",
    errno.EROFS: "choose a place that can be written to",
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room on the disk",
    errno.ENOTDIR: "check the name",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def name_of(source: Source, standard: str) -> str:
    """The name that errors give a file: `standard` for "-"."""
    if isinstance(source, (str, os.PathLike)):
        return standard if source == "-" else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def refused(name: str, error: Exception, expected: str) -> TreebankError:
    """What the operating system said, as an error of ours."""
    number = getattr(error, "errno", None)
    found = os.strerror(number) if number else str(error)
    remedy = _REMEDIES.get(number, "check the file") if number else "check the name"
    return TreebankError(name, 0, 0, found[:1].lower() + found[1:], expected, remedy)


def open_source(source: Source) -> tuple[Any, bool]:
    """The binary stream to read from, and whether it is ours to close."""
    if not isinstance(source, (str, os.PathLike)):
        return source, False
    if source == "-":
        return sys.stdin.buffer, False
    name = os.fspath(source)
    try:
        if Path(name).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if name.endswith(".gz"):
            return gzip.open(name, "rb"), True
        if name.endswith(".xz"):
            return lzma.open(name, "rb"), True
        return open(name, "rb", buffering=0), True  # noqa: PTH123 (the reader has its own blocks)
    except (OSError, ValueError) as error:
        raise refused(name, error, "a file that can be read") from error


@contextlib.contextmanager
def open_target(target: Source, name: str) -> Iterator[IO[bytes]]:
    """A binary stream to write to. A file appears under its name only when all of it is written."""
    if not isinstance(target, (str, os.PathLike)):
        yield target
        target.flush()
    elif target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        path = Path(os.path.realpath(target))
        existing = path.stat() if path.exists() else None
        if existing is not None and not stat.S_ISREG(existing.st_mode):  # a device or a pipe is not replaced
            with path.open("wb") as stream:
                yield stream
            return
        temporary = path.parent / f".rearc-{secrets.token_hex(8)}.tmp"
        try:
            with temporary.open("xb") as file:
                if existing is not None:
                    os.fchmod(file.fileno(), stat.S_IMODE(existing.st_mode))
                with _compressed(file, name) as stream:
                    yield stream
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def _compressed(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    if name.endswith(".gz"):
        # without name and time, so that the bytes are the same each time
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            yield packed  # type: ignore[misc]
    elif name.endswith(".xz"):
        with lzma.open(file, "wb") as packed_xz:
            yield packed_xz
    else:
        yield file
