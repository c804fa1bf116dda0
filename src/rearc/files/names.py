"""What reading and writing files have in common: names, and what the operating system refuses."""

from __future__ import annotations

import errno
import io
import os
from pathlib import PurePath
from typing import IO

from rearc.files.errors import FileError

COMPRESSIONS = (".gz", ".xz")

File = str | os.PathLike[str] | IO[bytes]

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
_FOUND = {
    errno.EISDIR: "a directory",
    errno.ENOTDIR: "a file where a directory is needed",
}  # in place of the system's words


def name_of(file: File, standard: str) -> str:
    """The name that errors give a file: `standard` for "-"."""
    if isinstance(file, (str, os.PathLike)):
        return standard if file == "-" else os.fspath(file)
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else "<stream>"


def suffix_of(name: str) -> str:
    """The ending in small letters, without that of a compression.

    >>> suffix_of("Tree.SVG.gz")
    '.svg'
    """
    path = PurePath(name)
    if path.suffix in COMPRESSIONS:
        path = path.with_suffix("")
    return path.suffix.lower()


def refused(name: str, error: Exception, expected: str) -> FileError:
    """What the operating system said, as an error of ours."""
    number = getattr(error, "errno", None)
    found = _FOUND.get(number) or os.strerror(number) if number else str(error)
    if isinstance(error, io.UnsupportedOperation):
        found = f"a stream without {error}()"
    remedy = _REMEDIES.get(number, "check the file") if number else "check the file and its name"
    return FileError(name, found[:1].lower() + found[1:], expected, remedy)


def unusable(thing: object) -> FileError:
    """The error for what is neither a path nor a binary stream."""
    found = f"an object of the type {type(thing).__name__}"
    return FileError("<stream>", found, 'a path, "-" or an open binary stream', "give one of these")
