"""Learning to tag.

The averaged perceptron is run several times, each time over the sentences in another order, and the weights are the
mean of the runs. How many epochs a run takes is chosen on dev. Jackknifing tags a treebank with taggers that have not
seen the sentence they tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from rearc.tagger.passes import COLUMNS
from rearc.tagger.tagger import Column, Tagger
from rearc.tagger.tasks import LemmaTask, Material, Report, TagEpoch, Task
from rearc.treebank import Sentence

__all__ = ["TagEpoch", "jackknife", "train", "train_beside_parser"]

EPOCHS = 10
RUNS = 5  # the mean of several models, learnt in different orders, tags better than each of them and is no slower
PRUNE = 0.4  # averaged weights that are smaller are left out; a mistake changes a weight by 1
FOLD_EPOCHS = 5


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

    columns: "upos", and "xpos", "feats", "lemmas" if wanted. epochs: at most so many; the first run chooses on dev how
    many. runs: the weights are the mean of so many runs. prune: weights below it are left out. clusters: Brown clusters
    of forms. report: called after each epoch.

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
        task = (LemmaTask if name == "lemmas" else Task)(name, material, learnt)
        learnt.append(task.learn(epochs, runs, seed, prune, report or (lambda epoch: None)))
    return Tagger(learnt, material.usual, clusters, material.stems)


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


def _checked(columns: Sequence[str], sentences: Sequence[Sentence]) -> list[str]:
    """The columns in the order they are learnt in."""
    if "upos" not in columns or not set(columns) <= set(COLUMNS):
        raise ValueError(f"found the columns {', '.join(columns)}, expected upos, and xpos, feats or lemmas if wanted")
    for name in columns:
        if all(s._column(name) is None for s in sentences):
            raise ValueError(f"found no {name.upper()}, expected some for a tagger to learn from")
    return [name for name in COLUMNS if name in columns]
