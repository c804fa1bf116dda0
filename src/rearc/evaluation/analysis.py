"""Where the errors are: the analysis of McDonald & Nivre (2007), "Characterizing the errors of data-driven
dependency parsing models": scores by arc length, distance to the root, sentence length, label and part of
speech."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rearc.evaluation.attachment import Scores, score
from rearc.evaluation.pairs import Bools, Ints, Pairs, Punctuation, Source, pair
from rearc.evaluation.ratio import PrecisionRecall, percent
from rearc.treebank.trees import arc_lengths, root_distances

# The first value of each bin; the last one is open. Length 0 stands for arcs from the artificial root.
ARC_LENGTHS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 21, 31)
ROOT_DISTANCES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
SENTENCE_LENGTHS = (1, 11, 21, 31, 41, 51)

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class ArcRow:
    """Arcs of one class: precision over the predicted arcs of it, recall over the gold arcs of it."""

    name: str
    unlabelled: PrecisionRecall
    labelled: PrecisionRecall

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unlabelled": self.unlabelled.as_dict(),
            "labelled": self.labelled.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class WordRow:
    """Words of one class, the same in gold and predicted, and the scores on them (None where there are
    none)."""

    name: str
    words: int
    heads_correct: int
    labels_correct: int
    both_correct: int

    @property
    def uas(self) -> float | None:
        return percent(self.heads_correct, self.words) if self.words else None

    @property
    def las(self) -> float | None:
        return percent(self.both_correct, self.words) if self.words else None

    @property
    def label_accuracy(self) -> float | None:
        return percent(self.labels_correct, self.words) if self.words else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "words": self.words,
            "uas": self.uas,
            "las": self.las,
            "label_accuracy": self.label_accuracy,
        }


class Table(NamedTuple):
    """A heading, the names of the columns, and the rows; numbers are in percent or counts."""

    title: str
    columns: list[str]
    rows: list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The scores as a whole and in five breakdowns.

    >>> from rearc.treebank import sample
    >>> [table.title for table in analysis(sample(), sample()).tables()]
    ['Arc length', 'Distance to the root', 'Sentence length', 'Label', 'Part of speech']
    """

    scores: Scores
    arc_length: list[ArcRow]
    root_distance: list[ArcRow]
    sentence_length: list[WordRow]
    label: list[ArcRow]
    pos: list[WordRow]

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "scores": self.scores.as_dict(),
            "arc_length": [row.as_dict() for row in self.arc_length],
            "root_distance": [row.as_dict() for row in self.root_distance],
            "sentence_length": [row.as_dict() for row in self.sentence_length],
            "label": [row.as_dict() for row in self.label],
            "pos": [row.as_dict() for row in self.pos],
        }

    def tables(self) -> list[Table]:
        """The breakdowns as tables to print, without the rows that have nothing in them."""
        return [
            _arc_table("Arc length", "length", self.arc_length),
            _arc_table("Distance to the root", "distance", self.root_distance),
            _word_table("Sentence length", "words in sentence", self.sentence_length),
            _arc_table("Label", "label", self.label),
            _word_table("Part of speech", "UPOS", self.pos),
        ]


def analysis(gold: Source, predicted: Source, *, punctuation: Punctuation = "all", subtypes: bool = True) -> Analysis:
    """Break the scores of `predicted` down; the arguments are those of `evaluate`.

    Precision by arc length or distance to the root sorts arcs by the predicted tree, recall by the gold
    tree. The distance of an arc to the root is the number of arcs from its dependent up to the artificial
    root.

    >>> from rearc.treebank import Sentence
    >>> gold = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])]
    >>> output = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["obj", "root"])]
    >>> [(row.name, row.labelled.recall) for row in analysis(gold, output).label]
    [('root', 100.0), ('nsubj', 0.0), ('obj', None)]
    """
    return analyse(pair(gold, predicted, punctuation=punctuation, subtypes=subtypes))


