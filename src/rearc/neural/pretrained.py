"""A pretrained encoder at work, in NumPy and compiled code: transformers of BERT's kind.

Sub-words are added up with their places, and go through layers of attention and products; what comes out is a learnt
mix of all layers. Each row of it is the same bits in any company (rearc.neural.product, transformer.h).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from rearc.neural.lstm import Floats
from rearc.neural.product import Packed, product
from rearc.neural.subwords import Layout, Subwords
from rearc.neural.transformer import ACTIVATIONS, activate, add_and_norm, attend, means

CHUNK = 512  # sub-words, and a window more, that go through all layers at a time; no bit depends on it
LARGEST = {"rows": 1 << 21, "positions": 1 << 16, "size": 4096, "inner": 1 << 15, "layers": 128, "heads": 256}
LEAST_POSITIONS = 16


@dataclass(frozen=True)
class EncoderShape:
    """The sizes of a pretrained encoder."""

    rows: int  # sub-words
    positions: int  # places in a window, with what stands before and behind it
    narrow: int  # vectors of sub-words, where a product widens them; else 0
    size: int  # all other vectors
    inner: int  # between the two products of a layer
    layers: int
    heads: int
    epsilon: float  # of norms
    activation: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The names of the weights, and their shapes."""
        first = self.narrow or self.size
        shapes: dict[str, tuple[int, ...]] = {
            ".subwords": (self.rows, first),
            ".positions": (self.positions, first),
            **norm("", first),
            ".mix": (self.layers + 1,),
        }
        if self.narrow:
            shapes |= linear(".widen", first, self.size)
        for k in range(self.layers):
            shapes |= linear(f".{k}.attention", self.size, 3 * self.size)
            shapes |= linear(f".{k}.output", self.size, self.size)
            shapes |= norm(f".{k}.output", self.size)
            shapes |= linear(f".{k}.inner", self.size, self.inner)
            shapes |= linear(f".{k}.outer", self.inner, self.size)
            shapes |= norm(f".{k}.outer", self.size)
        return shapes


def linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def norm(name: str, size: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.norm.weight": (size,), f"{name}.norm.bias": (size,)}


def decode_encoder(content: Any) -> tuple[EncoderShape, Subwords]:
    """What a model file says of its encoder. ValueError says what is wrong with it."""
    strange = ValueError(f"an encoder of the shape {str(content)[:100]}")
    if not isinstance(content, dict) or content.keys() != {"shape", "tokenizer", "first", "last", "unknown"}:
        raise strange
    shape = content["shape"]
    if not isinstance(shape, dict) or shape.keys() != {entry.name for entry in fields(EncoderShape)}:
        raise strange
    for name, largest in {**LARGEST, "narrow": LARGEST["size"]}.items():
        if type(shape[name]) is not int or not (name != "narrow") <= shape[name] <= largest:
            raise strange
    if type(shape["epsilon"]) is not float or not 0 < shape["epsilon"] < 1 or shape["activation"] not in ACTIVATIONS:
        raise strange
    if shape["size"] % shape["heads"] or shape["positions"] < LEAST_POSITIONS:
        raise strange
    first, last, unknown = (content[name] for name in ("first", "last", "unknown"))
    if any(type(number) is not int or number < 0 for number in (first, last, unknown)):
        raise strange
    if not isinstance(content["tokenizer"], dict):
        raise strange
    found = EncoderShape(**shape)
    return found, Subwords(content["tokenizer"], first, last, unknown, found.rows, found.positions)


class Pretrained:
    """An encoder with its weights. It serves any number of threads at a time."""

    def __init__(self, shape: EncoderShape, subwords: Subwords, weights: Mapping[str, Floats]) -> None:
        """weights: by their names in the shape, without the first dot."""
        self.shape, self.subwords = shape, subwords
        self._w = {name: np.ascontiguousarray(array) for name, array in weights.items()}

        def packed(name: str) -> Packed:
            return Packed(self._w.pop(f"{name}.weight").T, self._w.pop(f"{name}.bias"))

        self._widen = packed("widen") if shape.narrow else None
        self._layers = [
            {part: packed(f"{k}.{part}") for part in ("attention", "output", "inner", "outer")}
            for k in range(shape.layers)
        ]

    def vectors(self, sentences: Sequence[Sequence[str]]) -> Floats:
        """A vector for each word of all sentences."""
        layout = self.subwords.layout([[self.subwords.of(form) for form in forms] for forms in sentences])
        mixed = np.empty((len(layout.numbers), self.shape.size), dtype=np.float32)
        first = 0
        for last in range(1, len(layout.starts)):
            begin, end = int(layout.starts[first]), int(layout.starts[last])
            if end - begin >= CHUNK or last == len(layout.starts) - 1:
                self._run(layout, first, last, mixed[begin:end])
                first = last
        return means(mixed, layout.places, layout.words)

    def _run(self, layout: Layout, first: int, last: int, mixed: Floats) -> None:
        """Some windows through all layers."""
        w, epsilon = self._w, self.shape.epsilon
        starts = layout.starts[first : last + 1] - layout.starts[first]
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))
        rows = w["subwords"][layout.numbers[layout.starts[first] : layout.starts[last]]] + w["positions"][within]
        add_and_norm(rows, None, w["norm.weight"], w["norm.bias"], epsilon)
        if self._widen is not None:
            rows = product(rows, self._widen)
        np.multiply(rows, w["mix"][0], out=mixed)
        for k, layer in enumerate(self._layers):
            seen = product(attend(product(rows, layer["attention"]), starts, self.shape.heads), layer["output"])
            add_and_norm(rows, seen, w[f"{k}.output.norm.weight"], w[f"{k}.output.norm.bias"], epsilon)
            inner = product(rows, layer["inner"])
            activate(inner, self.shape.activation)
            add_and_norm(
                rows, product(inner, layer["outer"]), w[f"{k}.outer.norm.weight"], w[f"{k}.outer.norm.bias"], epsilon
            )
            mixed += rows * w["mix"][k + 1]
