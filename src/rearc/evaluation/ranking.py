"""What is worth a look: sentences that a parser is least sure of, and words where a sure parser disagrees with the
annotation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from heapq import nlargest
from math import prod
from typing import Any

from rearc.treebank import Sentence

MEASURES = {
    "confidence": "how likely all heads of the sentence are right, as the model says",
    "mean": "how likely the heads of its words are right, on average",
    "least": "how likely the head is right of which the model is least sure",
    "wrong": "how many heads are wrong, as far as the model knows",
}
WINDOW = 4  # words before and after one that is shown


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence and what it is ranked by."""

    value: float
    where: str
    sent_id: str | None
    words: int
    text: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A word whose annotation a parser disagrees with, and how sure the parser is."""

    confidence: float
    where: str
    sent_id: str | None
    word: int
    form: str
    head: int  # as annotated
    deprel: str
    predicted_head: int
    predicted_deprel: str
    context: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def value_of(parsed: Sentence, measure: str) -> float:
    """A measure of a sentence that was parsed with confidence.

    >>> sure = Sentence(["a", "b"], misc=["Confidence=0.5", "Confidence=0.7"])
    >>> value_of(sure, "mean"), value_of(sure, "least"), value_of(sure, "wrong")
    (0.6, 0.5, 0.8)
    """
    said = [word.confidence for word in parsed]
    known = [p for p in said if p is not None]
    if len(known) < len(said) or not known:
        raise ValueError("found a sentence without confidence, expected one that was parsed with it")
    if measure == "confidence":
        return parsed.confidence if parsed.confidence is not None else prod(known)
    if measure == "mean":
        return sum(known) / len(known)
    if measure == "least":
        return min(known)
    if measure == "wrong":
        return sum(1 - p for p in known)
    raise ValueError(f"found the measure {measure!r}, expected one of {', '.join(MEASURES)}")


class Ranking:
    """The sentences most worth annotating and the words most likely annotated wrongly, of as many as are given."""

    def __init__(self, measure: str = "confidence", labels: bool = False) -> None:
        """labels: whether labels that differ count where heads are the same."""
        if measure not in MEASURES:
            raise ValueError(f"found the measure {measure!r}, expected one of {', '.join(MEASURES)}")
        self.measure = measure
        self.labels = labels
        self.sentences: list[Ranked] = []
        self.words: list[Suspect] = []
        self.annotated = 0  # sentences with heads

    def add(self, given: Sentence, parsed: Sentence) -> None:
        """A sentence as it was given and as it was parsed, with confidence."""
        place = f"{given.file or 'sentence'}:{given.line}" if given.line else given.file or ""
        value = value_of(parsed, self.measure)
        self.sentences.append(Ranked(value, place, given.sent_id, len(given), given.text))
        if max(given.heads) >= 0:
            self.annotated += 1
            self.words += suspects(given, parsed, place, self.labels)

    def best(self, top: int) -> tuple[list[Ranked], list[Suspect]]:
        """The first so many of each; of equals those that came first."""
        sign = 1 if self.measure == "wrong" else -1
        return (
            nlargest(top, self.sentences, key=lambda entry: sign * entry.value),
            nlargest(top, self.words, key=lambda entry: entry.confidence),
        )


def suspects(given: Sentence, parsed: Sentence, place: str, labels: bool) -> Iterable[Suspect]:
    """The words of an annotated sentence whose head, or on request label, a parser gives otherwise."""
    forms = given.forms
    for gold, found in zip(given, parsed, strict=True):
        if gold.head < 0:
            continue
        other_head = gold.head != found.head
        if not other_head and not (labels and gold.deprel != found.deprel):
            continue
        sure = found.confidence if other_head else found.label_confidence
        if sure is not None:
            k = gold.id
            before, after = forms[max(0, k - 1 - WINDOW) : k - 1], forms[k : k + WINDOW]
            yield Suspect(
                sure, place, given.sent_id, k, gold.form, gold.head, gold.deprel, found.head, found.deprel,
                " ".join([*before, f"[{gold.form}]", *after]),
            )  # fmt: skip
