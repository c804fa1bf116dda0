"""A model in the making: what all kinds have in common."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rearc.evaluation.ratio import percent
from rearc.files.tensors import Tensors
from rearc.parser.header import Header
from rearc.parser.model import Model
from rearc.parser.parser import Parser
from rearc.segment import Segmenter
from rearc.tagger.tagger import Tagger
from rearc.training.errors import TrainingError
from rearc.training.plan import Plan
from rearc.treebank import Sentence
from rearc.treebank.pseudoprojective import ENCODINGS, deprojectivise_tree

if TYPE_CHECKING:
    from rearc.neural.numpy_model import Network

Numbers = NDArray[np.int64]
BATCH = 4096  # words that a network parses at once


@dataclass(frozen=True)
class Epoch:
    """What an epoch came to: a line of the log, and what a `Watcher` is told.

    >>> record = Epoch(epoch=1, transitions=800, mistakes=200, seconds=0.1, uas=70.0, las=60.0, best=True)
    >>> record.as_dict()["las"]
    60.0
    """

    epoch: int
    transitions: int
    mistakes: int  # transitions predicted that were not optimal
    seconds: float
    uas: float | None  # on dev
    las: float | None
    best: bool  # of all so far
    more: dict[str, Any] = field(default_factory=dict)  # what this kind of model has to say beside that

    def as_dict(self) -> dict[str, Any]:
        content: dict[str, Any] = dict(vars(self))
        more: dict[str, Any] = content.pop("more")
        return content | more


def epoch_from(content: dict[str, Any]) -> Epoch:
    """An epoch out of its dictionary."""
    names = Epoch.__dataclass_fields__.keys() - {"more"}
    more = {name: value for name, value in content.items() if name not in names}
    return Epoch(**{name: content[name] for name in names}, more=more)


@dataclass(frozen=True)
class Best:
    """The weights that parsed dev best; without dev the latest."""

    epoch: int
    scores: dict[str, float]
    weights: Tensors


class Dev:
    """Sentences to score on."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.sentences = sentences
        self.starts = np.cumsum([0, *map(len, sentences)])
        self.heads = np.array([head for s in sentences for head in s.heads], dtype=np.intc)
        self.known = self.heads >= 0
        self.labels = np.array([label for s in sentences for label in s.deprels], dtype=object)

    def score(self, heads: NDArray[np.intc], numbers: NDArray[Any], header: Header) -> dict[str, float]:
        """UAS and LAS over all words whose heads are known, in percent."""
        labels = np.array([label.name for label in header.labels], dtype=object)[numbers]
        if header.non_projective in ENCODINGS:
            for start, stop in zip(self.starts, self.starts[1:], strict=False):
                tree = deprojectivise_tree([0, *heads[start:stop]], ["", *labels[start:stop]], header.non_projective)
                heads[start:stop], labels[start:stop] = tree.heads[1:], tree.labels[1:]
        return self.score_names(heads, labels)

    def score_names(self, heads: NDArray[np.intc], labels: NDArray[Any]) -> dict[str, float]:
        """As `score`, of labels by their names."""
        right = (heads == self.heads) & self.known
        both = right & (labels == self.labels)
        known = int(self.known.sum())
        return {"uas": percent(int(right.sum()), known), "las": percent(int(both.sum()), known)}

    def score_network(self, network: Network, header: Header) -> dict[str, float]:
        """As `score`, of the trees that a network makes."""
        parts = [network.parse(batch) for batch in self.batches(BATCH)]
        heads, labels = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        return self.score(heads, labels, header)

    def batches(self, words: int) -> Iterator[list[Sentence]]:
        """The sentences, about so many words at a time."""
        batch: list[Sentence] = []
        for sentence in self.sentences:
            batch.append(sentence)
            if sum(map(len, batch)) >= words:
                yield batch
                batch = []
        if batch:
            yield batch


