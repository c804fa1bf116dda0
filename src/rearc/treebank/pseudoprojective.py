"""The pseudo-projective transformation (Nivre & Nilsson 2005): projective trees whose labels tell the way back.

Non-projective arcs are lifted until the tree is projective, and the labels say what was done:

========= ============ ===========================================
encoding  a lifted arc an arc on the path that others were lifted
========= ============ ===========================================
head      d↑h          d
path      d↑           d↓
head+path d↑h          d↓
========= ============ ===========================================

d is the label of the arc itself, h that of its former head; d↑h↓ is both. The way back looks for the former
head below the present one, breadth first, from the top down and from left to right: with ``head`` the first
word labelled h, with ``path`` the first word where the arcs marked ↓ end, with ``head+path`` the first word
labelled h that arcs marked ↓ lead to.

>>> from rearc.treebank import Sentence
>>> gold = Sentence("a b c d".split(), heads=[2, 0, 2, 1], deprels=["x", "root", "y", "z"])
>>> projective = projectivise(gold, "head+path")
>>> projective.heads, projective.deprels
([2, 0, 2, 2], ['x↓', 'root', 'y', 'z↑x'])
>>> deprojectivise(projective, "head+path").heads
[2, 0, 2, 1]
"""

import re
from bisect import insort
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rearc.errors import RearcError
from rearc.treebank.errors import TreebankError
from rearc.treebank.lifting import lift
from rearc.treebank.sentence import Sentence
from rearc.treebank.trees import Heads, non_projective_arcs, root_distances

LIFTED = "↑"
PASSED = "↓"
ENCODINGS = {  # what their labels look like
    "head": re.compile("([^↑↓]+)(?:(↑)([^↑↓]+))?()"),
    "path": re.compile("([^↑↓]+)(?:(↑)())?(↓)?"),
    "head+path": re.compile("([^↑↓]+)(?:(↑)([^↑↓]+))?(↓)?"),
}


class Projectivised(NamedTuple):
    heads: list[int]
    labels: list[str]
    lifted: list[int]  # the words whose head is another now


class Restored(NamedTuple):
    heads: list[int]
    labels: list[str]
    unresolved: list[int]  # the words marked as lifted for which no former head was found: they stay


class Mark(NamedTuple):
    """A label taken apart."""

    label: str
    lifted: bool
    head_label: str | None
    passed: bool


class LabelError(RearcError):
    """The label of a word cannot be encoded, or is none that the encoding makes."""

    def __init__(self, word: int, found: str, expected: str, remedy: str) -> None:
        super().__init__(f"word {word}: found {found}, expected {expected}; {remedy}")
        self.word = word
        self.found = found
        self.expected = expected
        self.remedy = remedy


# --- heads and labels: slot 0 of both is the artificial root's -----------------------------------------------


def projective_heads(heads: Heads) -> NDArray[np.int32]:
    """The projective tree alone, without marks."""
    return lift(heads)[0]


def projectivise_tree(heads: Heads, labels: Sequence[str], encoding: str) -> Projectivised:
    """Lift the non-projective arcs and mark the labels."""
    _check_encoding(encoding)
    _check_lengths(heads, labels)
    for word in range(1, len(labels)):
        if LIFTED in labels[word] or PASSED in labels[word]:
            raise LabelError(
                word,
                f"the label {labels[word]!r}",
                f"one without {LIFTED} and {PASSED}, which mark lifted arcs",
                "rename the label, or deprojectivise first",
            )
    projective, passed = lift(heads)
    new_labels = list(labels)
    lifted = [word for word in range(1, len(labels)) if projective[word] != heads[word]]
    for word in lifted:
        new_labels[word] += LIFTED
        if encoding != "path":
            new_labels[word] += labels[heads[word]]
    if encoding != "head":
        for word in passed.nonzero()[0].tolist():
            new_labels[word] += PASSED
    return Projectivised(projective.tolist(), new_labels, lifted)


def deprojectivise_tree(heads: Heads, labels: Sequence[str], encoding: str) -> Restored:
    """Hang the words marked as lifted back on the heads that the marks tell, and take the marks off."""
    _check_encoding(encoding)
    _check_lengths(heads, labels)
    marks = [Mark(labels[0], False, None, False)]
    for word in range(1, len(labels)):
        mark = _mark(labels[word], encoding)
        if mark is None:
            raise LabelError(
                word,
                f"the label {labels[word]!r}",
                f"one of the encoding {encoding!r}",
                "give the encoding that the treebank was projectivised with",
            )
        marks.append(mark)
    distances = root_distances(heads).tolist()
    tree = _Descent(heads, marks, encoding)
    top_down = sorted(range(1, len(labels)), key=lambda word: (distances[word], word))
    unresolved = [word for word in top_down if marks[word].lifted and not tree.restore(word)]
    return Restored(tree.heads, [mark.label for mark in marks], sorted(unresolved))


