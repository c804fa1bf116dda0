"""What a model file keeps of a network beside its weights."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from rearc.neural.numpy_model import Network
from rearc.neural.scorers import is_pair_system, shifts_of, tables_of
from rearc.neural.shape import TAG_HIDDEN, Shape, decode_shape
from rearc.neural.vocabulary import Vocabulary, decode_vocabulary
from rearc.parser.header import Header
from rearc.parser.tensors import Tensors
from rearc.systems import system as make_system

LARGEST = 1 << 28  # bytes of JSON


def read_network(header: Header, data: bytes | memoryview, weights: Tensors) -> Network:
    """The network of a model file. ValueError says what is wrong with it."""
    if len(data) > LARGEST:
        raise ValueError(f"a network described by {len(data):,} bytes")
    content = network_about(data)
    return make_network(header, decode_shape(content["shape"]), decode_vocabulary(content["vocabulary"]), weights)


def network_about(data: bytes | memoryview) -> dict[str, Any]:
    """What a model file says of its network."""
    try:
        content = json.loads(bytes(data).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        raise ValueError("a network described by no JSON") from None
    if not isinstance(content, dict) or not {"shape", "vocabulary"} <= content.keys():
        raise ValueError("a network without a shape or a vocabulary")
    return content


def make_network(header: Header, shape: Shape, vocabulary: Vocabulary, weights: Tensors) -> Network:
    """A network with these weights, if they fit."""
    if not header.labels:
        raise ValueError("a model without labels")
    if shape.tagger and ((shape.upos and not vocabulary.upos) or (shape.feats and not vocabulary.feats)):
        raise ValueError("a tagger without tags")
    wanted = expected_shapes(header, shape, vocabulary, weights)
    found = {name: array.shape for name, array in weights.items()}
    if found != wanted or any(array.dtype != np.float32 for array in weights.values()):
        wrong = sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name))
        raise ValueError(f"a network whose weights do not fit: {', '.join(wrong)[:100] or 'of another type'}")
    system = make_system(header.system, single_root=header.single_root)
    masks = [[label.of_root for label in header.labels], [label.of_word for label in header.labels]]
    return Network(shape, vocabulary, masks, system, weights)


def expected_shapes(
    header: Header, shape: Shape, vocabulary: Vocabulary, weights: Tensors
) -> dict[str, tuple[int, ...]]:
    """The names and shapes of all weights."""
    shapes: dict[str, tuple[int, ...]] = {"words.weight": (len(vocabulary.words) + 1, shape.words)}

    def linear(name: str, rows: int, columns: int, bias: bool = True) -> None:
        shapes[f"{name}.weight"] = (rows, columns)
        if bias:
            shapes[f"{name}.bias"] = (rows,)

    def lstm(name: str, width: int, hidden: tuple[int, ...]) -> int:
        for k, size in enumerate(hidden):
            shapes[f"{name}.{k}.input"] = (2, width, 4 * size)
            shapes[f"{name}.{k}.recurrent"] = (2, size, 4 * size)
            shapes[f"{name}.{k}.bias"] = (2, 4 * size)
            width = 2 * size
        return width

    width = shape.words
    if vocabulary.vectors:
        rows = weights.get("vectors.weight")
        outside = rows.shape[1] if rows is not None and rows.ndim == 2 else 0
        shapes["vectors.weight"] = (len(vocabulary.vectors) + 1, outside)
        width += outside
    if shape.spelling:
        shapes["characters.weight"] = (len(vocabulary.characters) + 1, shape.characters)
        width += lstm("spelling", shape.characters, (shape.spelling,))
    tags = [(name, size) for name, size in (("upos", shape.upos), ("feats", shape.feats)) if size]
    for column, size in tags:
        shapes[f"{column}.weight"] = (len(getattr(vocabulary, column)) + 1, size)
    if shape.tagger:
        hidden = lstm("tagger", width, shape.tagger)
        linear("tag_hidden", TAG_HIDDEN, hidden)
        for column, _ in tags:
            linear(f"tag_{column}", len(getattr(vocabulary, column)), TAG_HIDDEN)
        width += hidden if shape.stacked else 0
    width = lstm("layers", width + shape.upos + shape.feats, shape.layers)
    shapes["root"] = (width,)
    if is_pair_system(header.system):
        linear("head", shape.pair, width)
        linear("dependent", shape.pair, width)
        shapes |= dict.fromkeys(tables_of(header.system), (shape.pair + 1, shape.pair + 1))
        shapes |= dict.fromkeys(shifts_of(header.system), (shape.pair + 1,))
    else:
        shapes["none"] = (width,)
        shapes["rows.weight"] = (len(shape.slots.split()) * shape.hidden, width)
        shapes["rows.bias"] = (shape.hidden,)
        linear("output", 4, shape.hidden)
    linear("label_head", shape.labels, width)
    linear("label_dependent", shape.labels, width, bias=False)
    linear("label_output", len(header.labels), shape.labels)
    return shapes