class Trainer(ABC):
    """A model in the making. What is learnt, and all that the result depends on, is in `state()`."""

    def __init__(self, plan: Plan, dev: list[Sentence] | None, epochs: int) -> None:
        self.plan = plan
        self.header = plan.header
        self.epochs = epochs  # to be trained for
        if plan.alone >= epochs:
            raise TrainingError(
                f"found {plan.alone} epochs that learn from the treebank alone, expected fewer than all {epochs} epochs"
            )
        self.dev = Dev(dev) if dev else None
        self.epoch = 0  # finished
        self.position = 0  # sentences of the next one that are learnt already
        self.counts: dict[str, Any] = {"transitions": 0, "mistakes": 0}  # of this epoch
        self.seconds = 0.0
        self.history: list[Epoch] = []
        self.best: Best | None = None
        self._pieces: list[Numbers] | None = None

    # ---- what a kind of model defines

    @abstractmethod
    def pieces(self) -> Sequence[Numbers]:
        """The sentences of the epoch in the order to learn them, in the pieces between two looks at whether to stop."""

    @abstractmethod
    def learn_piece(self, which: Numbers, explore: float) -> None:
        """Learn from these sentences, following the prediction with this probability."""

    @abstractmethod
    def weights(self) -> Tensors:
        """What has been learnt, for a model file."""

    @abstractmethod
    def dev_scores(self, weights: Tensors) -> dict[str, float]:
        """How these weights parse dev."""

    @abstractmethod
    def report(self) -> dict[str, Any]:
        """What else is to be said of an epoch."""

    @abstractmethod
    def model(self, weights: Tensors) -> Model:
        """A model of these weights."""

    @abstractmethod
    def state(self) -> tuple[dict[str, Any], Tensors]:
        """What a checkpoint keeps of it."""

    @abstractmethod
    def restore(self, state: dict[str, Any], tensors: Tensors) -> None:
        """Take up such a state."""

    def settings(self) -> dict[str, Any]:
        """What beside the header must be the same for a training to go on."""
        return {}

    @property
    def finished(self) -> bool:
        """Whether more epochs are worth nothing."""
        return False

    # ---- what all share

    @property
    def alone(self) -> bool:
        """Whether this epoch leaves out what a teacher parsed."""
        return self.plan.alone > 0 and self.epoch >= self.epochs - self.plan.alone

    @property
    def sentences(self) -> int:
        """The first so many sentences are what this epoch learns from."""
        return self.plan.own if self.alone else len(self.plan.sentences)

    def pieces_now(self) -> list[Numbers]:
        if self._pieces is None:
            self._pieces = list(self.pieces())
        return self._pieces

    def learn(self) -> bool:
        """Learn the next piece; False where the epoch is at its end."""
        done = 0
        for piece in self.pieces_now():
            if done == self.position:
                break
            done += len(piece)
        after, probability = self.header.policy
        begin = time.monotonic()
        self.learn_piece(piece, probability if self.epoch >= after else 0.0)
        self.seconds += time.monotonic() - begin
        self.position += len(piece)
        return self.position < self.sentences

    def finish_epoch(self, look: bool = True) -> Epoch:
        """Score on dev, and keep the weights if no others were better. Its seconds are all that a user waits for.

        look: False leaves that out, and what it takes to make weights ready to parse with.
        """
        begin = time.monotonic()
        weights = self.weights() if look else {}
        scores = self.dev_scores(weights) if self.dev and look else {}
        better = look and (self.best is None or not scores or scores["las"] > self.best.scores["las"])
        more = self.report()
        self.seconds += time.monotonic() - begin
        self.epoch += 1
        if better:
            self.best = Best(self.epoch, scores, weights)
        record = Epoch(
            epoch=self.epoch,
            transitions=self.counts["transitions"],
            mistakes=self.counts["mistakes"],
            seconds=round(self.seconds, 3),
            uas=scores.get("uas"),
            las=scores.get("las"),
            best=better,
            more=more,
        )
        self.history.append(record)
        self.position, self.seconds, self._pieces = 0, 0.0, None
        self.counts = dict.fromkeys(self.counts, 0)
        return record

    def parser(self, tagger: Tagger | None = None, segmenter: Segmenter | None = None) -> Parser:
        """The best so far; where nothing was looked at yet, what has been learnt until now."""
        best = self.best or Best(self.epoch, {}, self.weights())
        model = self.model(best.weights)
        header = replace(model.header, epochs=self.epoch, epoch=best.epoch, scores=best.scores)
        return Parser(replace(model, header=header), tagger, segmenter)
