"""Before a network is trained: every choice made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.neural.shape import PRESETS, Shape, preset
from rearc.neural.stack import parse_slots
from rearc.neural.vectors import read_vectors
from rearc.neural.vocabulary import Vocabulary, word_of
from rearc.parser.header import Header
from rearc.parser.model import Model
from rearc.parser.tensors import Tensors
from rearc.training.errors import TrainingError
from rearc.treebank import Sentence

LOSSES = ("best", "marginal", "margin")
SIZE = "base"
LOSS = "marginal"
RATE = 2e-3
BATCH = 250  # words, with what is filled up
LEAST_BATCHES = 20  # in an epoch: a small treebank has smaller batches
DROPOUT = 0.33
PATIENCE = 10


@dataclass(frozen=True)
class NetworkPlan:
    """What is chosen before a network is trained."""

    preset: str
    shape: Shape
    loss: str
    rate: float  # of learning
    batch: int  # words
    dropout: float
    patience: int  # epochs without a better one on dev
    vector_words: list[str]
    vectors: NDArray[np.float32]

    def about(self) -> dict[str, Any]:
        """What the model file says of it."""
        return {
            "preset": self.preset,
            "shape": self.shape.as_dict(),
            "loss": self.loss,
            "rate": self.rate,
            "batch": self.batch,
            "dropout": self.dropout,
        }

    def model(self, header: Header, vocabulary: Vocabulary, weights: Tensors) -> Model:
        content = {**self.about(), "vocabulary": vocabulary.as_dict()}
        data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        return Model(header, weights, network=data)


def check_network(size: str | None, loss: str | None, rate: float | None, slots: str | None) -> None:
    """Refuse what no treebank could make right."""
    if size is not None and size not in PRESETS:
        raise TrainingError(f"found size {size!r}, expected one of {', '.join(PRESETS)}")
    if loss is not None and loss not in LOSSES:
        raise TrainingError(f"found loss {loss!r}, expected one of {', '.join(LOSSES)}")
    if rate is not None and not 0 < rate < 1:
        raise TrainingError(f"found a learning rate of {rate:g}, expected a number between 0 and 1")
    if slots is not None:
        try:
            parse_slots(slots)
        except ValueError as error:
            raise TrainingError(str(error)) from None


def plan_network(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    size: str | None,
    loss: str | None,
    rate: float | None,
    slots: str | None,
    vectors: str | None,
    joint: bool,
) -> NetworkPlan:
    """Choose what is not chosen yet."""
    name = size or SIZE
    shape = preset(name, joint)
    if joint and not shape.tagger:
        raise TrainingError(f"found a tagger, expected none, as {name} has no tags; choose another size")
    if slots is not None:
        shape = replace(shape, slots=" ".join(slots.split()))
    shape = replace(shape, upos=shape.upos if _has(sentences, "upos") else 0)
    shape = replace(shape, feats=shape.feats if _has(sentences, "feats") else 0)
    if shape.tagger and not shape.upos:
        raise TrainingError(
            "found no UPOS in the treebank, expected some for a tagger to learn; train without one, "
            "or choose another size"
        )
    words: list[str] = []
    rows = np.zeros((0, 0), dtype=np.float32)
    if vectors is not None:
        words, rows = read_vectors(vectors, {word_of(form) for s in (*sentences, *dev) for form in s.forms})
    return NetworkPlan(
        preset=name,
        shape=shape,
        loss=loss or ("margin" if name == "paper-002" else LOSS),
        rate=rate or RATE,
        batch=min(BATCH, sum(map(len, sentences)) // LEAST_BATCHES + 1),
        dropout=DROPOUT,
        patience=PATIENCE,
        vector_words=words,
        vectors=rows,
    )


def _has(sentences: Sequence[Sentence], column: str) -> bool:
    return any(s._column(column) is not None for s in sentences)
