"""The scores of a run, as a whole, by class, and sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from rearc.evaluation.analysis import ARC_LENGTHS, Analysis, analyse
from rearc.evaluation.pairs import Punctuation, pair
from rearc.experiment.results import Result, pack, pack_flags
from rearc.experiment.tasks import Task
from rearc.treebank import Sentence

LONG = 7  # arcs longer than this are long, as in Fernández-González & Gómez-Rodríguez 2017, §6.3


def scored(task: Task, gold: Iterable[Sentence], parsed: Iterable[Sentence] | str) -> Result:
    """What is kept of an output: the numbers of `rearc evaluate`, and what significance tests need."""
    rule = cast(Punctuation, task["punctuation"])
    pairs = pair(gold, parsed, punctuation=rule, subtypes=task["subtypes"], name=task["setup"])
    found = analyse(pairs)
    scores = found.scores
    result: Result = {
        "values": {
            "uas": scores.uas,
            "las": scores.las,
            "label_accuracy": scores.label_accuracy,
            "exact_match": scores.exact_match,
            "non_projective_precision": scores.non_projective.precision,
            "non_projective_recall": scores.non_projective.recall,
            "non_projective_f1": scores.non_projective.f1,
            "long_arc_precision": _long_precision(found),
        },
        "sentences": {
            "words": pack(pairs.per_sentence(pairs.scored)),
            "heads": pack(pairs.per_sentence(pairs.head_correct)),
            "both": pack(pairs.per_sentence(pairs.both_correct)),
        },
        "classes": {
            "arc length": [
                [
                    row.name,
                    row.labelled.gold,
                    row.labelled.gold_correct,
                    row.labelled.predicted,
                    row.labelled.predicted_correct,
                ]
                for row in found.arc_length
            ],
        },
    }
    if task["words"]:
        flags = (("heads", pairs.head_correct), ("both", pairs.both_correct))
        result["words"] = {name: pack_flags(right[pairs.scored]) for name, right in flags}
    return result


def _long_precision(found: Analysis) -> float | None:
    long = [row.unlabelled for first, row in zip(ARC_LENGTHS, found.arc_length, strict=True) if first > LONG]
    predicted = sum(row.predicted for row in long)
    return 100 * sum(row.predicted_correct for row in long) / predicted if predicted else None
