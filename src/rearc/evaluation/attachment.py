"""Attachment scores of a predicted treebank against a gold one with the same words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rearc.evaluation.pairs import Bools, Ints, Pairs, Punctuation, Source, pair
from rearc.evaluation.ratio import PrecisionRecall, percent
from rearc.treebank.drawing.table import html_table
from rearc.treebank.trees import projective_arcs


@dataclass(frozen=True, slots=True)
class Counts:
    """What the scores are made of."""

    words: int
    heads_correct: int
    labels_correct: int
    both_correct: int
    sentences: int
    sentences_heads_correct: int
    sentences_both_correct: int


@dataclass(frozen=True, slots=True)
class Scores:
    """Attachment scores in percent.

    `exact_match` is the share of sentences in which each scored word has the right head and label,
    `exact_match_unlabelled` the right head; sentences without a scored word are left out of both.
    `non_projective` counts an arc as correct if the other tree has it too, with the same label in
    `non_projective_labelled`.

    >>> from rearc.treebank import Sentence
    >>> gold = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])]
    >>> output = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["obj", "root"])]
    >>> scores = evaluate(gold, output)
    >>> scores.uas, scores.las, scores.counts.words
    (100.0, 50.0, 2)
    """

    uas: float
    las: float
    label_accuracy: float
    exact_match: float
    exact_match_unlabelled: float
    non_projective: PrecisionRecall
    non_projective_labelled: PrecisionRecall
    counts: Counts

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "uas": self.uas,
            "las": self.las,
            "label_accuracy": self.label_accuracy,
            "exact_match": self.exact_match,
            "exact_match_unlabelled": self.exact_match_unlabelled,
            "non_projective": self.non_projective.as_dict(),
            "non_projective_labelled": self.non_projective_labelled.as_dict(),
            "counts": asdict(self.counts),
        }

    def _repr_html_(self) -> str:
        """A table, which notebooks show."""
        return scores_html({"": self})


def scores_html(scores: Mapping[str, Scores]) -> str:
    """The scores of outputs by their names, a row each."""
    columns = ["", "UAS", "LAS", "labels", "exact match", "non-projective F1", "words", "sentences"]
    rows = [
        [
            name, s.uas, s.las, s.label_accuracy, s.exact_match, s.non_projective.f1, s.counts.words,
            s.counts.sentences,
        ]
        for name, s in scores.items()
    ]  # fmt: skip
    return html_table("", columns, rows)


def evaluate(gold: Source, predicted: Source, *, punctuation: Punctuation = "all", subtypes: bool = True) -> Scores:
    """Score `predicted` against `gold`: each a path, or sentences.

    `punctuation` says which words count: "all" of them, or those that are not punctuation by the rule of
    CoNLL's eval.pl ("unicode": all characters of the form are Unicode punctuation) or by gold UPOS=PUNCT
    ("upos"). `subtypes=False` compares labels without what follows their first colon.

    >>> from rearc.treebank import Sentence
    >>> gold = Sentence(["I", "saw", "Jack"], heads=[2, 0, 2], deprels=["nsubj", "root", "obj"])
    >>> scores = evaluate([gold], [gold.replace(heads=[3, 0, 2])])
    >>> round(scores.uas, 2), round(scores.las, 2), scores.label_accuracy
    (66.67, 66.67, 100.0)
    """
    return score(pair(gold, predicted, punctuation=punctuation, subtypes=subtypes))


def score(pairs: Pairs) -> Scores:
    """The scores of what is already side by side."""
    words = pairs.per_sentence(pairs.scored)
    heads = pairs.per_sentence(pairs.head_correct)
    both = pairs.per_sentence(pairs.both_correct)
    filled = words > 0
    counts = Counts(
        words=int(words.sum()),
        heads_correct=int(heads.sum()),
        labels_correct=int(pairs.label_correct.sum()),
        both_correct=int(both.sum()),
        sentences=int(filled.sum()),
        sentences_heads_correct=int((filled & (heads == words)).sum()),
        sentences_both_correct=int((filled & (both == words)).sum()),
    )
    gold_crossing = _non_projective(pairs, pairs.gold_heads)
    crossing = _non_projective(pairs, pairs.heads)
    return Scores(
        uas=percent(counts.heads_correct, counts.words),
        las=percent(counts.both_correct, counts.words),
        label_accuracy=percent(counts.labels_correct, counts.words),
        exact_match=percent(counts.sentences_both_correct, counts.sentences),
        exact_match_unlabelled=percent(counts.sentences_heads_correct, counts.sentences),
        non_projective=_among(gold_crossing, crossing, pairs.head_correct),
        non_projective_labelled=_among(gold_crossing, crossing, pairs.both_correct),
        counts=counts,
    )


def _non_projective(pairs: Pairs, heads: Ints) -> Bools:
    """The scored words whose arc is non-projective."""
    return ~projective_arcs(pairs.forest(heads))[1:] & pairs.scored


def _among(gold: Bools, predicted: Bools, correct: Bools) -> PrecisionRecall:
    return PrecisionRecall(
        gold=int(gold.sum()),
        gold_correct=int((gold & correct).sum()),
        predicted=int(predicted.sum()),
        predicted_correct=int((predicted & correct).sum()),
    )