class _Descent:
    """A tree in which former heads are looked for."""

    def __init__(self, heads: Heads, marks: list[Mark], encoding: str) -> None:
        self.heads = [int(head) for head in heads]
        self.marks = marks
        self.encoding = encoding
        self.dependents: list[list[int]] = [[] for _ in self.heads]
        for word in range(1, len(self.heads)):
            self.dependents[self.heads[word]].append(word)

    def restore(self, word: int) -> bool:
        target = self.former_head(word)
        if target:
            self.dependents[self.heads[word]].remove(word)
            insort(self.dependents[target], word)
            self.heads[word] = target
        return target != 0

    def former_head(self, lifted: int) -> int:
        """The first that fits, or 0: the former head is never the artificial root, whose arcs are projective."""
        waiting = deque([self.heads[lifted]])
        while waiting:
            for word in self.dependents[waiting.popleft()]:
                if word != lifted and (self.encoding == "head" or self.marks[word].passed):
                    if self.fits(word, lifted):
                        return word
                    waiting.append(word)
        return 0

    def fits(self, word: int, lifted: int) -> bool:
        if self.encoding == "path":
            return not any(self.marks[d].passed for d in self.dependents[word])
        return self.marks[word].label == self.marks[lifted].head_label


@lru_cache(maxsize=4096)
def _mark(label: str, encoding: str) -> Mark | None:
    match = ENCODINGS[encoding].fullmatch(label)
    return Mark(match[1], bool(match[2]), match[3], bool(match[4])) if match else None


def _check_encoding(encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise ValueError(f"the encoding {encoding!r}, expected one of {', '.join(ENCODINGS)}")


def _check_lengths(heads: Heads, labels: Sequence[str]) -> None:
    if len(heads) != len(labels):
        raise ValueError(
            f"{len(heads)} heads and {len(labels)} labels, expected one label for each head, slot 0 included"
        )


# --- sentences -----------------------------------------------------------------------------------------------


def projectivise(sentence: Sentence, encoding: str = "head") -> Sentence:
    """The sentence with a projective tree; the labels are marked where arcs were lifted."""
    _check_tree(sentence)
    try:
        heads, labels, _ = projectivise_tree(sentence.tree, ["", *sentence.deprels], encoding)
    except LabelError as error:
        raise _located(error, sentence) from None
    return sentence.replace(heads=heads[1:], deprels=labels[1:])


def deprojectivise(sentence: Sentence, encoding: str = "head") -> Sentence:
    """The sentence with the tree that the marks of its labels tell of; no mark is left."""
    _check_tree(sentence)
    try:
        heads, labels, _ = deprojectivise_tree(sentence.tree, ["", *sentence.deprels], encoding)
    except LabelError as error:
        raise _located(error, sentence) from None
    return sentence.replace(heads=heads[1:], deprels=labels[1:])


def _check_tree(sentence: Sentence) -> None:
    if not sentence.has_tree:
        raise TreebankError(
            sentence.file, sentence.line, 0, "a word without head", "a tree", "parse or annotate the sentence first"
        )


def _located(error: LabelError, sentence: Sentence) -> TreebankError:
    line = sentence._line_of(error.word)
    return TreebankError(sentence.file, line, 0, error.found, error.expected, error.remedy)


@dataclass
class RoundTrip:
    """What comes back when sentences are projectivised and restored."""

    encoding: str
    arcs: int = 0
    non_projective: int = 0
    lifted: int = 0
    restored: int = 0  # arcs with head and label as before
    lifted_restored: int = 0
    labels: set[str] = field(default_factory=set)
    encoded_labels: set[str] = field(default_factory=set)

    def add(self, sentence: Sentence) -> None:
        heads, labels = [0, *sentence.heads], ["", *sentence.deprels]
        projective = projectivise_tree(heads, labels, self.encoding)
        restored = deprojectivise_tree(projective.heads, projective.labels, self.encoding)
        back = [
            restored.heads[word] == heads[word] and restored.labels[word] == labels[word] for word in range(len(labels))
        ]
        self.arcs += len(sentence)
        self.non_projective += len(non_projective_arcs(heads))
        self.lifted += len(projective.lifted)
        self.restored += sum(back[1:])
        self.lifted_restored += sum(back[word] for word in projective.lifted)
        self.labels.update(labels[1:])
        self.encoded_labels.update(projective.labels[1:])


def round_trip(sentences: Iterable[Sentence], encoding: str) -> RoundTrip:
    """Projectivise and restore, and count what comes back exactly."""
    result = RoundTrip(encoding)
    for sentence in sentences:
        result.add(sentence)
    return result
