"""Gold and predicted trees over the same words, side by side in flat arrays."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import IO, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from rearc.evaluation.errors import EvaluationError
from rearc.treebank import Sentence, read

Source = str | os.PathLike[str] | IO[bytes] | Iterable[Sentence]
Punctuation = Literal["all", "unicode", "upos"]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

COLUMNS = {"forms", "upos", "heads", "deprels"}  # what a `Pairs` is made of
_CONLL18 = "the CoNLL 2018 metrics (conll18), which align differing sentences, tokens and words"


@dataclass(frozen=True, slots=True)
class Pairs:
    """One entry per word of the whole text. `scored` is false for the words that do not count."""

    starts: Ints  # sentence i has the words starts[i] … starts[i + 1] − 1
    gold_heads: Ints
    heads: Ints
    gold_labels: Ints  # numbers of `label_names`
    labels: Ints
    label_names: list[str]
    tags: Ints  # gold UPOS, numbers of `tag_names`
    tag_names: list[str]
    scored: Bools

    @property
    def head_correct(self) -> Bools:
        return np.equal(self.heads, self.gold_heads) & self.scored

    @property
    def label_correct(self) -> Bools:
        return np.equal(self.labels, self.gold_labels) & self.scored

    @property
    def both_correct(self) -> Bools:
        return self.head_correct & self.label_correct

    @property
    def lengths(self) -> Ints:
        """Words in each sentence, scored or not."""
        return np.diff(self.starts)

    def per_sentence(self, flags: Bools) -> Ints:
        """How many words of each sentence are flagged."""
        running = np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))
        return running[self.starts[1:]] - running[self.starts[:-1]]

    def forest(self, heads: Ints) -> NDArray[np.int32]:
        """The trees of all sentences as one, with its root slot: all their roots hang on one artificial root.

        Lengths, distances to the root and projectivity of the arcs are the same as in the single trees, as a
        sentence is a run of words and whatever is not below it is below the artificial root.
        """
        shifted = np.where(heads == 0, 0, heads + np.repeat(self.starts[:-1], self.lengths))
        return np.concatenate(([0], shifted)).astype(np.int32)


class Numbers(dict[str, int]):
    """Numbers strings 0, 1, … in the order in which they come."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number

    def of(self, strings: list[str]) -> list[int]:
        return list(map(self.__getitem__, strings))


