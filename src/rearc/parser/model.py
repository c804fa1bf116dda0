"""Model files: a header and weights, in and out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rearc.features.clusters import Clusters, parse_clusters, write_clusters
from rearc.files.tensors import Tensors, decode_tensors, encode_tensors
from rearc.parser.container import read_container, write_container
from rearc.parser.errors import ModelError
from rearc.parser.header import VERSION, Header, decode_header

HEADER, WEIGHTS, CLUSTERS, NETWORK = "header.json", "weights.safetensors", "clusters.tsv", "network.json"
# with headers and weights of their own
FOLDERS = "tagger/", "segmenter/", "confidence/", "second-pass/", "votes/"
EXPECTED = f"a model of the format version {VERSION}"
REMEDY = "train it again, or use the version of rearc that made it"

Pieces = Sequence[bytes | memoryview]


@dataclass(frozen=True)
class Model:
    """What is in a model file."""

    header: Header
    weights: Tensors
    clusters: Clusters | None = None
    tagger: Mapping[str, Pieces] = field(default_factory=dict)  # the tagger's members, by names of its own
    segmenter: Mapping[str, Pieces] = field(default_factory=dict)
    confidence: Mapping[str, Pieces] = field(default_factory=dict)
    second_pass: Mapping[str, Pieces] = field(default_factory=dict)
    votes: Mapping[str, Pieces] = field(default_factory=dict)  # of a second tagger, beside that of a network
    network: bytes | memoryview | None = None  # what a BiLSTM model is beside its weights


def write_model(file: str | os.PathLike[str], model: Model) -> None:
    """Write a model file; it appears under its name only when all of it is written."""
    write_container(file, encode_model(model))


def encode_model(model: Model) -> dict[str, Pieces]:
    """The members of a model file."""
    members: dict[str, Pieces] = {HEADER: [model.header.encode()], WEIGHTS: encode_tensors(model.weights)}
    if model.clusters is not None:
        members[CLUSTERS] = [write_clusters(model.clusters)]
    if model.network is not None:
        members[NETWORK] = [model.network]
    parts = (model.tagger, model.segmenter, model.confidence, model.second_pass, model.votes)
    for folder, part in zip(FOLDERS, parts, strict=True):
        members |= {folder + name: data for name, data in part.items()}
    return members


def read_model(file: str | os.PathLike[str]) -> Model:
    """What is in a model file, checked."""
    name = os.fspath(file)
    return decode_model(name, read_container(name))


def decode_model(name: str, members: Mapping[str, memoryview]) -> Model:
    """What is in the members of a model file, checked; errors call it by this name."""
    parts = [
        {key.removeprefix(folder): [data] for key, data in members.items() if key.startswith(folder)}
        for folder in FOLDERS
    ]
    own = {key for key in members if not key.startswith(FOLDERS)}
    if own - {HEADER, WEIGHTS, CLUSTERS, NETWORK} or not {HEADER, WEIGHTS} <= members.keys():
        found = f"a zip file with {', '.join(map(repr, members)) or 'nothing in it'}"
        raise ModelError(name, found[:200], EXPECTED, "check the name of the file")
    try:
        header = decode_header(members[HEADER])
        clusters = parse_clusters(bytes(members[CLUSTERS])) if CLUSTERS in members else None
        if (clusters is None) != (header.clusters is None):
            raise ValueError("clusters in the header and not in the file, or the other way round")
        weights = decode_tensors(members[WEIGHTS])
        tagger, segmenter, confidence, second_pass, votes = parts
        return Model(header, weights, clusters, tagger, segmenter, confidence, second_pass, votes, members.get(NETWORK))
    except ValueError as error:
        raise ModelError(name, str(error), EXPECTED, REMEDY) from None
