"""A second tagger beside a network: a linear one, whose tags gain in the network's scores by how sure it is of them.

The two make different mistakes: a linear tagger knows the words of the treebank, a network what they are like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.files.tensors import Tensors
from rearc.neural.lstm import Floats
from rearc.tagger.tagger import Tagger

SUREST = 30.0  # a margin, above which a tag gains no more


class Votes:
    """The tagger, and how much it counts in each column."""

    def __init__(self, tagger: Tagger, weights: Mapping[str, float]) -> None:
        self.tagger = tagger
        self.weights = dict(weights)

    @property
    def header(self) -> dict[str, Any]:
        """All of it but the arrays, ready for JSON."""
        return {"weights": self.weights, "tagger": self.tagger.header}

    def tensors(self) -> Tensors:
        return self.tagger.tensors()

    def cast(self, sentences: Sequence[Sequence[str]]) -> dict[str, tuple[NDArray[np.int32], Floats]]:
        """By columns that it counts in, over all words: the places of its tags in its classes, and what they gain."""
        classes, margins = self.tagger.choose(sentences)
        return {
            column: (classes[column], np.float32(weight) * np.log1p(np.minimum(margins[column], np.float32(SUREST))))
            for column, weight in self.weights.items()
            if weight
        }


def read_votes(header: Any, tensors: Tensors, columns: Sequence[str]) -> Votes:
    """The votes again, for a network that predicts these columns. ValueError says what is wrong with them."""
    if not isinstance(header, dict) or header.keys() != {"weights", "tagger"}:
        raise ValueError(f"the header of a second tagger {str(header)[:100]}")
    weights = header["weights"]
    if not isinstance(weights, dict) or not all(
        type(weight) is float and 0 <= weight <= 100 for weight in weights.values()
    ):
        raise ValueError(f"a second tagger that counts {str(weights)[:100]}")
    tagger = Tagger.from_tensors(header["tagger"], tensors)
    if not set(weights) <= set(columns) & set(tagger.columns):
        raise ValueError(f"a second tagger that counts in {', '.join(weights)[:100]}, which a tagger does not have")
    return Votes(tagger, weights)


class Count:
    """What a network makes of the votes in one column: its classes, and behind them those that only the tagger has."""

    def __init__(self, own: Sequence[str], classes: Sequence[str]) -> None:
        """own: the network's classes; classes: the tagger's."""
        self._size = len(own)
        numbers = {name: k for k, name in enumerate(own)}
        for name in classes:
            numbers.setdefault(name, len(numbers))
        self.names = list(numbers)
        self._places = np.array([numbers[name] for name in classes], dtype=np.intp)

    def best(self, scores: Floats, votes: NDArray[np.int32], gains: Floats) -> NDArray[np.intp]:
        """The best of the names for each word; the scores, a row a word, grow by what the votes gain.

        What the network does not know wins where its gain is above the lead of the network's best over the next.
        """
        places = self._places[votes]
        known = np.flatnonzero(places < self._size)
        scores[known, places[known]] += gains[known]
        best: NDArray[np.intp] = scores.argmax(axis=1)
        unknown = np.flatnonzero(places >= self._size)
        won = unknown[gains[unknown] > leads(scores[unknown])]
        best[won] = places[won]
        return best


def leads(scores: Floats) -> Floats:
    """By how much the best of each row is above the next; infinite where there is no other."""
    if scores.shape[1] < 2:
        return np.full(len(scores), np.inf, dtype=np.float32)
    best = np.partition(scores, -2, axis=1)
    lead: Floats = best[:, -1] - best[:, -2]
    return lead
