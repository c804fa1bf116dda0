"""The container of models and checkpoints: a zip file whose every byte is accounted for.

The members are stored as they are, aligned for direct use. Their names, sizes and checksums determine all bytes between
them, so a reader rebuilds these and compares: what is damaged, cut off, added or packed by another tool is refused.
"""

from __future__ import annotations

import os
import stat
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rearc.files.errors import FileError
from rearc.files.names import refused
from rearc.files.targets import Target
from rearc.parser.errors import ModelError

ALIGNMENT = 64
LARGEST = (1 << 32) - 1  # what a plain zip can hold
MEMBERS = 64

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_PADDING = struct.Struct("<HH")  # an extra field of zeros that aligns what follows it
_UTF8, _STORED, _MIDNIGHT, _FIRST_DAY, _ALIGN_ID = 0x0800, 0, 0, 0x21, 0xD935
_VERSION = 20


def write_container(file: str | os.PathLike[str], members: Mapping[str, Sequence[bytes | memoryview]]) -> None:
    """Write the members, each of them in pieces; the file appears under its name only when all of it is written."""
    name = os.fspath(file)
    skeleton, _, total = _skeleton({member: (sum(map(len, data)), _crc32(data)) for member, data in members.items()})
    if total > LARGEST:
        raise ModelError(name, f"{total:,} bytes", f"at most {LARGEST:,}", "use fewer templates or a smaller treebank")
    try:
        with Target(name, name) as target:
            for between, data in zip(skeleton, members.values(), strict=False):
                for piece in (between, *data):
                    target.write(piece)
            target.write(skeleton[-1])
    except FileError as error:
        raise ModelError(name, error.found, error.expected, error.remedy) from None


def read_container(file: str | os.PathLike[str], kind: str = "a model made by rearc") -> dict[str, memoryview]:
    """The members of a container, checked to the last byte."""
    name = os.fspath(file)
    data = _bytes_of(name, kind)
    damaged = ModelError(name, "a damaged or incomplete file", kind, "copy or train it again")
    sizes, checksums = _directory(data, damaged)
    pieces, starts, total = _skeleton({member: (sizes[member], checksums[member]) for member in sizes})
    if total != len(data):
        raise damaged
    at = 0
    members: dict[str, memoryview] = {}
    for piece, member, start in zip(pieces, sizes, starts, strict=False):
        members[member] = data[start : start + sizes[member]]
        if data[at : at + len(piece)] != piece or zlib.crc32(members[member]) != checksums[member]:
            raise damaged
        at = start + sizes[member]
    if data[at:] != pieces[-1]:
        raise damaged
    return members


def _bytes_of(name: str, kind: str) -> memoryview:
    remedy = "check the name of the file"
    try:
        mode = Path(name).stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # to open a pipe would be to wait for its other end
            raise ModelError(name, "no regular file", kind, "give the name of a file")
        with Path(name).open("rb", buffering=0) as stream:
            begin = stream.read(8)
            if begin[:4] != b"PK\x03\x04":  # before all of it is read
                raise ModelError(name, f"{begin!r} at its beginning" if begin else "an empty file", kind, remedy)
            size = os.fstat(stream.fileno()).st_size
            if size > LARGEST:
                raise ModelError(name, f"{size:,} bytes", f"at most {LARGEST:,}", remedy)
            stream.seek(0)
            data = memoryview(bytearray(size))
            filled = 0
            while filled < len(data) and (count := stream.readinto(data[filled:])):
                filled += count
    except ModelError:
        raise
    except (OSError, ValueError) as error:
        reason = refused(name, error, kind)
        raise ModelError(name, reason.found, kind, reason.remedy) from None
    return data[:filled].toreadonly()


def _directory(data: memoryview, damaged: ModelError) -> tuple[dict[str, int], dict[str, int]]:
    """Sizes and checksums of the members, as the directory at the end has them."""
    sizes: dict[str, int] = {}
    checksums: dict[str, int] = {}
    try:
        _, _, _, _, count, size, at, _ = _END.unpack(data[-_END.size :])
        if count > MEMBERS or at + size + _END.size != len(data):
            raise damaged
        for _ in range(count):
            fields = _CENTRAL.unpack(data[at : at + _CENTRAL.size])
            checksum, stored, length = fields[7], fields[8], fields[10]
            at += _CENTRAL.size
            member = bytes(data[at : at + length]).decode("utf-8")
            at += length
            if stored > len(data):
                raise damaged
            sizes[member], checksums[member] = stored, checksum
    except (struct.error, UnicodeDecodeError):
        raise damaged from None
    return sizes, checksums


def _crc32(pieces: Iterable[bytes | memoryview]) -> int:
    checksum = 0
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
    return checksum


def _skeleton(members: Mapping[str, tuple[int, int]]) -> tuple[list[bytes], list[int], int]:
    """All bytes but the members': those before each and behind the last; where each starts; the size of all."""
    pieces: list[bytes] = []
    starts: list[int] = []
    directory = b""
    at = 0
    for name, (size, checksum) in members.items():
        text = name.encode("utf-8")
        unpadded = at + _LOCAL.size + len(text) + _PADDING.size
        padding = -unpadded % ALIGNMENT
        extra = _PADDING.pack(_ALIGN_ID, padding) + bytes(padding)
        common = (_VERSION, _UTF8, _STORED, _MIDNIGHT, _FIRST_DAY, checksum, size & LARGEST, size & LARGEST, len(text))
        pieces.append(_LOCAL.pack(b"PK\x03\x04", *common, len(extra)) + text + extra)
        directory += _CENTRAL.pack(b"PK\x01\x02", _VERSION, *common, 0, 0, 0, 0, 0, at & LARGEST) + text
        starts.append(at + len(pieces[-1]))
        at = starts[-1] + size
    end = _END.pack(b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), at & LARGEST, 0)
    pieces.append(directory + end)
    return pieces, starts, at + len(pieces[-1])
