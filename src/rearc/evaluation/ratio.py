"""Counts as percentages."""

from __future__ import annotations

from dataclasses import dataclass


def percent(part: int, whole: int) -> float:
    """`part` of `whole` in percent.

    >>> percent(1, 4)
    25.0
    """
    return 100 * (part / whole)


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision over what was predicted, recall over what is gold, each with its own count of correct ones.

    The two counts of correct arcs differ where the class of an arc depends on the whole tree: an arc may be
    in both trees and yet be non-projective, or far from the root, in one of them only.

    >>> found = PrecisionRecall(gold=4, gold_correct=2, predicted=2, predicted_correct=2)
    >>> found.precision, found.recall
    (100.0, 50.0)
    """

    gold: int
    gold_correct: int
    predicted: int
    predicted_correct: int

    @property
    def precision(self) -> float | None:
        """None where nothing was predicted."""
        return percent(self.predicted_correct, self.predicted) if self.predicted else None

    @property
    def recall(self) -> float | None:
        """None where there is no gold."""
        return percent(self.gold_correct, self.gold) if self.gold else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean; 0 where only one of gold and predicted has such arcs, None where neither has."""
        if not self.gold and not self.predicted:
            return None
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def as_dict(self) -> dict[str, float | int | None]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "gold": self.gold,
            "gold_correct": self.gold_correct,
            "predicted": self.predicted,
            "predicted_correct": self.predicted_correct,
        }
