"""Treebanks to learn from: read, made fit for a system, and encoded once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle
from rearc.oracles.walk import Trees, derive
from rearc.parser.header import Label, Treebank
from rearc.perceptron.weights import MOST_LABELS
from rearc.systems import traits
from rearc.training.errors import TrainingError
from rearc.treebank import Sentence, TreebankError, read, write
from rearc.treebank.partial import without_clashes
from rearc.treebank.pseudoprojective import projective_heads, projectivise
from rearc.treebank.trees import is_projective

Source = str | os.PathLike[str] | Iterable[Sentence]

NON_PROJECTIVE = ("lift", "drop", "head", "path", "head+path")


@dataclass(frozen=True)
class Corpus:
    """Sentences with trees, and what they are called."""

    sentences: list[Sentence]
    about: Treebank
    own: int = 0  # the first so many are the treebank's own, if a teacher parsed the others
    alone: int = 0  # the last so many epochs learn from those alone


def read_corpus(source: Source) -> Corpus:
    """All of a treebank: a path, or sentences."""
    if isinstance(source, (str, os.PathLike)):
        return make_corpus(os.fspath(source), read(source))
    return make_corpus("<sentences>", source)


def make_corpus(name: str, sentences: Iterable[Sentence]) -> Corpus:
    """Sentences with heads, under the name of their file; some heads may be unknown.

    Where they are, a sentence may also have none: one that was not looked at yet. In a treebank of whole trees it is
    taken for a mistake.
    """
    kept = list(sentences)
    if not kept:
        raise TrainingError(f"{name}: found no sentences, expected a treebank; check the file")
    in_part = any(sentence.has_heads and not sentence.has_tree for sentence in kept)
    for sentence in kept:
        if not sentence.has_heads and not in_part:
            raise TreebankError(
                sentence.file, sentence.line, 0, "a sentence without heads", "a tree", "train on annotated sentences"
            )
    name = "<stdin>" if name == "-" else PurePath(name).name
    return Corpus(kept, Treebank(name, _sha256(kept), len(kept), sum(map(len, kept))))


def _sha256(sentences: Iterable[Sentence]) -> str:
    """Of the sentences as CoNLL-U: what sha256sum says of a file in that format."""

    class Digest:
        name = "<sha256>"

        def __init__(self) -> None:
            self.hash = hashlib.sha256()

        def write(self, block: bytes | memoryview) -> int:
            self.hash.update(block)
            return len(block)

        def flush(self) -> None: ...

    digest = Digest()
    write(sentences, digest, format="conllu")  # type: ignore[arg-type]
    return digest.hash.hexdigest()


def fit(
    sentences: list[Sentence], system: str, single_root: bool, non_projective: str
) -> tuple[list[Sentence], list[str]]:
    """The sentences with trees that the system can derive, and what had to be done for that, in words."""
    notes: list[str] = []
    if single_root:
        kept = [s for s in sentences if has_one_root(s)]
        if len(kept) < len(sentences):
            notes.append(f"{_count(len(sentences) - len(kept))} with several roots left out, as one root is asked for")
        sentences = kept
    if not all(s.has_tree for s in sentences):
        return _fit_partial(sentences, system, single_root, non_projective, notes)
    return _fit_whole(sentences, system, single_root, non_projective, notes)


def _fit_partial(
    sentences: list[Sentence], system: str, single_root: bool, non_projective: str, notes: list[str]
) -> tuple[list[Sentence], list[str]]:
    """Where some heads are unknown. Known arcs that clash cannot be lifted, for what is above them may be unknown: they
    become unknown themselves."""
    unknown = sum(head < 0 for s in sentences for head in s.heads)
    words = sum(map(len, sentences))
    notes.append(f"{unknown:,} of {words:,} heads are unknown: nothing is learnt from them")
    sentences = [s for s in sentences if s.has_heads]
    whole = [s for s in sentences if s.has_tree]
    kept, more = _fit_whole(whole, system, single_root, non_projective, []) if whole else ([], [])
    notes += more
    crossing = 0
    for sentence in sentences:
        if sentence.has_tree:
            continue
        known = {d: h for d, h in enumerate(sentence.heads, 1) if h >= 0}
        left = known if traits(system).derives_all else without_clashes(known)
        crossing += len(left) < len(known)
        if len(left) == len(known):
            kept.append(sentence)
        elif non_projective != "drop" and left:
            kept.append(sentence.replace(heads=[left.get(d, -1) for d in range(1, len(sentence) + 1)]))
    if crossing:
        done = (
            "left out"
            if non_projective == "drop"
            else "known in part get an unknown head for each arc that crosses another"
        )
        notes.append(f"{_count(crossing)} with non-projective arcs {done}, as {system} cannot derive them")
    if not kept:
        raise TrainingError(f"found no sentence that {system} can derive, expected some; choose another system")
    return kept, notes


def has_one_root(sentence: Sentence) -> bool:
    """Whether it has one root; one at most, where heads are unknown."""
    count = sentence.heads.count(0)
    return count == 1 if sentence.has_tree else count <= 1


def _fit_whole(
    sentences: list[Sentence], system: str, single_root: bool, non_projective: str, notes: list[str]
) -> tuple[list[Sentence], list[str]]:
    if not traits(system).derives_all:
        fits = _derivable(sentences, system, single_root)
        both = list(zip(sentences, fits, strict=True))
        if non_projective == "drop":
            sentences = [s for s, fits_already in both if fits_already]
        elif non_projective == "lift":
            sentences = [s if fits_already else _lifted(s) for s, fits_already in both]
        else:  # projective trees too, whose labels could look like marks
            sentences = [
                s if fits_already and not is_projective(s.tree) else projectivise(s, non_projective)
                for s, fits_already in both
            ]
        if not all(fits):
            done = {"drop": "left out", "lift": "lifted"}.get(non_projective, f"lifted and marked ({non_projective})")
            why = "none" if traits(system).projective else "some, but not these"
            notes.append(f"{_count(fits.count(False))} with a non-projective tree {done}, as {system} derives {why}")
    if not sentences:
        raise TrainingError(f"found no sentence that {system} can derive, expected some; choose another system")
    return sentences, notes


def _derivable(sentences: Sequence[Sentence], system: str, single_root: bool) -> list[bool]:
    """Which of the trees the system derives."""
    if traits(system).projective:
        return [is_projective(s.tree) for s in sentences]
    judge = oracle(system, "static", [0, 0], single_root=single_root)
    right = derive(judge, Trees([s.tree for s in sentences]))[:, 2]
    return [len(s) == heads for s, heads in zip(sentences, right.tolist(), strict=True)]


def _lifted(sentence: Sentence) -> Sentence:
    return sentence.replace(heads=projective_heads(sentence.tree)[1:].tolist())


def _count(number: int) -> str:
    return f"{number:,} {'sentence' if number == 1 else 'sentences'}"


def labels_of(sentences: Iterable[Sentence]) -> tuple[Label, ...]:
    """The labels in order, with where they hang."""
    of_root: set[str] = set()
    of_word: set[str] = set()
    for sentence in sentences:
        for head, label in zip(sentence.heads, sentence.deprels, strict=True):
            if head < 0 or (label == "_" and not sentence.has_tree):
                continue  # unknown
            (of_word if head else of_root).add(label)
    count = len(of_root | of_word)
    if count > MOST_LABELS:
        raise TrainingError(
            f"found {count:,} different labels, expected at most {MOST_LABELS:,}, as many as a model file can number; "
            "check DEPREL, or choose another encoding of lifted arcs"
        )
    return tuple(Label(name, name in of_root, name in of_word) for name in sorted(of_root | of_word))


@dataclass(frozen=True)
class Encoded:
    """Sentences as numbers: their words, and their trees with a slot for the root before each."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    heads: NDArray[np.intc]
    labels: NDArray[np.intc]
    tree_offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1


def encode(sentences: list[Sentence], labels: tuple[Label, ...], encoder: TokenEncoder) -> Encoded:
    """Encode sentences; a label that is not among the labels is −1."""
    number = {label.name: k for k, label in enumerate(labels)}
    values, offsets = encoder.encode(sentences)
    sizes = np.array([len(s) + 1 for s in sentences], dtype=np.int64)
    return Encoded(
        values=values,
        offsets=offsets,
        heads=np.array([head for s in sentences for head in (0, *s.heads)], dtype=np.intc),
        labels=np.array([k for s in sentences for k in (-1, *(number.get(d, -1) for d in s.deprels))], dtype=np.intc),
        tree_offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)]),
    )
