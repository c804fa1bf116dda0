"""What makes trees of sentences: linear models or a network, behind one face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rearc.parser.model import Model
from rearc.search.forest import Forest
from rearc.systems import System
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.constraints.guard import Guard
    from rearc.parser.stepping import Scored

# By columns, over all words, how much tags scored above all others: NaN where given, infinite where there is no other
Margins = dict[str, NDArray[np.float32]]
Flat = tuple[NDArray[np.intc], NDArray[Any], dict[str, list[str]]]


class Engine(Protocol):
    """Any number of threads may use one at a time."""

    @property
    def has_tagger(self) -> bool:
        """Whether it predicts tags too."""

    @property
    def has_second_pass(self) -> bool:
        """Whether it goes through the finished tree once more by itself."""

    def parse(self, batch: list[Sentence], guard: Guard | None = None, known: NDArray[np.intc] | None = None) -> Flat:
        """Over all words of the batch: heads, numbers of labels, and by their columns the tags it predicts.

        guard: what the tree of one sentence has to comply with, or what keeps the known heads of all.
        """

    def label_scores(self, sentence: Sentence) -> NDArray[np.float32]:
        """Of each word of a tree, the score of each label."""

    def open(self, sentence: Sentence) -> Scored:
        """What it says of the configurations of a sentence."""

    @property
    def system(self) -> System:
        """The transition system."""

    @property
    def scale(self) -> float:
        """What makes its scores logarithms of probabilities."""

    @property
    def unit(self) -> float:
        """What makes its margins comparable with those of other models."""

    def search(
        self,
        batch: list[Sentence],
        beams: Sequence[tuple[int, int]],
        scale: float,
        guard: Guard | None = None,
        known: NDArray[np.intc] | None = None,
    ) -> tuple[list[Forest], dict[str, list[str]], Margins]:
        """For each beam, which is its size and the most trees to find, the best trees of each sentence; the tags as
        `parse` has them; and the margins of these tags. guard, known: as for `parse`."""

    def tag(self, batch: list[Sentence], margins: Margins | None = None) -> dict[str, list[str]]:
        """The tags alone, if it predicts any; margins: filled with how much each scored above all others."""


def make_engine(model: Model) -> Engine:
    """The engine of a model. ValueError says what is wrong with the model."""
    if model.header.model == "bilstm" and model.network is not None:
        from rearc.parser.bilstm import network_of

        return network_of(model)
    from rearc.parser.perceptron import LinearEngine

    return LinearEngine(model)
