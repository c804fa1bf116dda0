"""Arrays as safetensors: a size, a JSON table, the bytes. Reading copies nothing and runs no code."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tensors = dict[str, NDArray[Any]]

_TYPES = {
    "U8": "<u1", "I8": "<i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8", "I64": "<i8",
    "F16": "<f2", "F32": "<f4", "F64": "<f8",
}  # fmt: skip
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}
_LARGEST_TABLE = 1 << 20


def encode_tensors(tensors: Mapping[str, NDArray[Any]]) -> list[bytes | memoryview]:
    """The pieces of a safetensors file with these arrays; the same arrays give the same bytes.

    >>> decode_tensors(b"".join(encode_tensors({"a": np.arange(3, dtype=np.int16)})))["a"]
    array([0, 1, 2], dtype=int16)
    """
    table: dict[str, dict[str, Any]] = {}
    pieces: list[bytes | memoryview] = [b""]
    at = 0
    # the largest items first, so that each array lies as the machine wants it
    for name in sorted(tensors, key=lambda name: (-tensors[name].itemsize, name)):
        code = _NAMES[tensors[name].dtype.newbyteorder("<")]
        array = np.ascontiguousarray(tensors[name], dtype=_TYPES[code])
        table[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        pieces.append(array.reshape(-1).view(np.uint8).data)
        at += array.nbytes
    text = json.dumps(table, separators=(",", ":")).encode()
    text += b" " * ((56 - len(text)) % 64)  # with the size before it, the arrays begin at a multiple of 64
    pieces[0] = len(text).to_bytes(8, "little") + text
    return pieces


def decode_tensors(data: bytes | bytearray | memoryview) -> Tensors:
    """The arrays, as views of the data. ValueError says what is wrong."""
    view = memoryview(data).cast("B")
    if len(view) < 8:
        raise ValueError(f"{len(view)} bytes of tensors")
    size = int.from_bytes(view[:8], "little")
    if size > min(len(view) - 8, _LARGEST_TABLE):
        raise ValueError(f"a table of {size:,} bytes for {len(view):,} bytes of tensors")
    try:
        table = json.loads(bytes(view[8 : 8 + size]))
    except RecursionError:
        raise ValueError("a table of tensors nested too deep") from None
    if not isinstance(table, dict):
        raise ValueError("a table of tensors that is no object")
    table.pop("__metadata__", None)
    body = view[8 + size :]
    tensors: Tensors = {}
    at = 0
    for name, entry in sorted(table.items(), key=lambda item: _offsets(*item)):
        begin, end = _offsets(name, entry)
        shape, code = entry.get("shape"), _TYPES.get(str(entry.get("dtype")))
        if code is None or not _is_shape(shape):
            raise ValueError(f"the tensor {name!r} of no known type and shape")
        if begin != at or end > len(body) or end - begin != math.prod(shape) * np.dtype(code).itemsize:
            raise ValueError(f"the tensor {name!r} with the bytes {begin} to {end} of {len(body)}")
        array = np.frombuffer(body[begin:end], dtype=code).reshape(shape)
        tensors[name] = array if array.flags.aligned else array.copy()
        at = end
    if at != len(body):
        raise ValueError(f"{len(body) - at:,} bytes that belong to no tensor")
    return tensors


def _is_shape(shape: Any) -> bool:
    return isinstance(shape, list) and len(shape) <= 8 and all(type(k) is int and k >= 0 for k in shape)


def _offsets(name: str, entry: Any) -> tuple[int, int]:
    offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
    if not (isinstance(offsets, list) and len(offsets) == 2 and all(type(k) is int for k in offsets)):
        raise ValueError(f"the tensor {name!r} without data_offsets")
    return offsets[0], offsets[1]
