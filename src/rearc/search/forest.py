"""What a beam finds in a batch of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST = 1000  # derivations that a beam may follow side by side

Numbers = NDArray[Any]


class Tree(NamedTuple):
    """A tree of a sentence."""

    score: float
    heads: Numbers
    labels: Numbers
    margins: Numbers  # a row a word: see Forest


class Forest(NamedTuple):
    """The best trees of each sentence, in flat arrays: sentence by sentence, tree by tree, word by word."""

    counts: Numbers  # trees of each sentence
    scores: Numbers  # of each tree
    heads: Numbers
    labels: Numbers
    # for each word how far above all others the transition that gave it its head was; its label; and the least such
    # margin while its head was at stake; ∞ without others
    margins: Numbers

    def trees(self, sizes: list[int]) -> Iterator[list[Tree]]:
        """The trees of each sentence, best first; the sentences have so many words."""
        tree = word = 0
        for size, count in zip(sizes, self.counts.tolist(), strict=True):
            found = []
            for k in range(count):
                own = slice(word + k * size, word + (k + 1) * size)
                found.append(Tree(float(self.scores[tree + k]), self.heads[own], self.labels[own], self.margins[own]))
            yield found
            tree += count
            word += count * size


def forest_of(trees: list[list[Tree]]) -> Forest:
    """The trees of each sentence as flat arrays; `Forest.trees` has them back."""
    flat = [tree for found in trees for tree in found]
    counts = np.array([len(found) for found in trees], dtype=np.intc)
    scores = np.array([tree.score for tree in flat], dtype=np.float64)
    return Forest(counts, scores, *(np.concatenate(column) for column in list(zip(*flat, strict=True))[1:]))


def one_each(heads: Numbers, labels: Numbers, sentences: int) -> Forest:
    """One tree of each sentence, of which neither score nor margins are known."""
    nothing = np.zeros((len(heads), 0), dtype=np.float32)
    return Forest(np.ones(sentences, dtype=np.intc), np.zeros(sentences), heads, labels, nothing)
