"""What a tagger learns, one column at a time."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.perceptron.growing import LabelLearner
from rearc.perceptron.weights import Rows, pack_labels, sum_rows
from rearc.tagger.lexicons import make_lexicon
from rearc.tagger.passes import learn, tag
from rearc.tagger.rules import KEEP, make_rule
from rearc.tagger.tagger import Column
from rearc.tagger.templates import templates_for
from rearc.tagger.words import NAMES, WordEncoder, normal, number
from rearc.treebank import Sentence

RARE = 2  # words that occur less often are learnt without their form, so that their affixes have to tell the tag
USUAL = 3  # a word must occur at least this often to have usual tags
USUAL_SHARE = 0.05  # a tag is usual for a word if it has at least this share of the word's occurrences
LEXICON = ("w", "n")  # how forms are known: as they are, or else in lower case with 0 for digits
RARE_FORMS = ("w",)  # how forms are known that are rare
LEMMA_SHARE = 0.05  # as USUAL_SHARE, of the lemma rules of a form in the lexicon
OPEN = 2  # a rule may be for other forms if so many different ones had it
MAX_RULES = 32_768
SHORT = 2.5  # characters of a word on average, below which they are those of a script such as Chinese


@dataclass(frozen=True)
class TagEpoch:
    """What is reported after each epoch.

    >>> from rearc.treebank import read, sample
    >>> def look(epoch):
    ...     print(f"{epoch.column}, epoch {epoch.epoch} of {epoch.epochs}: {epoch.words} words")
    >>> from rearc.tagger import train
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


class Material:
    """The treebanks as numbers."""

    def __init__(self, sentences: list[Sentence], dev: list[Sentence], clusters: Mapping[str, str] | None) -> None:
        if not sentences:
            raise ValueError("found no sentences, expected some to learn from")
        self.sentences, self.dev, self.clusters = sentences, dev, clusters
        self.usual = usual_tags(sentences)
        self.stems = stems_of(sentences)
        self.is_short = sum(len(form) for s in sentences for form in s.forms) < SHORT * sum(map(len, sentences))
        encoder = WordEncoder(self.usual, clusters, self.stems)
        self.words = encoder.encode([s.forms for s in sentences], RARE)
        self.dev_words = encoder.encode([s.forms for s in dev])


class Task:
    """One column to learn. `earlier` are those learnt before it, which it may look at; the first of them is UPOS."""

    def __init__(self, name: str, material: Material, earlier: Sequence[Column]) -> None:
        self.name, self.material = name, material
        self.given = {c.name: numbers(material.sentences, c.name, c.classes) for c in earlier}
        self.before = [column.make_pass() for column in earlier]
        templates = templates_for(name, tuple(self.given), material.clusters is not None, material.is_short)
        self.column = Column(name, templates, (), (), {})
        self.gold: NDArray[np.int32]
        self._define(len(earlier[0].classes) if earlier else 1)
        self.units = self.column.units()[1]

    def _define(self, group_count: int) -> None:
        """The classes, their groups, and the class of each word."""
        classes = sorted({tag for s in self.material.sentences for tag in set(getattr(s, self.name))})
        self.gold = numbers(self.material.sentences, self.name, classes)
        pairs = np.unique(np.stack([self.given.get("upos", np.zeros_like(self.gold)), self.gold]), axis=1)
        groups = [tuple(pairs[1, pairs[0] == k].tolist()) for k in range(group_count)]
        self.column = replace(self.column, classes=tuple(classes), groups=tuple(groups))
        if self.name == "upos":
            self.column = replace(self.column, attributes=RARE_FORMS, lexicon=self._rare_forms())

    def _rare_forms(self) -> dict[str, NDArray[Any]]:
        """The tags of forms that are too rare to learn which are usual: they get no others."""
        words = WordEncoder({}).encode([s.forms for s in self.material.sentences])
        counts = np.bincount(words.tokens)[words.tokens]
        gold = np.where(counts < USUAL, self.gold, np.int32(-1))
        return make_lexicon(RARE_FORMS, words, np.zeros_like(gold), gold, 0.0)

    def learn(self, epochs: int, runs: int, seed: int, prune: float, report: Report) -> Column:
        """The mean of the runs. The first finds the number of epochs that is best on dev; the others train as long."""
        total: Rows | None = None
        order = list(range(self.material.words.sentences))
        for run in range(runs):
            learner = LabelLearner(self.units)
            step = self.column.make_pass(learner)
            best: tuple[float, int] = (-1.0, epochs)
            averaged = None
            for epoch in range(epochs):
                random.Random(f"{seed} {self.name} {run} {epoch}").shuffle(order)
                mistakes = learn(step, self.material.words, self.given, self.gold, np.array(order, dtype=np.int64))
                accuracy = None
                if run == 0 and self.material.dev:
                    weights = learner.average()
                    accuracy = self._score(self._packed(weights, prune))
                    if accuracy > best[0]:
                        best, averaged = (accuracy, epoch + 1), weights
                report(TagEpoch(self.name, run + 1, runs, epoch + 1, epochs, len(self.gold), mistakes, accuracy))
            epochs = best[1]
            learnt = averaged or learner.average()
            total = sum_rows(total, learnt) if total else learnt
        assert total is not None
        return self._chosen(self._packed(total._replace(weights=total.weights / np.float32(runs)), prune))

    def _chosen(self, column: Column) -> Column:
        """UPOS goes by a lexicon of rare forms unless dev is tagged better without."""
        if self.name != "upos" or not self.material.dev:
            return column
        without = replace(column, attributes=(), lexicon={})
        return max((column, without), key=self._score)

    def _packed(self, rows: Rows, prune: float) -> Column:
        kept = np.where(np.abs(rows.weights) > prune, rows.weights, np.float32(0))
        return replace(self.column, weights=pack_labels(rows._replace(weights=kept)))

    def _score(self, column: Column) -> float:
        """Accuracy on dev."""
        chosen = tag([*self.before, column.make_pass()], self.material.dev_words)[0][-1]
        found = self.column.tags(chosen.tolist(), self.material.dev)
        right = [tag for s in self.material.dev for tag in getattr(s, self.name)]
        return 100 * float(np.mean([a == b for a, b in zip(found, right, strict=True)]))


