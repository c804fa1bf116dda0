"""Before a network is trained: every choice made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rearc.files.tensors import Tensors
from rearc.neural.shape import COLUMNS, Shape, preset
from rearc.neural.stack import parse_slots
from rearc.neural.vectors import read_vectors
from rearc.neural.vocabulary import Vocabulary, word_of
from rearc.parser.header import Header
from rearc.parser.model import Model
from rearc.training.defaults import choose_batch, choose_encoder_rate, choose_size, xpos_in_place_of_feats
from rearc.training.errors import OptionError, TrainingError
from rearc.training.options import RATE, Options
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.neural.encoder import LoadedEncoder  # which takes PyTorch to import

DROPOUT, DROPOUT_TINY = 0.33, 0.2  # a narrow network can spare less
PATIENCE = 10  # epochs, and at least a quarter of all


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
    tuned: bool  # whether the vectors from outside are trained on
    vector_words: list[str]
    vectors: NDArray[np.float32]
    encoder: LoadedEncoder | None = None
    encoder_rate: float = 0.0  # of learning

    def about(self) -> dict[str, Any]:
        """What the model file says of it."""
        return {
            "preset": self.preset,
            "shape": self.shape.as_dict(),
            "loss": self.loss,
            "rate": self.rate,
            "batch": self.batch,
            "dropout": self.dropout,
            **({"tuned": True} if self.tuned else {}),
            **({"encoder_rate": self.encoder_rate} if self.encoder else {}),
        }

    def model(self, header: Header, vocabulary: Vocabulary, weights: Tensors) -> Model:
        content = {**self.about(), "vocabulary": vocabulary.as_dict()}
        if self.encoder is not None:
            content["encoder"] = self.encoder.about()
        data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        return Model(header, weights, network=data)


def check_network(options: Options) -> None:
    """Refuse what no treebank could make right."""
    if options.slots is not None:
        try:
            parse_slots(options.slots)
        except ValueError as error:
            raise OptionError("slots", options.slots, str(error).partition("expected ")[2]) from None


def plan_network(sentences: Sequence[Sentence], dev: Sequence[Sentence], options: Options) -> NetworkPlan:
    """Choose what is not chosen yet."""
    words_to_learn = sum(map(len, sentences))
    name = options.size or choose_size(words_to_learn)
    shape = preset(name, bool(options.tagger))
    if options.tagger and not shape.columns:
        raise OptionError("tagger", True, f"none, as {name} has no tags; choose another size")
    joint = bool(shape.columns)
    if options.slots is not None:
        shape = replace(shape, slots=" ".join(options.slots.split()))
    wanted = options.columns.split(",") if options.columns else COLUMNS
    there = [column for column in COLUMNS if _has(sentences, column)]
    shape = replace(shape, columns=tuple(name for name in shape.columns if name in there and name in wanted))
    seen = shape.columns if joint else there
    if "xpos" in seen and xpos_in_place_of_feats(sentences):
        shape = replace(shape, xpos=shape.feats)
    shape = replace(shape, upos=shape.upos if "upos" in seen else 0, feats=shape.feats if "feats" in seen else 0)
    if joint and not shape.upos:
        raise TrainingError(
            "found no UPOS in the sentences that are not left out, expected some for a tagger to learn from; "
            "train without one (--no-tagger)"
        )
    if options.second_pass:
        shape = replace(shape, repair=shape.pair)
    encoder = None
    if options.encoder is not None:
        from rearc.neural.encoder import load_encoder

        encoder = load_encoder(str(options.encoder))
        shape = replace(shape, encoder=encoder.shape.size)
    words: list[str] = []
    rows = np.zeros((0, 0), dtype=np.float32)
    if options.vectors is not None:
        needed = {word_of(form) for s in (*sentences, *dev) for form in s.forms}
        words, rows = read_vectors(str(options.vectors), needed, options.frequent_vectors)
    return NetworkPlan(
        preset=name,
        shape=shape,
        loss=options.loss or ("margin" if name == "paper-002" else "marginal"),
        rate=options.rate or RATE,
        batch=choose_batch(words_to_learn),
        dropout=DROPOUT_TINY if name == "tiny" else DROPOUT,
        patience=max(PATIENCE, (options.epochs or 0) // 4),
        tuned=options.tune_vectors and options.vectors is not None,
        vector_words=words,
        vectors=rows,
        encoder=encoder,
        encoder_rate=options.encoder_rate or (choose_encoder_rate(encoder.shape.size) if encoder else 0.0),
    )


def _has(sentences: Sequence[Sentence], column: str) -> bool:
    return any(s._column(column) is not None for s in sentences)
