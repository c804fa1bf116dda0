"""A model's weights as arrays, and the decoder that scores with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.parser.header import Header
from rearc.parser.tensors import Tensors
from rearc.perceptron.decoder import Decoder
from rearc.perceptron.weights import (
    TRANSITIONS,
    LabelLearner,
    LabelWeights,
    Scorer,
    TypeLearner,
    TypeWeights,
    pack,
)
from rearc.systems import system as make_system


def weights_of(types: TypeLearner, labels: LabelLearner) -> Tensors:
    """What has been learnt, averaged and in 16 bits: the arrays of a model file."""
    tensors: Tensors = {}
    tensors["types.keys"], tensors["types.weights"] = pack(*types.average())
    tensors["labels.keys"], tensors["labels.weights"] = pack(*labels.average())
    return tensors


def scorers_of(weights: Tensors) -> tuple[TypeWeights, LabelWeights]:
    """The tables for parsing."""
    return (
        TypeWeights(weights["types.keys"], weights["types.weights"]),
        LabelWeights(weights["labels.keys"], weights["labels.weights"]),
    )


def make_decoder(header: Header, types: Scorer, labels: Scorer) -> Decoder:
    """The decoder of a model with these scorers."""
    return Decoder(
        make_system(header.system, single_root=header.single_root),
        Program(parse_templates(header.templates, "the templates")),
        Program(parse_templates(header.label_templates, "the templates of labels")),
        types,
        labels,
        [label.of_root for label in header.labels],
        [label.of_word for label in header.labels],
    )


def check_weights(header: Header, weights: Tensors) -> None:
    """ValueError unless the arrays have the types and shapes that the tables are made from."""
    if header.model != "perceptron":
        raise ValueError(f"a model of the kind {header.model!r}")
    if not header.labels:
        raise ValueError("a model without labels")
    wanted: dict[str, tuple[Any, ...]] = {}
    for part, columns in (("types", TRANSITIONS), ("labels", len(header.labels))):
        rows = len(weights.get(f"{part}.keys", ()))
        wanted[f"{part}.keys"] = (np.uint64, (rows,))
        wanted[f"{part}.weights"] = (np.int16, (rows, columns))
    found = {name: (array.dtype, array.shape) for name, array in weights.items()}
    if found != wanted:
        shapes = ", ".join(f"{name} {kind}{list(shape)}" for name, (kind, shape) in sorted(found.items()))
        raise ValueError(f"the weights {shapes[:200] or 'none'}")
