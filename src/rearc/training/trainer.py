"""Learning, a piece of an epoch at a time, so that it can be watched, stopped and taken up again."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.evaluation.ratio import percent
from rearc.features.tokens import Encoder
from rearc.oracles import oracle
from rearc.parser.header import Header
from rearc.parser.model import Model
from rearc.parser.parser import Parser
from rearc.parser.scoring import make_decoder, scorers_of, weights_of
from rearc.parser.tensors import Tensors
from rearc.perceptron.learner import Learner
from rearc.perceptron.weights import LabelLearner, TypeLearner
from rearc.training.corpus import Encoded, encode
from rearc.training.plan import Plan
from rearc.treebank import Sentence
from rearc.treebank.pseudoprojective import ENCODINGS, deprojectivise_tree

PIECE = 32  # sentences between two looks at whether to stop


@dataclass(frozen=True)
class Epoch:
    """What an epoch came to: a line of the log."""

    epoch: int
    transitions: int
    mistakes: int  # transitions predicted that were not optimal
    label_mistakes: int
    features: int
    label_features: int
    memory: int  # bytes of the tables
    seconds: float
    uas: float | None  # on dev, with averaged weights
    las: float | None
    best: bool  # of all so far

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Best:
    """The weights that parsed dev best; without dev the latest."""

    epoch: int
    scores: dict[str, float]
    weights: Tensors


class Dev:
    """Sentences to score on."""

    def __init__(self, sentences: list[Sentence], header: Header, encoder: Encoder) -> None:
        encoded = encode(sentences, header.labels, encoder)
        self.values, self.offsets = encoded.values, encoded.offsets
        self.starts = np.cumsum([0, *map(len, sentences)])
        self.heads = np.concatenate([s.tree[1:] for s in sentences])
        self.labels = np.array([label for s in sentences for label in s.deprels], dtype=object)

    def scores(self, header: Header, weights: Tensors) -> dict[str, float]:
        """UAS and LAS over all words, in percent."""
        heads, numbers = make_decoder(header, *scorers_of(header, weights)).parse(self.values, self.offsets)
        labels = np.array([label.name for label in header.labels], dtype=object)[numbers]
        if header.non_projective in ENCODINGS:
            for start, stop in zip(self.starts, self.starts[1:], strict=False):
                tree = deprojectivise_tree([0, *heads[start:stop]], ["", *labels[start:stop]], header.non_projective)
                heads[start:stop], labels[start:stop] = tree.heads[1:], tree.labels[1:]
        right = heads == self.heads
        both = right & (labels == self.labels)
        return {"uas": percent(int(right.sum()), len(right)), "las": percent(int(both.sum()), len(right))}


class Trainer:
    """A model in the making. Everything that the result depends on is in `state()`."""

    def __init__(self, plan: Plan, dev: list[Sentence] | None) -> None:
        self.plan = plan
        self.header = header = plan.header
        encoder = Encoder(plan.clusters)
        self.train: Encoded = encode(plan.sentences, header.labels, encoder)
        self.dev = Dev(dev, header, encoder) if dev else None
        self.types, self.labels = TypeLearner(), LabelLearner(len(header.labels))
        self.learner = Learner(make_decoder(header, self.types, self.labels), header.seed)
        self.judge = oracle(header.system, header.oracle, [0, 0], single_root=header.single_root)
        self.epoch = 0  # finished
        self.position = 0  # sentences of the next one that are learnt already
        self.counts = [0, 0, 0]
        self.seconds = 0.0
        self.history: list[Epoch] = []
        self.best: Best | None = None
        self._order: NDArray[np.int64] | None = None

    def learn(self) -> bool:
        """Learn the next piece; False where the epoch is at its end."""
        if self._order is None:
            order = list(range(len(self.train)))
            random.Random(f"{self.header.seed} {self.epoch}").shuffle(order)
            self._order = np.array(order, dtype=np.int64)
        after, probability = self.header.policy
        begin = time.monotonic()
        counts = self.learner.epoch(
            self.judge,
            self.train.values,
            self.train.offsets,
            self.train.heads,
            self.train.labels,
            self.train.tree_offsets,
            self._order[self.position : self.position + PIECE],
            probability if self.epoch >= after else 0.0,
        )
        self.seconds += time.monotonic() - begin
        self.counts = [a + b for a, b in zip(self.counts, counts, strict=True)]
        self.position = min(self.position + PIECE, len(self.train))
        return self.position < len(self.train)

    def finish_epoch(self) -> Epoch:
        """Score the averaged weights on dev, and keep them if no others were better."""
        weights = weights_of(self.types, self.labels, self.header.prune)
        scores = self.dev.scores(self.header, weights) if self.dev else {}
        better = self.best is None or not scores or scores["las"] > self.best.scores["las"]
        self.epoch += 1
        if better:
            self.best = Best(self.epoch, scores, weights)
        record = Epoch(
            epoch=self.epoch,
            transitions=self.counts[0],
            mistakes=self.counts[1],
            label_mistakes=self.counts[2],
            features=self.types.used,
            label_features=self.labels.used,
            memory=self.types.nbytes + self.labels.nbytes,
            seconds=round(self.seconds, 3),
            uas=scores.get("uas"),
            las=scores.get("las"),
            best=better,
        )
        self.history.append(record)
        self.position, self.counts, self.seconds, self._order = 0, [0, 0, 0], 0.0, None
        return record

    def parser(self) -> Parser:
        """The best so far; in the first epoch what has been learnt until now."""
        best = self.best or Best(0, {}, weights_of(self.types, self.labels, self.header.prune))
        header = replace(self.header, epochs=self.epoch, epoch=best.epoch, scores=best.scores)
        return Parser(Model(header, best.weights, self.plan.clusters))
