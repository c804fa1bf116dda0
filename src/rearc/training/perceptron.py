"""The averaged perceptron in the making."""

from __future__ import annotations

import random
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.features.tokens import TokenEncoder
from rearc.files.tensors import Tensors
from rearc.oracles import oracle
from rearc.parser.model import Model
from rearc.parser.perceptron import below, make_decoder, scorers_of, under, weights_of
from rearc.perceptron.beam import LinearBeam
from rearc.perceptron.beam_learner import BeamLearner
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.learner import TransitionLearner
from rearc.search.forest import Forest
from rearc.training.corpus import Encoded, encode
from rearc.training.plan import Plan
from rearc.training.trainer import Numbers, Trainer
from rearc.treebank import Sentence

PIECE = 32  # sentences between two looks at whether to stop


class PerceptronTrainer(Trainer):
    """Two linear models, of transitions and of labels."""

    def __init__(self, plan: Plan, dev: list[Sentence] | None, epochs: int) -> None:
        super().__init__(plan, dev, epochs)
        header = self.header
        encoder = TokenEncoder(plan.clusters)
        self.train: Encoded = encode(plan.sentences, header.labels, encoder)
        self._dev_words = encoder.encode(dev) if dev else None
        self.types, self.labels = TypeLearner(), LabelLearner(len(header.labels))
        decoder = make_decoder(header, self.types, self.labels)
        self.learner = TransitionLearner(decoder, header.seed)
        self._for_beam = BeamLearner(decoder, header.beam) if header.beam > 1 else None
        self.judge = oracle(header.system, header.oracle, [0, 0], single_root=header.single_root)
        self.counts |= {"label_mistakes": 0}

    def pieces(self) -> list[Numbers]:
        order = list(range(self.sentences))
        random.Random(f"{self.header.seed} {self.epoch}").shuffle(order)
        numbers = np.array(order, dtype=np.int64)
        return [numbers[k : k + PIECE] for k in range(0, len(numbers), PIECE)]

    def learn_piece(self, which: Numbers, explore: float, taken: NDArray[np.intc] | None = None) -> None:
        """taken: gets the transitions that a greedy learner takes, as `TransitionLearner.epoch` says."""
        train = self.train
        sentences = (train.values, train.offsets, train.heads, train.labels, train.tree_offsets, which)
        if self._for_beam:
            counts = self._for_beam.epoch(self.judge, *sentences)
        else:
            counts = self.learner.epoch(self.judge, *sentences, explore, taken=taken)
        for name, count in zip(("transitions", "mistakes", "label_mistakes"), counts, strict=True):
            self.counts[name] += count

    def weights(self) -> Tensors:
        return weights_of(self.types, self.labels, self.header.prune)

    def dev_scores(self, weights: Tensors) -> dict[str, float]:
        assert self.dev is not None
        assert self._dev_words is not None
        decoder = make_decoder(self.header, *scorers_of(self.header, weights))
        if self.header.beam > 1:
            found = Forest(*LinearBeam(decoder, self.header.beam, 0.0).parse(*self._dev_words))
            return self.dev.score(found.heads, found.labels, self.header)
        return self.dev.score(*decoder.parse(*self._dev_words), self.header)

    def report(self) -> dict[str, Any]:
        return {
            "label_mistakes": self.counts["label_mistakes"],
            "features": self.types.used,
            "label_features": self.labels.used,
            "memory": self.types.nbytes + self.labels.nbytes,  # bytes of the tables
        }

    def model(self, weights: Tensors) -> Model:
        return Model(self.header, weights, self.plan.clusters)

    def settings(self) -> dict[str, Any]:
        return {"tags": zlib.crc32(self.train.values.data)}  # which may be predicted, by taggers of any kind

    def state(self) -> tuple[dict[str, Any], Tensors]:
        tensors = under("types.", self.types.state()) | under("labels.", self.labels.state())
        return {"random": self.learner.random, "steps": [self.types.steps, self.labels.steps]}, tensors

    def restore(self, state: dict[str, Any], tensors: Tensors) -> None:
        self.types.restore(below("types.", tensors), state["steps"][0])
        self.labels.restore(below("labels.", tensors), state["steps"][1])
        self.learner.random = state["random"]
