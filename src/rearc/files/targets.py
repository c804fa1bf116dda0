"""Opening what is written."""

from __future__ import annotations

import atexit
import contextlib
import gzip
import lzma
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from rearc.files.errors import FileError
from rearc.files.names import File, refused, unusable

_unfinished: set[Path] = set()  # temporary files that are there


@atexit.register
def _remove_unfinished() -> None:
    """What an interrupt at the wrong moment has left."""
    for file in tuple(_unfinished):
        _remove(file)


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
    _unfinished.discard(file)


class Target:
    """Somewhere to write bytes to. A file appears under its name only when all of it is written."""

    def __init__(self, target: File, name: str) -> None:
        self._target = target
        self._name = name
        self._file: Any = None  # ours to close
        self._stream: Any = None  # what is written to: the file, or what packs it
        self._temporary: Path | None = None
        self._path: Path | None = None

    def __enter__(self) -> Target:
        try:
            self._open()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def _open(self) -> None:
        with self._refusals():
            if self._target == "-":
                self._stream = sys.stdout.buffer
            elif isinstance(self._target, (str, os.PathLike)):
                self._open_file()
            elif hasattr(self._target, "write"):
                self._stream = self._target
            else:
                raise unusable(self._target)

    def _open_file(self) -> None:
        path = Path(os.path.realpath(self._target))  # type: ignore[arg-type]
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):  # a device or a pipe is not replaced
            self._file = path.open("wb")
        else:
            self._path = path
            temporary = path.parent / f".rearc-{os.urandom(8).hex()}.tmp"
            self._temporary = temporary
            _unfinished.add(temporary)
            self._file = temporary.open("xb")
            if mode is not None:
                temporary.chmod(stat.S_IMODE(mode))
        self._stream = self._file
        if self._name.endswith(".gz"):  # without name and time, so that the bytes are the same each time
            self._stream = gzip.GzipFile(filename="", mode="wb", fileobj=self._file, mtime=0)
        elif self._name.endswith(".xz"):
            self._stream = lzma.LZMAFile(self._file, "wb")  # noqa: SIM115 (closed by __exit__)

    def write(self, block: bytes | memoryview) -> None:
        """Write all of a block."""
        rest = memoryview(block)
        with self._refusals():
            while rest:
                written = self._stream.write(rest)  # a raw stream may take only a part
                rest = rest[:0] if written is None else rest[written:]

    def flush(self) -> None:
        """Hand on what is written so far."""
        with self._refusals():
            self._stream.flush()

    def __exit__(self, kind: type[BaseException] | None, _: object, traceback: TracebackType | None) -> None:
        try:
            if kind is None:
                with self._refusals():
                    self._finish()
        finally:
            if self._file is not None:
                with contextlib.suppress(OSError):
                    self._file.close()
            if self._temporary is not None:
                _remove(self._temporary)

    def _finish(self) -> None:
        if self._file is None:
            self._stream.flush()
            return
        if self._stream is not self._file:
            self._stream.close()
        self._file.close()
        if self._temporary is not None and self._path is not None:
            self._temporary.replace(self._path)
            _unfinished.discard(self._temporary)
            self._temporary = None

    @contextlib.contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except (BrokenPipeError, FileError):  # a reader who has had enough need not be a mistake
            raise
        except (OSError, ValueError) as error:
            raise refused(self._name, error, "a file that can be written") from error
