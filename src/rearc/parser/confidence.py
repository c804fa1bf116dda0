"""How sure a parser may be of what it made: for each word the probability that its head is right, and that head and
label are; for each sentence the probability that all its heads are. Tags have their own file.

A logistic regression says so. Its evidence of a word is how narrowly the word's head and label were chosen, how many of
the best trees of a beam agree, how sure the tags are that the parser went by, what kind of arc it is, and what the
sentence is like. It is learnt from sentences that the parser did not see. What it says is bent by a curve that was
learnt from sentences that the regression did not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.files.tensors import Tensors
from rearc.parser.engine import Margins
from rearc.parser.tag_confidence import COLUMNS, IN_MISC, of_tags, said
from rearc.parser.tag_confidence import NUMBERS as OF_TAG
from rearc.search.forest import Forest
from rearc.treebank import Sentence, TreebankError

ALTERNATIVES = 8  # trees of the beam that are asked
OF_TREE = 10  # numbers of a word that tree and beam tell: see `_numbers`
TAGS = ("upos", "feats")  # that the parser goes by
NUMBERS = OF_TREE + 5 * len(TAGS) + 1  # of a word, in all
NARROWEST = 5  # among them: the narrowest margin
KNOTS = (-1.0, 1.0, 3.0)  # where the curve bends, in logarithms of odds
OF_SENTENCE = 5  # of a sentence: see `Confidence.of_sentences`
REACH = np.array(
    [-20, -10, -5, -3, -2, -1, 0, 1, 2, 3, 5, 10, 20]
)  # from a word to its head: where kinds of arcs begin
MOST = 10.0  # of a margin
TAG = "tag."  # before the names of the weights of tags
CURVE = ".curve"  # behind the names of the weights of curves

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Evidence:
    """What is known of the words and sentences of a batch."""

    numbers: Floats  # a row a word
    kinds: NDArray[np.intp]  # a row a word: the numbers of its label, its UPOS, and how far away its head is
    sizes: NDArray[np.intp]  # of the sentences
    weights: Floats  # of each sentence: how much of the beam's weight its tree has


def evidence(
    batch: Sequence[Sentence],
    upos: NDArray[np.intp],
    of_tags: dict[str, Floats],
    tree: Forest,
    beam: Forest,
    scale: float,
) -> Evidence:
    """What a parse of the batch, a beam beside it, and the tags tell.

    upos: the numbers of the tags of all words; of_tags: by columns how likely each tag that the parser went by is
    right, where it was predicted; scale: what makes margins logarithms of odds.
    """
    sizes = np.array([len(s) for s in batch], dtype=np.intp)
    starts = np.cumsum(sizes) - sizes
    words = np.arange(sizes.sum()) - np.repeat(starts, sizes) + 1
    agree, weights, best = _agreement(sizes.tolist(), tree, beam)
    far = np.where(tree.heads == 0, 0, tree.heads - words)
    reach = np.where(tree.heads == 0, len(REACH) + 1, np.searchsorted(REACH, far, side="right"))
    kinds = np.stack([tree.labels.astype(np.intp), upos, reach], axis=1)
    numbers = _numbers(tree.margins, agree, best, scale, np.repeat(sizes, sizes))
    # of tags: how sure they are, those of the head too, and both on average over the sentence
    sure = np.ones((len(words), len(TAGS)))
    for k, column in enumerate(TAGS):
        if column in of_tags:
            sure[:, k] = np.nan_to_num(of_tags[column], nan=1.0)
    of_head = np.where(tree.heads[:, None] == 0, 1.0, sure[np.repeat(starts, sizes) + tree.heads - 1])
    whole = np.column_stack([log_odds(sure), numbers[:, NARROWEST]])
    means = np.repeat(np.add.reduceat(whole, starts) / sizes[:, None], sizes, axis=0)
    numbers = np.column_stack([numbers, log_odds(sure), sure, log_odds(of_head), of_head, means])
    return Evidence(numbers, kinds, sizes, weights)


def _numbers(margins: NDArray[Any], agree: Floats, best: Floats, scale: float, sizes: NDArray[np.intp]) -> Floats:
    near = np.clip(np.nan_to_num(margins.astype(np.float64) * scale, nan=0.0), -MOST, MOST)
    some = np.log1p(np.maximum(near, 0))
    return np.column_stack([near, some, log_odds(agree), agree, best, np.log(sizes)])


def log_odds(share: Floats) -> Floats:
    odds: Floats = np.log((share + 1e-3) / (1 - share + 1e-3))
    return odds


def _agreement(sizes: list[int], tree: Forest, beam: Forest) -> tuple[Floats, Floats, Floats]:
    """For each word the share of the beam that has its head; for each sentence the share that has its tree; and for
    each word whether the best of the beam has its head."""
    of_words, of_trees, of_best = [np.zeros(0)], [], [np.zeros(0)]
    for (one,), others in zip(tree.trees(sizes), beam.trees(sizes), strict=True):
        scores = np.array([other.score for other in others])
        weights = np.exp(scores - scores.max())
        weights /= weights.sum()
        same = np.stack([other.heads for other in others]) == one.heads
        of_words.append(np.minimum(weights @ same, 1.0))
        of_trees.append(float(min(weights @ same.all(axis=1), 1.0)))
        of_best.append(same[0].astype(np.float64))
    return np.concatenate(of_words), np.array(of_trees), np.concatenate(of_best)


@dataclass(frozen=True)
class Confidence:
    """The logistic regressions of a model."""

    upos: tuple[str, ...]  # the tags it knows
    labels: int
    weights: Tensors  # head, both: of the columns of `columns`, and their curves; sentence; tag.upos …, if predicted

    @property
    def header(self) -> dict[str, Any]:
        return {"upos": list(self.upos), "labels": self.labels}

    def tensors(self) -> Tensors:
        return self.weights

    @property
    def known(self) -> dict[str, int]:
        """The numbers of the tags; 0 is any other."""
        return {tag: k for k, tag in enumerate(self.upos, 1)}

    def of_words(self, seen: Evidence) -> Floats:
        """Two probabilities a word: that the head is right, and that head and label are."""
        starts = starts_of(self.labels, len(self.upos))
        found = []
        for name in ("head", "both"):
            w = self.weights[name]
            score = w[0] + seen.numbers @ w[1 : 1 + NUMBERS]
            for k, start in enumerate(starts[:-1]):
                score = score + w[start + seen.kinds[:, k]]
            found.append(probability(bends(score) @ self.weights[name + CURVE]))
        # what is right with its label is right without it
        return np.column_stack([np.maximum(*found), found[1]])

    def of_sentences(self, seen: Evidence, of_words: Floats) -> Floats:
        """The probability of each sentence that all its heads are right."""
        rows = sentence_numbers(seen, of_words[:, 0])
        w = self.weights["sentence"]
        return probability(w[0] + rows @ w[1:])

    def of_tags(self, upos: NDArray[np.intp], margins: Margins) -> dict[str, Floats]:
        """By columns, the probability of each word that the tag that was predicted is right. upos: numbers of tags."""
        own = {column: self.weights[TAG + column] for column in COLUMNS if TAG + column in self.weights}
        return of_tags(own, margins, upos, len(self.upos))


def sentence_numbers(seen: Evidence, of_heads: Floats) -> Floats:
    """A row a sentence: what its words come to, the least of them, the beam's share, and its length."""
    logarithms = np.log(np.clip(of_heads, 1e-6, 1 - 1e-6))
    ends = np.cumsum(seen.sizes)
    starts = ends - seen.sizes
    total = np.add.reduceat(logarithms, starts) if len(starts) else np.zeros(0)
    least = np.minimum.reduceat(logarithms, starts) if len(starts) else np.zeros(0)
    together = log_odds(np.exp(total))
    return np.column_stack([together, total, least, log_odds(seen.weights), np.log(seen.sizes)])