def is_punctuation(form: str) -> bool:
    """The rule of CoNLL's eval.pl: every character is of a Unicode category P*.

    >>> is_punctuation("»..."), is_punctuation("$"), is_punctuation("'s")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def bare(label: str) -> str:
    """The label without its subtype.

    >>> bare("nsubj:pass")
    'nsubj'
    """
    return label.split(":", 1)[0]


def sentences(source: Source, columns: set[str]) -> Iterable[Sentence]:
    """The sentences, of which at least `columns` are there."""
    if isinstance(source, str | os.PathLike):
        return read(source, columns=columns)
    return read(cast(IO[bytes], source), columns=columns) if hasattr(source, "read") else source


def name_of(source: Source, role: str) -> str:
    """What messages call a source of which no sentence is at hand."""
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else getattr(source, "file", None)
    return name if isinstance(name, str) else role


def file_of(sentence: Sentence, role: str) -> str:
    """What messages call the file of a sentence."""
    return sentence.file or role


def check_tree(sentence: Sentence, role: str, number: int) -> None:
    """The words have heads; a `Sentence` sees to it that heads make a tree."""
    if not sentence.has_tree:
        raise EvaluationError(
            file_of(sentence, role),
            "no heads",
            "a tree",
            "scores need complete trees in both files: parse the sentence or leave it out of both",
            sentence=number,
            line=sentence.line,
        )


def pair(
    gold: Source,
    predicted: Source,
    *,
    punctuation: Punctuation = "all",
    subtypes: bool = True,
    name: str = "predicted",
) -> Pairs:
    """Read gold and predicted side by side; their words must be the same.

    Messages use `name` for a prediction that comes from no file.
    """
    if punctuation not in get_args(Punctuation):
        choices = ", ".join(map(repr, get_args(Punctuation)))
        raise ValueError(f"punctuation={punctuation!r} is not one of {choices}")
    label_numbers, tag_numbers, form_numbers = Numbers(), Numbers(), Numbers()
    gold_labels: list[int] = []
    labels: list[int] = []
    tags: list[int] = []
    forms: list[int] = []
    gold_trees, trees, lengths = [], [], []
    files = name_of(gold, "gold"), name_of(predicted, name)
    # The readers have no name here, so that they close their files when an error ends the loop.
    for number, (gold_sentence, sentence) in enumerate(
        zip_longest(sentences(gold, COLUMNS), sentences(predicted, COLUMNS)), start=1
    ):
        if gold_sentence is None or sentence is None:
            raise _different_numbers(files, number - 1, longer=0 if sentence is None else 1)
        files = file_of(gold_sentence, "gold"), file_of(sentence, name)
        gold_forms = gold_sentence.forms
        if gold_forms != sentence.forms:
            raise _different_words(files, gold_sentence, sentence, number)
        check_tree(gold_sentence, "gold", number)
        check_tree(sentence, name, number)
        lengths.append(len(gold_forms))
        gold_trees.append(gold_sentence.tree[1:])
        trees.append(sentence.tree[1:])
        gold_labels += label_numbers.of(gold_sentence.deprels)
        labels += label_numbers.of(sentence.deprels)
        tags += tag_numbers.of(gold_sentence.upos)
        if punctuation == "unicode":
            forms += form_numbers.of(gold_forms)
    if not lengths:
        raise EvaluationError(files[0], "no sentences", "at least one", "give files that have sentences")
    if punctuation == "unicode":
        scored = ~np.array([is_punctuation(form) for form in form_numbers], dtype=bool)[forms]
    elif punctuation == "upos":
        scored = np.array([tag != "PUNCT" for tag in tag_numbers], dtype=bool)[tags]
    else:
        scored = np.ones(len(tags), dtype=bool)
    if not scored.any():
        raise EvaluationError(files[0], "nothing but punctuation", "words to score", 'score it with punctuation="all"')
    label_names = list(label_numbers)
    label_of = np.arange(len(label_names))
    if not subtypes:
        bare_numbers = Numbers()
        label_of = np.array(bare_numbers.of(list(map(bare, label_names))))
        label_names = list(bare_numbers)
    return Pairs(
        starts=np.concatenate(([0], np.cumsum(lengths))),
        gold_heads=np.concatenate(gold_trees).astype(np.int64),
        heads=np.concatenate(trees).astype(np.int64),
        gold_labels=label_of[gold_labels],
        labels=label_of[labels],
        label_names=label_names,
        tags=np.array(tags),
        tag_names=list(tag_numbers),
        scored=scored,
    )


def _different_numbers(files: tuple[str, str], both: int, longer: int) -> EvaluationError:
    sentences = f"{both:,} sentence" if both == 1 else f"{both:,} sentences"
    return EvaluationError(
        files[1],
        sentences if longer == 0 else f"more than {sentences}",
        f"more than {both:,}, as in {files[0]}" if longer == 0 else f"{both:,}, as in {files[0]}",
        f"give the whole output for these sentences, or use {_CONLL18}",
    )


def _different_words(files: tuple[str, str], gold: Sentence, predicted: Sentence, number: int) -> EvaluationError:
    aligned = zip_longest(gold.forms, predicted.forms)
    word, (expected, found) = next((k, pair) for k, pair in enumerate(aligned, start=1) if pair[0] != pair[1])
    return EvaluationError(
        files[1],
        "the end of the sentence" if found is None else f"{found!r}",
        ("the end of the sentence" if expected is None else f"{expected!r}") + f" as in {files[0]}",
        f"attachment scores need the same words in both: give those, or use {_CONLL18}",
        sentence=number,
        word=word,
        line=predicted.line,
    )