class LemmaTask(Task):
    """Lemmas: the classes are rules.

    Forms of the treebank get, with their UPOS, the rules they had there. What is learnt is to choose among these where
    there are several, and the rule of other forms: so all forms are learnt from as if they were new.
    """

    def _define(self, group_count: int) -> None:
        material = self.material
        made = {pair: make_rule(*pair) for s in material.sentences for pair in set(zip(s.forms, s.lemmas, strict=True))}
        pairs = [pair for s in material.sentences for pair in zip(s.forms, s.lemmas, strict=True)]
        known = np.array([lemma != "_" or form == "_" for form, lemma in pairs])
        rules = Counter(made[pair] for pair, is_known in zip(pairs, known, strict=True) if is_known)
        frequent = sorted(rules, key=lambda rule: (-rules[rule], rule))[:MAX_RULES]
        classes = sorted({*frequent, KEEP})
        places = {rule: k for k, rule in enumerate(classes)}
        gold = np.array([places.get(made[pair], -1) for pair in pairs], dtype=np.int32)
        gold[~known] = -1
        upos = self.given["upos"]
        words = WordEncoder({}).encode([s.forms for s in material.sentences])
        lexicon = make_lexicon(LEXICON, words, upos, gold, LEMMA_SHARE)
        groups = self._groups(words.rows[words.tokens, NAMES.index("n")], upos, gold, group_count, places[KEEP])
        allowed = np.zeros((group_count, len(classes) + 1), dtype=bool)
        for k, group in enumerate(groups):
            allowed[k, list(group)] = True
        self.gold = np.where(allowed[upos, gold], gold, np.int32(-1))
        self.column = replace(
            self.column, classes=tuple(classes), groups=tuple(groups), attributes=LEXICON, lexicon=lexicon
        )

    @staticmethod
    def _groups(
        forms: NDArray[np.uint32], upos: NDArray[np.int32], gold: NDArray[np.int32], group_count: int, keep: int
    ) -> list[tuple[int, ...]]:
        """For each UPOS the rules that may do for other forms, and those between which a form leaves a choice."""
        found = np.unique(np.stack([upos, gold, forms.view(np.int32)])[:, gold >= 0], axis=1)
        different: list[Counter[int]] = [Counter() for _ in range(group_count)]
        choices: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for tag_, rule, form in found.T.tolist():
            different[tag_][rule] += 1
            choices[tag_, form].append(rule)
        groups = [{rule for rule, count in counts.items() if count >= OPEN} for counts in different]
        for (tag_, _), several in choices.items():
            if len(several) > 1:
                groups[tag_].update(several)
        return [tuple(sorted(group or {keep})) for group in groups]


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


def stems_of(sentences: Iterable[Sentence]) -> dict[int, int]:
    """Stems: what forms and their lemmas begin with; the number of the form that has it, 0 if several have."""
    pairs = {pair for s in sentences for pair in zip(s.forms, s.lemmas, strict=True) if pair[1] != "_"}
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for form, lemma in pairs:
        lower = normal(form)
        same = takewhile(lambda pair: pair[0] == pair[1], zip(lower, normal(lemma), strict=False))
        stem = lower[: len([*same])]
        if len(stem) > 1:
            forms[stem].add(lower)
    return {number(stem): number(*found) if len(found) == 1 else 0 for stem, found in forms.items()}


def numbers(sentences: Iterable[Sentence], name: str, classes: Sequence[str]) -> NDArray[np.int32]:
    """The tags of a column as places in the list of classes; −1 where a tag is not in the list."""
    places = {tag: k for k, tag in enumerate(classes)}
    return np.array([places.get(tag, -1) for s in sentences for tag in getattr(s, name)], dtype=np.int32)
