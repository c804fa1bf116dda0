"""What a model file keeps of a network beside its weights."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import numpy as np

from rearc.files.tensors import Tensors
from rearc.neural.description import describe, sizes_of
from rearc.neural.numpy_model import Network
from rearc.neural.pretrained import EncoderShape, decode_encoder
from rearc.neural.shape import Shape, decode_shape
from rearc.neural.storing import unpack
from rearc.neural.subwords import Subwords
from rearc.neural.vocabulary import Vocabulary, decode_vocabulary
from rearc.neural.votes import read_votes
from rearc.parser.header import UNWRITABLE, Header
from rearc.parser.model import Model
from rearc.parser.parts import content_of
from rearc.systems import system as make_system
from rearc.tagger.rules import compile_rule

LARGEST = 1 << 28  # bytes of JSON


def network_of(model: Model) -> Network:
    """The network of a model file. ValueError says what is wrong with it."""
    data = model.network
    if data is None or len(data) > LARGEST:
        raise ValueError(f"a network described by {len(data or ()):,} bytes")
    content = network_about(data)
    shape, vocabulary = decode_shape(content["shape"]), decode_vocabulary(content["vocabulary"])
    encoder = decode_encoder(content["encoder"]) if content.get("encoder") is not None else None
    network = make_network(model.header, shape, vocabulary, model.weights, encoder)
    if model.votes:
        network.vote_with(read_votes(*content_of(model.votes, "second tagger"), shape.columns))
    return network


def network_about(data: bytes | memoryview) -> dict[str, Any]:
    """What a model file says of its network."""
    try:
        content = json.loads(bytes(data).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        raise ValueError("a network described by no JSON") from None
    if not isinstance(content, dict) or not {"shape", "vocabulary"} <= content.keys():
        raise ValueError("a network without a shape or a vocabulary")
    return content


def make_network(
    header: Header,
    shape: Shape,
    vocabulary: Vocabulary,
    stored: Tensors,
    encoder: tuple[EncoderShape, Subwords] | None = None,
) -> Network:
    """A network with these weights, if they fit."""
    if not header.labels:
        raise ValueError("a model without labels")
    for column in shape.columns:
        _check_tags(column, vocabulary.column(column))
    unused = [column for column in ("xpos", "lemmas") if column not in (*shape.columns, *shape.seen)]
    if any(vocabulary.column(name) for name in (*unused, *([] if shape.affixes else ["affixes"]))):
        raise ValueError("a vocabulary of what the network does not look at")
    if shape.columns and not set(shape.seen) <= set(shape.columns):
        raise ValueError("a parser that looks at tags which its tagger does not predict")
    pretrained, subwords = encoder or (None, None)
    if shape.encoder != (pretrained.size if pretrained else 0):
        raise ValueError("a network without the encoder that its shape has, or the other way round")
    weights = unpack(stored)
    rows = weights.get("vectors.weight")
    vector = rows.shape[1] if rows is not None and rows.ndim == 2 else 0
    sizes = sizes_of(vocabulary, shape.columns, len(header.labels), vector, pretrained)
    description = describe(shape, sizes, header.system)
    wanted = description.shapes()
    found = {name: array.shape for name, array in weights.items()}
    if found != wanted or any(array.dtype != np.float32 for array in weights.values()):
        wrong = sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name))
        raise ValueError(f"a network whose weights do not fit: {', '.join(wrong)[:100] or 'of another type'}")
    system = make_system(header.system, single_root=header.single_root)
    masks = [[label.of_root for label in header.labels], [label.of_word for label in header.labels]]
    return Network(description, vocabulary, masks, system, weights, subwords)


def _check_tags(column: str, tags: Collection[str]) -> None:
    """Refuse a column of a tagger that has no classes, or classes that cannot be written."""
    if not tags:
        raise ValueError("a tagger without tags")
    if any(not tag or UNWRITABLE.search(tag) for tag in tags):
        raise ValueError("a tagger with tags that cannot be written")
    if column == "lemmas":
        for rule in tags:
            try:
                compile_rule(rule)
            except ValueError:
                raise ValueError(f"a tagger with the lemma rule {rule[:40]!r}") from None
