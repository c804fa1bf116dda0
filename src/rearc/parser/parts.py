"""What a model file keeps beside the parser: a tagger, a segmenter. Each is a header and arrays in a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from rearc.files.tensors import Tensors, decode_tensors, encode_tensors
from rearc.parser.header import LARGEST_HEADER, refuse_constant
from rearc.parser.model import Pieces

HEADER, WEIGHTS = "header.json", "weights.safetensors"


class Part(Protocol):
    """What can be kept."""

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays, ready for JSON."""

    def tensors(self) -> Tensors:
        """The arrays, by name."""


def members_of(part: Part | None) -> dict[str, Pieces]:
    """What a model file keeps of it: names, and pieces of bytes."""
    if part is None:
        return {}
    header = json.dumps(part.header, ensure_ascii=False, separators=(",", ":"))
    return {HEADER: [header.encode("utf-8", "surrogatepass")], WEIGHTS: encode_tensors(part.tensors())}


def content_of(members: Mapping[str, Pieces], what: str) -> tuple[Any, Tensors]:
    """The header and the arrays again. ValueError says what is wrong."""
    if members.keys() != {HEADER, WEIGHTS}:
        raise ValueError(f"a {what} of {', '.join(map(repr, members))[:100]}")
    data = b"".join(members[HEADER])
    if len(data) > LARGEST_HEADER:
        raise ValueError(f"a header of a {what} of {len(data):,} bytes")
    try:
        header = json.loads(data.decode("utf-8", "surrogatepass"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise ValueError(f"a header of a {what} that is no JSON") from None
    (weights,) = members[WEIGHTS]
    return header, decode_tensors(weights)