def probability(score: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return result


def bends(score: Floats) -> Floats:
    """What a curve is a sum of: a row for each logarithm of odds."""
    return np.column_stack([np.ones(len(score)), score, *(np.maximum(score - knot, 0) for knot in KNOTS)])


STRAIGHT = np.array([0.0, 1.0, *(0.0 for _ in KNOTS)])  # the curve that changes nothing


def starts_of(labels: int, tags: int) -> list[int]:
    """Where the weights of the kinds begin, behind the bias and the numbers; and how many there are in all."""
    first = 1 + NUMBERS
    return [first, first + labels, first + labels + tags + 1, first + labels + tags + 1 + len(REACH) + 2]


def columns(seen: Evidence, labels: int, tags: int) -> Floats:
    """The evidence as one matrix, a row a word."""
    starts = starts_of(labels, tags)
    matrix = np.zeros((len(seen.numbers), starts[-1]))
    matrix[:, 0] = 1
    matrix[:, 1 : 1 + NUMBERS] = seen.numbers
    rows = np.arange(len(matrix))
    for k, start in enumerate(starts[:-1]):
        matrix[rows, start + seen.kinds[:, k]] = 1
    return matrix


def make_confidence(header: Any, weights: Tensors, labels: int) -> Confidence:
    """What a model file keeps, again. ValueError says what is wrong with it."""
    if not isinstance(header, dict) or header.keys() != {"upos", "labels"} or header["labels"] != labels:
        raise ValueError("a confidence that does not fit the model")
    tags = header["upos"]
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags) or len(set(tags)) < len(tags):
        raise ValueError("a confidence of no known tags")
    size = starts_of(labels, len(tags))[-1]
    if not any(name.endswith(CURVE) for name in weights):
        weights = _widened(weights, size)
    wanted = {"head": (size,), "both": (size,), "sentence": (1 + OF_SENTENCE,)}
    wanted |= {name + CURVE: STRAIGHT.shape for name in ("head", "both")}
    of_tag = (OF_TAG + 1 + len(tags),)
    wanted |= {TAG + column: of_tag for column in COLUMNS if TAG + column in weights}
    if {name: array.shape for name, array in weights.items()} != wanted or any(
        array.dtype != np.float64 or not np.isfinite(array).all() for array in weights.values()
    ):
        raise ValueError("a confidence whose weights do not fit")
    return Confidence(tuple(tags), labels, weights)


