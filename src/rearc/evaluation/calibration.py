"""Whether a parser is as often right as it says, and what is gained by leaving out what it is not sure of."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.evaluation.errors import EvaluationError
from rearc.evaluation.pairs import Bools, Punctuation, Source, file_of, pair, sentences
from rearc.evaluation.ratio import percent
from rearc.treebank import Sentence

BINS = 10
COVERAGE = (10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100)  # percent
TAGS = ("upos", "xpos", "feats")
_COLUMNS = {"forms", "upos", "xpos", "feats", "heads", "deprels", "misc", "comments"}
_REMEDY = "parse it with --confidence, by a model that was trained with --dev"

Floats = NDArray[np.float64]
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Bin:
    """What was said to be right with about the same probability; all in percent."""

    low: float
    high: float
    count: int
    confidence: float | None  # on average
    right: float | None


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far probabilities that something is right can be trusted; all in percent but `auc` and `count`.

    >>> made = reliability(np.array([0.9, 0.8, 0.1]), np.array([True, True, False]))
    >>> made.auc, round(made.ece, 2)
    (1.0, 13.33)
    """

    count: int
    right: float
    confidence: float  # on average
    ece: float  # expected calibration error: how far the bins are off, on average over all
    auc: float | None  # the chance that what is right has the higher probability than what is wrong
    errors_in_tenth: float | None  # the share of all that is wrong that is in the tenth with the least probabilities
    bins: list[Bin]
    coverage: list[tuple[int, float]]  # of the surest so many percent, how many are right

    def as_dict(self) -> dict[str, Any]:
        content = asdict(self)
        content["coverage"] = [{"percent": share, "right": right} for share, right in self.coverage]
        return content


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of heads, of heads together with labels, of whole sentences, whose heads are all right or not, and of the tags
    that were predicted.

    >>> made = reliability(np.array([0.9, 0.2]), np.array([True, False]))
    >>> [name for name, _ in Calibration(made, made, made).items()]
    ['heads', 'heads and labels', 'sentences']
    """

    heads: Reliability
    both: Reliability
    sentences: Reliability
    tags: dict[str, Reliability] = field(default_factory=dict)  # by columns

    def items(self) -> list[tuple[str, Reliability]]:
        of_trees = [("heads", self.heads), ("heads and labels", self.both), ("sentences", self.sentences)]
        return of_trees + [(column.upper(), found) for column, found in self.tags.items()]

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        of_trees = {"heads": self.heads, "both": self.both, "sentences": self.sentences}
        return {name: found.as_dict() for name, found in (of_trees | self.tags).items()}

    def tables(self) -> list[tuple[str, list[str], list[list[Cell]]]]:
        """Title, columns and rows of each table."""
        names = [name for name, _ in self.items()]
        each = [reliability for _, reliability in self.items()]
        rows: list[list[Cell]] = [
            ["right, %", *(r.right for r in each)],
            ["confidence on average, %", *(r.confidence for r in each)],
            ["expected calibration error, points", *(r.ece for r in each)],
            ["area under the ROC curve", *(None if r.auc is None else f"{r.auc:.4f}" for r in each)],
            ["errors in the least certain tenth, %", *(r.errors_in_tenth for r in each)],
        ]
        bins: list[list[Cell]] = [
            [f"{b.low:.0f}–{b.high:.0f}", b.count, b.confidence, b.right, c.count, c.confidence, c.right]
            for b, c in zip(self.heads.bins, self.both.bins, strict=True)
        ]
        risks: list[list[Cell]] = [[f"{share}", *(r.coverage[k][1] for r in each)] for k, share in enumerate(COVERAGE)]
        columns = ["confidence, %", "heads", "said", "right", "with labels", "said", "right"]
        return [
            ("Calibration", ["", *names], rows),
            ("Reliability", columns, bins),
            ("Right among the surest, %", ["the surest, %", *names], risks),
        ]


def calibration(
    gold: Source, predicted: Source, *, punctuation: Punctuation = "all", subtypes: bool = True
) -> Calibration:
    """Compare what a parser says of its trees, in MISC and comments, with how often it is right.

    >>> gold = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])]
    >>> said = ["Confidence=0.9|LabelConfidence=0.6", "Confidence=0.9|LabelConfidence=0.9"]
    >>> output = [gold[0].replace(misc=said, comments=["# confidence = 0.8"])]
    >>> round(calibration(gold, output).heads.ece, 6)
    10.0
    """
    found = list(sentences(predicted, _COLUMNS))
    right = list(sentences(gold, _COLUMNS))
    pairs = pair(right, found, punctuation=punctuation, subtypes=subtypes)
    of_heads, of_both, of_sentences = _said(found)
    some = pairs.scored
    whole = pairs.per_sentence(pairs.head_correct) == pairs.per_sentence(some)
    return Calibration(
        reliability(of_heads[some], pairs.head_correct[some]),
        reliability(of_both[some], pairs.both_correct[some]),
        reliability(of_sentences, whole),
        _of_tags(right, found, some),
    )


def _of_tags(gold: list[Sentence], found: list[Sentence], scored: Bools) -> dict[str, Reliability]:
    """Of the columns whose tags were predicted, in the words that say how sure the tagger was."""
    made = {}
    for column in TAGS:
        said = [getattr(word, f"{column}_confidence") for sentence in found for word in sentence]
        some = scored & np.array([number is not None for number in said], dtype=bool)
        if some.any():
            of_words = np.array([np.nan if number is None else number for number in said])
            both = zip(gold, found, strict=True)
            right = [a == b for g, f in both for a, b in zip(getattr(g, column), getattr(f, column), strict=True)]
            made[column] = reliability(of_words[some], np.array(right, dtype=bool)[some])
    return made


def _said(found: list[Sentence]) -> tuple[Floats, Floats, Floats]:
    """The probabilities of all words and sentences."""
    words: list[tuple[float, float]] = []
    whole = []
    for number, sentence in enumerate(found, 1):
        if sentence.confidence is None:
            raise _missing(sentence, number, "no comment # confidence = …", 0)
        whole.append(sentence.confidence)
        for word in sentence:
            head, both = word.confidence, word.label_confidence
            if head is None or both is None:
                raise _missing(sentence, number, "no Confidence and LabelConfidence in MISC", word.id)
            words.append((head, both))
    said = np.array(words).reshape(-1, 2)
    return said[:, 0], said[:, 1], np.array(whole)


def _missing(sentence: Sentence, number: int, found: str, word: int) -> EvaluationError:
    where: dict[str, Any] = {"word": word} if word else {}
    expected = "how sure the parser was"
    return EvaluationError(
        file_of(sentence, "predicted"), found, expected, _REMEDY, sentence=number, line=sentence.line, **where
    )


def reliability(said: Floats, right: Bools) -> Reliability:
    """Of probabilities, and whether each thing was right.

    >>> reliability(np.array([0.9, 0.9, 0.3, 0.3]), np.array([True, True, False, True])).ece
    15.0
    """
    count = len(said)
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    rows = []
    off = 0.0
    for k in range(BINS):
        own = bins == k
        size = int(own.sum())
        mean, share = (float(said[own].mean()), float(right[own].mean())) if size else (0.0, 0.0)
        off += size * abs(mean - share)
        known = (100 * mean, 100 * share) if size else (None, None)
        rows.append(Bin(100 * k / BINS, 100 * (k + 1) / BINS, size, *known))
    order = np.argsort(-said, kind="stable")
    wrong = int((~right).sum())
    least = order[count - count // 10 :]
    return Reliability(
        count=count,
        right=percent(int(right.sum()), count),
        confidence=100 * float(said.mean()),
        ece=100 * off / count,
        auc=_auc(said, right),
        errors_in_tenth=percent(int((~right[least]).sum()), wrong) if wrong else None,
        bins=rows,
        coverage=[(share, percent(int(right[top].sum()), len(top))) for share, top in _tops(order)],
    )


def _tops(order: NDArray[np.intp]) -> list[tuple[int, NDArray[np.intp]]]:
    return [(share, order[: max(1, round(len(order) * share / 100))]) for share in COVERAGE]


def _auc(said: Floats, right: Bools) -> float | None:
    """The area under the ROC curve by ranks; equals share theirs."""
    positive, negative = int(right.sum()), int((~right).sum())
    if not positive or not negative:
        return None
    _, place, sizes = np.unique(said, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[place]
    return float((ranks[right].sum() - positive * (positive + 1) / 2) / (positive * negative))
