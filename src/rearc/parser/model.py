"""Model files: a header and weights, in and out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rearc.parser.container import read_container, write_container
from rearc.parser.errors import ModelError
from rearc.parser.header import VERSION, Header, decode_header
from rearc.parser.tensors import Tensors, decode_tensors, encode_tensors

HEADER, WEIGHTS = "header.json", "weights.safetensors"
EXPECTED = f"a model of the format version {VERSION}"
REMEDY = "train it again, or use the version of rearc that made it"


def write_model(file: str | os.PathLike[str], header: Header, weights: Mapping[str, NDArray[Any]]) -> None:
    """Write a model file; it appears under its name only when all of it is written."""
    write_container(file, {HEADER: [header.encode()], WEIGHTS: encode_tensors(weights)})


def read_model(file: str | os.PathLike[str]) -> tuple[Header, Tensors]:
    """The header and the weights in a model file, both checked."""
    name = os.fspath(file)
    members = read_container(name)
    if not {HEADER, WEIGHTS} <= members.keys():
        found = f"a zip file with {', '.join(map(repr, members)) or 'nothing in it'}"
        raise ModelError(name, found[:200], EXPECTED, "check the name of the file")
    try:
        return decode_header(members[HEADER]), decode_tensors(members[WEIGHTS])
    except ValueError as error:
        raise ModelError(name, str(error), EXPECTED, REMEDY) from None


def find_model(name: str | os.PathLike[str]) -> str:
    """The file of a model: a path, or the name of a model that comes with rearc."""
    path = os.fspath(name)
    if os.sep in path or path.endswith(".rearc") or Path(path).exists():
        return path
    bundled = Path(__file__).parent.parent / "data" / f"{path}.rearc"
    if bundled.is_file():
        return str(bundled)
    known = ", ".join(sorted(file.stem for file in bundled.parent.glob("*.rearc"))) or "none"
    raise ModelError(
        path, "no file of that name", f"a path, or a model that comes with rearc ({known})", "check the name"
    )
