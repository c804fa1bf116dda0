"""The engine of perceptron models: a model's weights as arrays, and the decoder that scores with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rearc.features.fitting import check_fit
from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.files.tensors import Tensors
from rearc.parser.engine import Flat, Margins
from rearc.parser.header import Header
from rearc.parser.model import Model
from rearc.perceptron.beam import LinearBeam
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.weights import (
    TRANSITIONS,
    LabelWeights,
    Scorer,
    TypeWeights,
    pack_labels,
    pack_types,
)
from rearc.search.forest import Forest
from rearc.systems import State, System, traits
from rearc.systems import system as make_system
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.constraints.guard import Guard

# What makes scores logarithms of probabilities, found on dev of four treebanks. Covington's derivations have many more
# steps, each of which loses some probability.
SCALE, OF_LISTS = 3e-5, 1e-4


def weights_of(types: TypeLearner, labels: LabelLearner, prune: float = 0.0) -> Tensors:
    """What has been learnt, averaged and in 8 bits: the arrays of a model file."""
    return under("types.", pack_types(*types.average(), prune)) | under("labels.", pack_labels(labels.average(), prune))


def scorers_of(header: Header, weights: Tensors) -> tuple[TypeWeights, LabelWeights]:
    """The tables for parsing."""
    return TypeWeights(below("types.", weights)), LabelWeights(below("labels.", weights), len(header.labels))


def under(prefix: str, tensors: Tensors) -> Tensors:
    """The arrays with a prefix to their names."""
    return {prefix + name: array for name, array in tensors.items()}


def below(prefix: str, tensors: Tensors) -> Tensors:
    """Those with the prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in tensors.items() if name.startswith(prefix)}


def make_decoder(header: Header, types: Scorer, labels: Scorer) -> LinearDecoder:
    """The decoder of a model with these scorers."""
    templates = parse_templates(header.templates, "the templates")
    label_templates = parse_templates(header.label_templates, "the templates of labels")
    check_fit(templates, header.system)
    check_fit(label_templates, header.system, of_labels=True)
    return LinearDecoder(
        make_system(header.system, single_root=header.single_root),
        Program(templates, traits(header.system).from_top),
        Program(label_templates),
        types,
        labels,
        [label.of_root for label in header.labels],
        [label.of_word for label in header.labels],
        header.repairs_apart,
    )


def check_weights(header: Header, weights: Tensors) -> None:
    """ValueError unless the arrays have the types and shapes that the tables are made from."""
    if header.model != "perceptron":
        raise ValueError(f"a model of the kind {header.model!r}")
    if not header.labels:
        raise ValueError("a model without labels")
    if header.repairs_apart and not traits(header.system).repairs:
        raise ValueError(f"a model of {header.system} with repairs")
    check_arrays(weights)


def check_arrays(weights: Tensors) -> None:
    """ValueError unless they are the arrays of two linear models."""
    features, rows, cells = (len(weights.get(name, ())) for name in ("types.tags", "labels.tags", "labels.labels"))
    wanted: dict[str, tuple[Any, tuple[int, ...]]] = {
        "types.places": (np.uint8, (len(weights.get("types.places", ())),)),
        "types.tags": (np.uint32, (features,)),
        "types.codes": (np.int8, (features, TRANSITIONS)),
        "labels.places": (np.uint8, (len(weights.get("labels.places", ())),)),
        "labels.tags": (np.uint32, (rows,)),
        "labels.counts": (np.uint16, (rows,)),
        "labels.labels": (np.uint16, (cells,)),
        "labels.codes": (np.int8, (cells,)),
    }
    found = {name: (array.dtype, array.shape) for name, array in weights.items()}
    if found != wanted:
        shapes = ", ".join(f"{name} {kind}{list(shape)}" for name, (kind, shape) in sorted(found.items()))
        raise ValueError(f"the weights {shapes[:200] or 'none'}")


class LinearEngine:
    """The two linear models of a perceptron."""

    has_tagger = False
    has_second_pass = False  # it stands beside the engine
    unit = SCALE

    def __init__(self, model: Model) -> None:
        check_weights(model.header, model.weights)
        self.scale = OF_LISTS if traits(model.header.system).family == "covington" else SCALE
        self._encoder = TokenEncoder(model.clusters)
        self._decoder = make_decoder(model.header, *scorers_of(model.header, model.weights))

    @property
    def system(self) -> System:
        return self._decoder.system

    def parse(self, batch: list[Sentence], guard: Guard | None = None, known: NDArray[np.intc] | None = None) -> Flat:
        return *self._decoder.parse(*self._encoder.encode(batch), guard=guard, known=known), {}

    def label_scores(self, sentence: Sentence) -> NDArray[np.float32]:
        values, _ = self._encoder.encode([sentence])
        return self._decoder.label_scores(values, sentence.tree)

    def search(
        self,
        batch: list[Sentence],
        beams: Sequence[tuple[int, int]],
        scale: float,
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
    ) -> tuple[list[Forest], dict[str, list[str]], Margins]:
        words = self._encoder.encode(batch)
        found = [LinearBeam(self._decoder, size, scale).parse(*words, most, guard, known) for size, most in beams]
        return [Forest(*trees) for trees in found], {}, {}

    def tag(self, batch: list[Sentence], margins: Margins | None = None) -> dict[str, list[str]]:
        return {}

    def open(self, sentence: Sentence) -> LinearScored:
        return LinearScored(self._decoder, self._encoder.encode([sentence])[0])


class LinearScored:
    """The scores of one sentence."""

    def __init__(self, decoder: LinearDecoder, values: NDArray[np.uint32]) -> None:
        self._decoder, self._values = decoder, values

    def scores(self, state: State) -> tuple[NDArray[np.float32], int]:
        return self._decoder.scores(self._values, state)

    def label(self, state: State, head: int, dependent: int) -> int:
        return self._decoder.label(self._values, state, head, dependent)
