"""What makes trees of sentences: linear models or a network, behind one face."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rearc.features.tokens import TokenEncoder
from rearc.parser.model import Model
from rearc.parser.perceptron import check_weights, make_decoder, scorers_of
from rearc.treebank import Sentence

Flat = tuple[NDArray[np.intc], NDArray[Any], dict[str, list[str]]]


class Engine(Protocol):
    """Any number of threads may use one at a time."""

    @property
    def has_tagger(self) -> bool:
        """Whether it predicts tags too."""

    def parse(self, batch: list[Sentence]) -> Flat:
        """Over all words of the batch: heads, numbers of labels, and by their columns the tags it predicts."""


class LinearEngine:
    """The two linear models of a perceptron."""

    has_tagger = False

    def __init__(self, model: Model) -> None:
        check_weights(model.header, model.weights)
        self._encoder = TokenEncoder(model.clusters)
        self._decoder = make_decoder(model.header, *scorers_of(model.header, model.weights))

    def parse(self, batch: list[Sentence]) -> Flat:
        return *self._decoder.parse(*self._encoder.encode(batch)), {}


def make_engine(model: Model) -> Engine:
    """The engine of a model. ValueError says what is wrong with the model."""
    if model.header.model == "bilstm" and model.network is not None:
        from rearc.parser.bilstm import read_network

        return read_network(model.header, model.network, model.weights)
    return LinearEngine(model)
