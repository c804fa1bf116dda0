"""Learning to tag.

The averaged perceptron is run several times, each time over the sentences in another order, and the weights are the
mean of the runs. How many epochs a run takes is chosen on dev. Jackknifing tags a treebank with taggers that have not
seen the sentence they tag.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rearc.perceptron.growing import LabelLearner
from rearc.perceptron.weights import pack_labels
from rearc.tagger.passes import learn, tag
from rearc.tagger.tagger import COLUMNS, Column, Tagger, units_of
from rearc.tagger.templates import CLUSTERS, MORPHOLOGY, UPOS
from rearc.tagger.words import WordEncoder, normal, number
from rearc.treebank import Sentence

EPOCHS = 10
RUNS = 5  # the mean of several models, learnt in different orders, tags better than each of them and is no slower
PRUNE = 0.4  # averaged weights that are smaller are left out; a mistake changes a weight by 1
RARE = 2  # words that occur less often are learnt without their form, so that their affixes have to tell the tag
USUAL = 3  # a word must occur at least this often to have usual tags
USUAL_SHARE = 0.05  # a tag is usual for a word if it has at least this share of the word's occurrences
FOLD_EPOCHS = 5


@dataclass(frozen=True)
class TagEpoch:
    """What is reported after each epoch.

    >>> from rearc.treebank import read, sample
    >>> def look(epoch):
    ...     print(f"{epoch.column}, epoch {epoch.epoch} of {epoch.epochs}: {epoch.words} words")
    >>> tagger = train(read(sample()), epochs=2, runs=1, report=look)
    upos, epoch 1 of 2: 364 words
    upos, epoch 2 of 2: 364 words
    """

    column: str
    run: int
    runs: int  # of this column
    epoch: int
    epochs: int  # of this run
    words: int
    mistakes: int
    accuracy: float | None  # on dev, in percent, with averaged weights
    part: tuple[int, int] | None = None  # in jackknifing: which part, and of how many, is going to be tagged


Report = Callable[[TagEpoch], object]


def train(
    sentences: Iterable[Sentence],
    dev: Iterable[Sentence] | None = None,
    columns: Sequence[str] = ("upos",),
    *,
    epochs: int = EPOCHS,
    runs: int = RUNS,
    seed: int = 1,
    prune: float = PRUNE,
    clusters: Mapping[str, str] | None = None,
    report: Report | None = None,
) -> Tagger:
    """Learn to tag. The same sentences, options and seed give the same tagger.

    columns: "upos", and "xpos" or "feats" if wanted. epochs: at most so many; the first run chooses on dev how many.
    runs: the weights are the mean of so many runs. prune: weights below it are left out. clusters: Brown clusters of
    forms. report: called after each epoch.

    >>> from rearc.treebank import Sentence, read, sample
    >>> train(read(sample()), epochs=2).tag([Sentence(["The", "tree", "fell", "."])])[0].upos
    ['DET', 'NOUN', 'VERB', 'PUNCT']
    """
    material = Material(list(sentences), list(dev or ()), clusters)
    wanted = _checked(columns, material.sentences)
    if epochs < 1 or runs < 1:
        raise ValueError(f"found {epochs} epochs and {runs} runs, expected at least 1")
    learnt: list[Column] = []
    for name in wanted:
        task = Task(name, material, learnt)
        learnt.append(task.learn(epochs, runs, seed, prune, report or (lambda epoch: None)))
    return Tagger(learnt, material.usual, clusters)


def jackknife(
    sentences: Iterable[Sentence],
    folds: int = 10,
    columns: Sequence[str] = ("upos",),
    *,
    seed: int = 1,
    clusters: Mapping[str, str] | None = None,
    report: Report | None = None,
) -> list[Sentence]:
    """The sentences with tags predicted by taggers that have not seen them.

    The treebank is cut into folds, and each fold is tagged by a tagger trained on all others. A fold is a run of
    neighbouring sentences: so most documents are in one fold as a whole.

    >>> from rearc.treebank import read, sample
    >>> len(jackknife(read(sample()), folds=2))
    40
    """
    everything = list(sentences)
    if not 2 <= folds <= len(everything):
        raise ValueError(f"found {folds} folds, expected from 2 to {len(everything)}, the number of sentences")
    _checked(columns, everything)
    tagged: list[Sentence] = []
    bounds = [len(everything) * k // folds for k in range(folds + 1)]
    for part, (start, stop) in enumerate(pairwise(bounds), 1):

        def look(epoch: TagEpoch, part: int = part) -> None:
            if report is not None:
                report(replace(epoch, part=(part, folds)))

        others = everything[:start] + everything[stop:]
        having = [name for name in columns if any(s._column(name) is not None for s in others)]
        tagger = train(
            others, columns=having, epochs=FOLD_EPOCHS, runs=1, seed=seed, prune=0.0, clusters=clusters, report=look
        )
        tagged += tagger.tag(everything[start:stop])
    return tagged


def train_beside_parser(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None = None,
    columns: Sequence[str] = ("upos",),
    *,
    folds: int = 0,
    epochs: int = EPOCHS,
    seed: int = 1,
    clusters: Mapping[str, str] | None = None,
    report: Report | None = None,
) -> tuple[Tagger, list[Sentence], list[Sentence] | None]:
    """(tagger, train, dev): a tagger, and the sentences with the tags that a parser should be trained with beside it.

    The parser will be given predicted tags, so dev gets predicted tags. Train gets them by jackknifing if `folds` is
    not 0; otherwise it keeps its gold tags.
    """
    tagger = train(sentences, dev, columns, epochs=epochs, seed=seed, clusters=clusters, report=report)
    seen = list(sentences)
    if folds:
        seen = jackknife(sentences, folds, columns, seed=seed, clusters=clusters, report=report)
    return tagger, seen, None if dev is None else list(tagger.tag_many(dev))


class Material:
    """The treebanks as numbers."""

    def __init__(self, sentences: list[Sentence], dev: list[Sentence], clusters: Mapping[str, str] | None) -> None:
        if not sentences:
            raise ValueError("found no sentences, expected some to learn from")
        self.sentences, self.dev, self.clusters = sentences, dev, clusters
        self.usual = usual_tags(sentences)
        encoder = WordEncoder(self.usual, clusters)
        self.words = encoder.encode([s.forms for s in sentences], RARE)
        self.dev_words = encoder.encode([s.forms for s in dev])

    def classes(self, name: str) -> list[str]:
        """The different tags of a column, sorted."""
        return sorted({tag for s in self.sentences for tag in set(getattr(s, name))})


class Task:
    """One column to learn. `earlier` are those learnt before it; the first of them is UPOS, which it may look at."""

    def __init__(self, name: str, material: Material, earlier: Sequence[Column]) -> None:
        self.name, self.material = name, material
        classes = material.classes(name)
        self.gold = numbers(material.sentences, name, classes)
        self.dev_gold = numbers(material.dev, name, classes)
        self.upos = numbers(material.sentences, "upos", earlier[0].classes) if earlier else self.gold
        groups: list[list[int]] = [list(range(len(classes)))]
        if earlier:
            pairs = np.unique(np.stack([self.upos, self.gold]), axis=1)
            groups = [pairs[1, pairs[0] == k].tolist() for k in range(len(earlier[0].classes))]
        templates = (MORPHOLOGY if earlier else UPOS) + (CLUSTERS if material.clusters is not None else "")
        self.column = Column(name, " ".join(templates.split()), tuple(classes), tuple(map(tuple, groups)), {})
        self.units = units_of(classes)[1]
        self.before = [column.make_pass() for column in earlier[:1]]

    def learn(self, epochs: int, runs: int, seed: int, prune: float, report: Report) -> Column:
        """The mean of the runs. The first finds the number of epochs that is best on dev; the others train as long."""
        mean = Mean(self.units)
        order = list(range(self.material.words.sentences))
        for run in range(runs):
            learner = LabelLearner(self.units)
            step = self.column.make_pass(learner)
            best: tuple[float, int] = (-1.0, epochs)
            averaged = None
            for epoch in range(epochs):
                random.Random(f"{seed} {self.name} {run} {epoch}").shuffle(order)
                mistakes = learn(step, self.material.words, self.upos, self.gold, np.array(order, dtype=np.int64))
                accuracy = None
                if run == 0 and self.material.dev:
                    weights = learner.average()
                    accuracy = self._score(*weights, prune)
                    if accuracy > best[0]:
                        best, averaged = (accuracy, epoch + 1), weights
                report(TagEpoch(self.name, run + 1, runs, epoch + 1, epochs, len(self.gold), mistakes, accuracy))
            epochs = best[1]
            mean.add(*(averaged or learner.average()))
        return self._packed(mean.keys, mean.total / np.float32(runs), prune)

    def _packed(self, keys: NDArray[np.uint64], weights: NDArray[np.float32], prune: float) -> Column:
        kept = np.where(np.abs(weights) > prune, weights, np.float32(0))
        return replace(self.column, weights=pack_labels(keys, kept))

    def _score(self, keys: NDArray[np.uint64], weights: NDArray[np.float32], prune: float) -> float:
        chosen = tag([*self.before, self._packed(keys, weights, prune).make_pass()], self.material.dev_words)[-1]
        return 100 * float(np.mean(chosen == self.dev_gold))


class Mean:
    """Adds up the weights of several models, which may have different features."""

    def __init__(self, units: int) -> None:
        self.keys: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self.total: NDArray[np.float32] = np.zeros((0, units), dtype=np.float32)

    def add(self, keys: NDArray[np.uint64], weights: NDArray[np.float32]) -> None:
        union = np.union1d(self.keys, keys)
        total = np.zeros((len(union), weights.shape[1]), dtype=np.float32)
        total[np.searchsorted(union, self.keys)] = self.total
        total[np.searchsorted(union, keys)] += weights
        self.keys, self.total = union, total


def usual_tags(sentences: Iterable[Sentence]) -> dict[int, tuple[str, ...]]:
    """The usual tags of words: from the number of a normal form to its most frequent UPOS, then its other usual ones.

    Only forms that occur at least USUAL times have any.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for form, upos in zip(sentence.forms, sentence.upos, strict=True):
            counts[normal(form)][upos] += 1
    usual = {}
    for form, tags in counts.items():
        if tags.total() >= USUAL:
            first = max(sorted(tags), key=lambda tag: tags[tag])
            others = (tag for tag in sorted(tags) if tag != first and tags[tag] >= USUAL_SHARE * tags.total())
            usual[number(form)] = (first, *others)
    return usual


def numbers(sentences: Iterable[Sentence], name: str, classes: Sequence[str]) -> NDArray[np.int32]:
    """The tags of a column as places in the list of classes; −1 where a tag is not in the list."""
    places = {tag: k for k, tag in enumerate(classes)}
    return np.array([places.get(tag, -1) for s in sentences for tag in getattr(s, name)], dtype=np.int32)


def _checked(columns: Sequence[str], sentences: Sequence[Sentence]) -> list[str]:
    """The columns in the order they are learnt in."""
    if "upos" not in columns or not set(columns) <= set(COLUMNS):
        raise ValueError(f"found the columns {', '.join(columns)}, expected upos, and xpos or feats if wanted")
    for name in columns:
        if all(s._column(name) is None for s in sentences):
            raise ValueError(f"found no {name.upper()}, expected some for a tagger to learn from")
    return [name for name in COLUMNS if name in columns]
