"""The network, described once: its parts in their order, and the names and shapes of their weights.

PyTorch's module is built from it, NumPy's network finds its weights by it, and what is in a model file is checked
against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from rearc.neural.pretrained import EncoderShape
from rearc.neural.scorers import classes_of, is_pair_system, shifts_of, tables_of
from rearc.neural.shape import Shape
from rearc.neural.vocabulary import Vocabulary, parts_of

Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Table:
    """A vector for each thing; the first is that of all unknown ones."""

    rows: int
    size: int
    learnt: bool = True  # or taken over from outside

    def shapes(self) -> Shapes:
        return {".weight": (self.rows, self.size)}


@dataclass(frozen=True)
class Linear:
    """A matrix, and what is added to the product."""

    inputs: int
    outputs: int
    bias: bool = True

    def shapes(self) -> Shapes:
        return {".weight": (self.outputs, self.inputs)} | ({".bias": (self.outputs,)} if self.bias else {})


@dataclass(frozen=True)
class Classes:
    """A matrix whose row of a class is its own and those of its parts together, so that rare classes learn from others
    that are partly the same."""

    inputs: int
    parts: tuple[tuple[int, ...], ...]  # of each class, by their numbers from 0

    def shapes(self) -> Shapes:
        different = 1 + max(chain.from_iterable(self.parts), default=-1)
        classes = len(self.parts)
        return {".weight": (classes, self.inputs), ".bias": (classes,), ".parts": (different, self.inputs)}


@dataclass(frozen=True)
class Slots:
    """A hidden layer over the words in some slots, cut into a block a slot: row s · hidden + k of the matrix is what a
    word in slot s gives to the hidden unit k."""

    inputs: int
    slots: int
    hidden: int

    def shapes(self) -> Shapes:
        return {".weight": (self.slots * self.hidden, self.inputs), ".bias": (self.hidden,)}


@dataclass(frozen=True)
class Layers:
    """Bidirectional LSTM layers, one on the other; the first axis of their weights is the direction."""

    inputs: int
    hidden: tuple[int, ...]  # of one direction of each layer
    dropout: bool = True  # before each, in training

    @property
    def width(self) -> int:
        """Of what comes out."""
        return 2 * self.hidden[-1]

    def shapes(self) -> Shapes:
        shapes: Shapes = {}
        width = self.inputs
        for k, size in enumerate(self.hidden):
            shapes[f".{k}.input"] = (2, width, 4 * size)
            shapes[f".{k}.recurrent"] = (2, size, 4 * size)
            shapes[f".{k}.bias"] = (2, 4 * size)
            width = 2 * size
        return shapes


@dataclass(frozen=True)
class Array:
    """Numbers of their own."""

    shape: tuple[int, ...]
    noise: bool  # whether training begins with noise, or with zeros

    def shapes(self) -> Shapes:
        return {"": self.shape}


@dataclass(frozen=True)
class Transformer:
    """A pretrained encoder."""

    shape: EncoderShape

    def shapes(self) -> Shapes:
        return self.shape.shapes()


Part = Table | Linear | Classes | Slots | Layers | Array | Transformer
Parts = dict[str, Part]


@dataclass(frozen=True)
class Sizes:
    """Of what a network knows."""

    words: int
    vectors: tuple[int, int]  # words with a vector from outside, and its length
    characters: int
    affixes: int
    upos: int
    xpos: int
    feats: int
    labels: int
    classes: Mapping[str, tuple[tuple[int, ...], ...]]  # of the columns to predict: the parts of each of their classes
    encoder: EncoderShape | None = None


def sizes_of(
    vocabulary: Vocabulary, columns: Sequence[str], labels: int, vector: int, encoder: EncoderShape | None = None
) -> Sizes:
    """The sizes of a vocabulary, with these columns to predict and vectors from outside of this length."""
    v = vocabulary
    return Sizes(
        words=len(v.words),
        vectors=(len(v.vectors), vector),
        characters=len(v.characters),
        affixes=len(v.affixes),
        upos=len(v.upos),
        xpos=len(v.xpos),
        feats=len(v.feats),
        labels=labels,
        classes={column: _parts(column, v.column(column)) for column in columns},
        encoder=encoder,
    )


def _parts(column: str, tags: Iterable[str]) -> tuple[tuple[int, ...], ...]:
    """The parts of each tag, numbered as they come."""
    numbers: dict[str, int] = {}
    return tuple(
        tuple(numbers.setdefault(part, len(numbers)) for part in dict.fromkeys(parts_of(column, tag))) for tag in tags
    )


@dataclass(frozen=True)
class Description:
    """A network's parts by their names: those that make vectors of words, score transitions, label arcs, and
    score them for a second pass."""

    shape: Shape
    system: str
    encoder: Parts
    scorer: Parts
    labeller: Parts
    repairer: Parts

    def shapes(self) -> Shapes:
        """The names of all weights, as in a model file, and their shapes."""
        return {name + end: shape for name, part in self._parts() for end, shape in part.shapes().items()}

    def _parts(self) -> Iterator[tuple[str, Part]]:
        return chain.from_iterable(group.items() for group in (self.encoder, self.scorer, self.labeller, self.repairer))

    def linear(self) -> list[str]:
        """The names of the layers that are a matrix and, most of them, a bias."""
        return [name for name, part in self._parts() if isinstance(part, Linear)]

    def tables(self) -> set[str]:
        """The names of the weights that are vectors of things."""
        return {f"{name}.weight" for name, part in self._parts() if isinstance(part, Table)}

    def classes(self) -> dict[str, Classes]:
        """The layers whose classes share parts."""
        return {name: part for name, part in self._parts() if isinstance(part, Classes)}


def describe(shape: Shape, sizes: Sizes, system: str) -> Description:
    """The network of this shape for a system and a vocabulary."""
    encoder, width = _encoder(shape, sizes)
    scorer = _pair_scorer(shape, system, width) if is_pair_system(system) else _stack_scorer(shape, system, width)
    labeller: Parts = {
        "label_head": Linear(width, shape.labels),
        "label_dependent": Linear(width, shape.labels, bias=False),
        "label_output": Linear(shape.labels, sizes.labels),
    }
    return Description(shape, system, encoder, scorer, labeller, _repairer(shape, width) if shape.repair else {})


def _encoder(shape: Shape, sizes: Sizes) -> tuple[Parts, int]:
    """Words to vectors, and how long these are."""
    parts: Parts = {}
    width = shape.words
    if shape.words:
        parts["words"] = Table(sizes.words + 1, shape.words)
    if sizes.vectors[0]:
        parts["vectors"] = Table(sizes.vectors[0] + 1, sizes.vectors[1], learnt=False)
        width += sizes.vectors[1]
    if shape.spelling:
        parts["characters"] = Table(sizes.characters + 1, shape.characters)
        parts["spelling"] = spelling = Layers(shape.characters, (shape.spelling,), dropout=False)
        width += spelling.width
    if shape.affixes:
        parts["affixes"] = Table(sizes.affixes + 1, shape.affixes)
        width += shape.affixes
    if shape.encoder:
        assert sizes.encoder is not None
        parts["encoder"] = Transformer(sizes.encoder)
        width += shape.encoder
    for column in shape.seen:
        parts[column] = Table(getattr(sizes, column) + 1, getattr(shape, column))
    if shape.columns:
        seen = width
        if shape.tagger:
            parts["tagger"] = tagger = Layers(width, shape.tagger)
            seen = tagger.width + (width if shape.stacked else 0)
        parts["tag_hidden"] = Linear(seen, shape.tags)
        for column in shape.columns:
            parts[f"tag_{column}"] = _head(shape.tags, sizes.classes[column])
        width += tagger.width if shape.tagger and shape.stacked else 0
    width += shape.upos + shape.xpos + shape.feats
    if not shape.layers:
        return parts, width
    parts["layers"] = layers = Layers(width, shape.layers)
    return parts, layers.width


def _head(hidden: int, classes: tuple[tuple[int, ...], ...]) -> Part:
    """Of one column."""
    return Classes(hidden, classes) if any(classes) else Linear(hidden, len(classes))


def _pair_scorer(shape: Shape, system: str, width: int) -> Parts:
    """Arcs, no-arcs and shifts from pairs of words (Qi & Manning 2017)."""
    size = shape.pair + 1  # a one behind each vector lets words count by themselves
    return {
        "root": Array((width,), noise=True),
        "head": Linear(width, shape.pair),
        "dependent": Linear(width, shape.pair),
        **{name: Array((size, size), noise=False) for name in tables_of(system)},
        **{name: Array((size,), noise=False) for name in shifts_of(system)},
    }


def _repairer(shape: Shape, width: int) -> Parts:
    """Each word on each head."""
    size = shape.repair + 1
    return {
        "repair_head": Linear(width, shape.repair),
        "repair_dependent": Linear(width, shape.repair),
        "repair_pairs": Array((size, size), noise=False),
    }


def _stack_scorer(shape: Shape, system: str, width: int) -> Parts:
    """A hidden layer over the top of the stack and the front of the buffer (Kiperwasser & Goldberg 2016)."""
    return {
        "root": Array((width,), noise=True),
        "none": Array((width,), noise=True),
        "rows": Slots(width, len(shape.slots.split()), shape.hidden),
        "output": Linear(shape.hidden, classes_of(system)),
    }
