"""The metrics of the CoNLL 2018 shared task on Universal Dependencies (Zeman et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rearc.evaluation.errors import EvaluationError
from rearc.evaluation.pairs import Bools, Ints, Numbers, Source, bare, check_tree, file_of, name_of, sentences
from rearc.evaluation.segmentation import Segmentation, Span, align
from rearc.treebank import Sentence

CONTENT = {
    *("acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse"),
    *("dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj"),
    *("obl", "orphan", "parataxis", "reparandum", "root", "vocative", "xcomp"),
}
FUNCTIONAL = {"aux", "case", "cc", "clf", "cop", "det", "mark"}
UNIVERSAL_FEATURES = {
    *("Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood"),
    *("NumType", "Number", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense"),
    *("VerbForm", "Voice"),
}

_COLUMNS = {"forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels", "multiwords"}
_ROOT = -1  # in place of a word: the artificial root, or
_UNALIGNED = -2  # a system word that no gold word is aligned with


@dataclass(frozen=True, slots=True)
class Metric:
    """Counts of one metric; in percent: precision, recall, F1 and the accuracy on the aligned words.

    `aligned` and `aligned_accuracy` are None for tokens, sentences and words, which are themselves what is
    aligned.

    >>> Metric(correct=1, gold=2, system=2).f1
    50.0
    """

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        return 100 * (self.correct / self.system) if self.system else 0.0

    @property
    def recall(self) -> float:
        return 100 * (self.correct / self.gold) if self.gold else 0.0

    @property
    def f1(self) -> float:
        both = self.gold + self.system
        return 100 * (2 * self.correct / both) if both else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        if self.aligned is None:
            return None
        return 100 * (self.correct / self.aligned) if self.aligned else 0.0

    def as_dict(self) -> dict[str, float | int | None]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aligned_accuracy": self.aligned_accuracy,
            **asdict(self),
        }


class Conll18(dict[str, Metric]):
    """The metrics by name: Tokens, Sentences, Words, UPOS, XPOS, UFeats, AllTags, Lemmas, UAS, LAS, CLAS,
    MLAS, BLEX.

    `uas` and `las` are attachment scores in percent as `evaluate` defines them, with whole labels; where the words
    differ, they are F1 scores over the aligned ones.

    >>> from rearc.treebank import sample
    >>> conll18(sample(), sample())["MLAS"].f1
    100.0
    """

    uas: float
    las: float

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {name: metric.as_dict() for name, metric in self.items()}


def conll18(gold: Source, predicted: Source) -> Conll18:
    """Score `predicted` against `gold`, which may differ in tokens, words and sentences but not in the text.

    As in the shared task, each sentence must be a tree with a single root; labels are compared without
    subtypes, and only universal features count.

    >>> from rearc.treebank import Sentence
    >>> one = Sentence(["cannot"], heads=[0], deprels=["root"])
    >>> two = Sentence(["can", "not"], heads=[0, 1], deprels=["root", "advmod"])
    >>> conll18([two], [one])["Words"].f1
    0.0
    """
    numbers = Numbers()
    here = _load(gold, "gold", numbers)
    there = _load(predicted, "predicted", numbers)
    _check_text(here, there)
    g, s = np.array(align(here.text, there.text), dtype=np.int64).reshape(-1, 2).T

    # The gold word of each system word; at the end, where negative numbers point, those that are none.
    gold_word = np.full(len(there.parents) + 2, _UNALIGNED)
    gold_word[s] = g
    gold_word[_ROOT] = _ROOT
    head = here.parents[g] == gold_word[there.parents[s]]
    label = here.labels[g] == there.labels[s]
    upos = here.upos[g] == there.upos[s]
    xpos = here.xpos[g] == there.xpos[s]
    features = here.features[g] == there.features[s]
    # A word without a gold lemma is not judged by it.
    lemma = (here.lemmas[g] == there.lemmas[s]) | (here.lemmas[g] == numbers["_"])
    children = _same_function_words(here, there, g, s, gold_word)

    every = len(here.parents), len(there.parents), len(g)
    content = here.content[g]
    contents = int(here.content.sum()), int(there.content.sum()), int(content.sum())

    def words(correct: Bools) -> Metric:
        return Metric(int(correct.sum()), *every)

    def content_words(correct: Bools) -> Metric:
        return Metric(int((correct & content).sum()), *contents)

    metrics = Conll18(
        {
            "Tokens": _spans(here.text.tokens, there.text.tokens),
            "Sentences": _spans(here.text.sentences, there.text.sentences),
            "Words": Metric(len(g), len(here.parents), len(there.parents)),
            "UPOS": words(upos),
            "XPOS": words(xpos),
            "UFeats": words(features),
            "AllTags": words(upos & xpos & features),
            "Lemmas": words(lemma),
            "UAS": words(head),
            "LAS": words(head & label),
            "CLAS": content_words(head & label),
            "MLAS": content_words(head & label & upos & features & children),
            "BLEX": content_words(head & label & lemma),
        }
    )
    metrics.uas = metrics["UAS"].f1
    metrics.las = words(head & (here.whole_labels[g] == there.whole_labels[s])).f1
    return metrics


@dataclass(frozen=True, slots=True)
class _Side:
    file: str
    text: Segmentation
    lines: list[int]  # of each sentence
    parents: Ints  # number of the head in the whole text, or _ROOT
    labels: Ints  # without subtypes
    whole_labels: Ints
    upos: Ints
    xpos: Ints
    features: Ints
    lemmas: Ints
    content: Bools
    functional: Bools


def _load(source: Source, role: str, numbers: Numbers) -> _Side:
    text = Segmentation()
    lines: list[int] = []
    parents: list[int] = []
    labels: list[int] = []
    whole_labels: list[int] = []
    upos: list[int] = []
    xpos: list[int] = []
    features: list[int] = []
    lemmas: list[int] = []
    bare_number, features_number = _cached(bare, numbers), _cached(_universal, numbers)
    for number, sentence in enumerate(sentences(source, _COLUMNS), start=1):
        _check(sentence, role, number)
        lines.append(sentence.line)
        blank = text.add(sentence)
        if blank:
            raise EvaluationError(
                file_of(sentence, role),
                "a form of nothing but spaces",
                "a visible character",
                "a word without characters cannot be aligned: give it a form",
                sentence=number,
                word=blank,
                line=sentence.line,
            )
        before = len(parents) - 1
        parents += [before + head if head else _ROOT for head in sentence.heads]
        labels += map(bare_number.__getitem__, sentence.deprels)
        whole_labels += numbers.of(sentence.deprels)
        features += map(features_number.__getitem__, sentence.feats)
        upos += numbers.of(sentence.upos)
        xpos += numbers.of(sentence.xpos)
        lemmas += numbers.of(sentence.lemmas)
    if not lines:
        raise EvaluationError(name_of(source, role), "no sentences", "at least one", "give files that have sentences")
    label_array = np.array(labels)
    return _Side(
        file=file_of(sentence, role),
        text=text,
        lines=lines,
        parents=np.array(parents),
        labels=label_array,
        whole_labels=np.array(whole_labels),
        upos=np.array(upos),
        xpos=np.array(xpos),
        features=np.array(features),
        lemmas=np.array(lemmas),
        content=np.isin(label_array, [numbers[label] for label in CONTENT]),
        functional=np.isin(label_array, [numbers[label] for label in FUNCTIONAL]),
    )


class _cached(dict[str, int]):
    """The number of what a function makes of a string, worked out once for each string."""

    def __init__(self, function: Callable[[str], str], numbers: Numbers) -> None:
        self.function = function
        self.numbers = numbers

    def __missing__(self, key: str) -> int:
        self[key] = number = self.numbers[self.function(key)]
        return number


def _universal(features: str) -> str:
    """The universal ones of the features, in one order."""
    pairs = features.split("|")
    return "|".join(sorted(pair for pair in pairs if pair.split("=", 1)[0] in UNIVERSAL_FEATURES))


def _check(sentence: Sentence, role: str, number: int) -> None:
    check_tree(sentence, role, number)
    roots = sentence.heads.count(0)
    if roots > 1:
        raise EvaluationError(
            file_of(sentence, role),
            f"{roots} roots",
            "one",
            "the CoNLL 2018 metrics need trees with a single root; attachment scores (evaluate) take several",
            sentence=number,
            line=sentence.line,
        )


def _check_text(gold: _Side, system: _Side) -> None:
    """Both sides have the same characters."""
    expected, found = "".join(gold.text.pieces), "".join(system.text.pieces)
    if expected == found:
        return
    shorter = min(len(expected), len(found))
    at = next((i for i in range(shorter) if expected[i] != found[i]), shorter)
    number = min(sum(begin <= at for begin, _ in system.text.sentences), len(system.lines))
    raise EvaluationError(
        system.file,
        repr(found[at : at + 20]) if at < len(found) else "the end of the text",
        (repr(expected[at : at + 20]) if at < len(expected) else "the end of the text")
        + f" as in {gold.file} (characters without spaces)",
        "both must be analyses of the same text: only tokens, words and sentences may differ",
        sentence=number,
        line=system.lines[number - 1],
    )


def _spans(gold: list[Span], system: list[Span]) -> Metric:
    return Metric(len(set(gold) & set(system)), len(gold), len(system))


def _same_function_words(gold: _Side, system: _Side, g: Ints, s: Ints, gold_word: Ints) -> Bools:
    """For each aligned pair: do both words have the same function words as children, alike in label, tag
    and features?"""

    def children(side: _Side, names: Ints) -> dict[int, list[tuple[int, int, int, int]]]:
        found: dict[int, list[tuple[int, int, int, int]]] = {}
        for child in np.flatnonzero(side.functional).tolist():
            key = int(names[child]), int(side.labels[child]), int(side.upos[child]), int(side.features[child])
            found.setdefault(int(side.parents[child]), []).append(key)
        return found

    gold_children = children(gold, np.arange(len(gold.parents)))
    system_children = children(system, gold_word)
    return np.array(
        [gold_children.get(i) == system_children.get(j) for i, j in zip(g.tolist(), s.tolist(), strict=True)],
        dtype=bool,
    )