def _widened(weights: Tensors, size: int) -> Tensors:
    """The weights of models that were made before tags and sentences counted and scores were bent."""
    older = {
        name: np.insert(array, 1 + OF_TREE, np.zeros(NUMBERS - OF_TREE))
        for name, array in weights.items()
        if name in ("head", "both") and array.shape == (size - NUMBERS + OF_TREE,)
    }
    return weights | older | {name + CURVE: STRAIGHT for name in older}


# ---- what it is written as

OWN = ("Confidence=", "LabelConfidence=", *IN_MISC.values())


def with_confidence(
    parsed: list[Sentence], of_words: Floats, of_sentences: Floats, of_tags: dict[str, Floats]
) -> Iterator[Sentence]:
    """The sentences with the probabilities in MISC and in a comment."""
    start = 0
    for sentence, whole in zip(parsed, of_sentences.tolist(), strict=True):
        if sentence.format != "conllu":
            raise TreebankError(
                sentence.file, sentence.line, 0, f"a sentence of {sentence.format}, which has no place for confidence",
                "CoNLL-U, JSON or plain text", "convert it first: rearc convert IN OUT.conllu",
            )  # fmt: skip
        stop = start + len(sentence)
        rows = of_words[start:stop].tolist()
        tags = [[(column, p) for p in right[start:stop].tolist()] for column, right in of_tags.items()]
        start = stop
        misc = []
        for old, (head, both), *of_word in zip(sentence.misc, rows, *tags, strict=True):
            parts = [part for part in old.split("|") if part != "_" and not part.startswith(OWN)]
            parts += [f"Confidence={head:.4f}", f"LabelConfidence={both:.4f}", *said(of_word)]
            misc.append("|".join(parts))
        comments = [line for line in sentence.comments if not line.startswith("# confidence =")]
        yield sentence.replace(misc=misc, comments=[*comments, f"# confidence = {whole:.4f}"])