def analyse(pairs: Pairs) -> Analysis:
    """The analysis of what is already side by side."""
    gold, predicted = pairs.forest(pairs.gold_heads), pairs.forest(pairs.heads)
    return Analysis(
        scores=score(pairs),
        arc_length=_binned_arcs(pairs, ARC_LENGTHS, arc_lengths(gold), arc_lengths(predicted), "root"),
        root_distance=_binned_arcs(pairs, ROOT_DISTANCES, root_distances(gold), root_distances(predicted)),
        sentence_length=_word_rows(
            pairs, names_of(SENTENCE_LENGTHS), _bins(SENTENCE_LENGTHS, np.repeat(pairs.lengths, pairs.lengths))
        ),
        label=_by_frequency(_arc_rows(pairs, pairs.label_names, pairs.gold_labels, pairs.labels)),
        pos=sorted(_word_rows(pairs, pairs.tag_names, pairs.tags), key=lambda row: (-row.words, row.name)),
    )


def _bins(firsts: tuple[int, ...], values: NDArray[np.integer[Any]]) -> Ints:
    return np.searchsorted(np.array(firsts), values, side="right").astype(np.int64) - 1


def names_of(firsts: tuple[int, ...]) -> list[str]:
    """What the bins are called.

    >>> names_of((1, 2, 5, 9))
    ['1', '2–4', '5–8', '≥9']
    """
    ranges = [str(first) if after == first + 1 else f"{first}–{after - 1}" for first, after in pairwise(firsts)]
    return [*ranges, f"≥{firsts[-1]}"]


def _binned_arcs(
    pairs: Pairs,
    firsts: tuple[int, ...],
    gold: NDArray[np.integer[Any]],
    predicted: NDArray[np.integer[Any]],
    first_name: str | None = None,
) -> list[ArcRow]:
    names = names_of(firsts)
    if first_name:
        names[0] = first_name
    return _arc_rows(pairs, names, _bins(firsts, gold[1:]), _bins(firsts, predicted[1:]))


def _arc_rows(pairs: Pairs, names: list[str], gold: Ints, predicted: Ints) -> list[ArcRow]:
    """One row per class, of which `gold` and `predicted` give the number for each arc in the two trees."""

    def ratios(correct: Bools) -> list[PrecisionRecall]:
        counts = (
            _count(gold, pairs.scored, names),
            _count(gold, correct, names),
            _count(predicted, pairs.scored, names),
            _count(predicted, correct, names),
        )
        return [PrecisionRecall(*row) for row in zip(*counts, strict=True)]

    rows = zip(names, ratios(pairs.head_correct), ratios(pairs.both_correct), strict=True)
    return [ArcRow(name, unlabelled, labelled) for name, unlabelled, labelled in rows]


def _word_rows(pairs: Pairs, names: list[str], classes: Ints) -> list[WordRow]:
    columns = (
        _count(classes, flags, names)
        for flags in (pairs.scored, pairs.head_correct, pairs.label_correct, pairs.both_correct)
    )
    return [WordRow(name, *row) for name, row in zip(names, zip(*columns, strict=True), strict=True)]


def _count(classes: Ints, flags: Bools, names: list[str]) -> list[int]:
    counts: list[int] = np.bincount(classes[flags], minlength=len(names)).tolist()
    return counts


def _by_frequency(rows: list[ArcRow]) -> list[ArcRow]:
    return sorted(rows, key=lambda row: (-row.labelled.gold, -row.labelled.predicted, row.name))


def _arc_table(title: str, name: str, rows: list[ArcRow]) -> Table:
    columns = [
        name,
        "gold",
        "predicted",
        "unlabelled precision",
        "unlabelled recall",
        "unlabelled F1",
        "labelled precision",
        "labelled recall",
        "labelled F1",
    ]
    lines: list[list[Cell]] = []
    for row in rows:
        if row.labelled.gold or row.labelled.predicted:
            line: list[Cell] = [row.name, row.labelled.gold, row.labelled.predicted]
            for ratio in (row.unlabelled, row.labelled):
                line += [ratio.precision, ratio.recall, ratio.f1]
            lines.append(line)
    return Table(title, columns, lines)


def _word_table(title: str, name: str, rows: list[WordRow]) -> Table:
    return Table(
        title,
        [name, "words", "UAS", "LAS", "label accuracy"],
        [[row.name, row.words, row.uas, row.las, row.label_accuracy] for row in rows if row.words],
    )
