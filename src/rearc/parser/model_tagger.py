"""The tagger that a model file keeps beside the parser."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from rearc.features.clusters import Clusters
from rearc.parser.catalogue import find_model
from rearc.parser.errors import ModelError
from rearc.parser.model import EXPECTED, REMEDY, Model, Pieces, read_model
from rearc.parser.parts import content_of
from rearc.treebank import Sentence
from rearc.treebank.batches import in_order

if TYPE_CHECKING:
    from rearc.neural.numpy_model import Network
    from rearc.tagger.tagger import Tagger


def make_tagger(members: Mapping[str, Pieces], clusters: Clusters | None) -> Tagger | None:
    """The tagger again, if a model file keeps one. ValueError says what is wrong with it."""
    if not members:
        return None
    from rearc.tagger.tagger import Tagger

    return Tagger.from_tensors(*content_of(members, "tagger"), clusters)


def tagger_of(file: str, model: Model) -> Tagger | None:
    """The tagger of a model that was read from this file, if it has one."""
    try:
        return make_tagger(model.tagger, model.clusters)
    except ValueError as error:
        raise _unfit(file, error) from None


def cut(columns: Mapping[str, list[str]], batch: Iterable[Sentence]) -> Iterator[dict[str, Any]]:
    """For each sentence its stretch of columns over all words of a batch."""
    start = 0
    for sentence in batch:
        stop = start + len(sentence)
        yield {name: column[start:stop] for name, column in columns.items()}
        start = stop


class Tags(Protocol):
    """What tags sentences."""

    def tag_many(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences tagged, in their order; what is read ahead is bounded."""


class NetworkTagger:
    """The first half of a network that tags and parses."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def tag_many(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        return in_order(self._tag, sentences)

    def _tag(self, batch: list[Sentence]) -> list[Sentence]:
        columns = cut(self._network.tag(batch), batch)
        return [sentence.replace(**tags) for sentence, tags in zip(batch, columns, strict=True)]


def _network_tagger(file: str, model: Model) -> NetworkTagger | None:
    if model.network is None:
        return None
    from rearc.parser.bilstm import network_of

    try:
        network = network_of(model)
    except ValueError as error:
        raise _unfit(file, error) from None
    return NetworkTagger(network) if network.has_tagger else None


def _unfit(file: str, error: ValueError) -> ModelError:
    return ModelError(file, str(error).removeprefix("found "), EXPECTED, REMEDY)


def load_tagger(name: str | os.PathLike[str]) -> Tags:
    """The tagger in a model file, or of a model that comes with rearc by its name."""
    file = find_model(name)
    model = read_model(file)
    tagger: Tags | None = tagger_of(file, model) or _network_tagger(file, model)
    if tagger is None:
        raise ModelError(file, "no tagger", "a model with a tagger", "train it with a tagger")
    return tagger
