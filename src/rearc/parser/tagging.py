"""The tagger that a model file keeps beside the parser."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from rearc.features.clusters import Clusters
from rearc.parser.errors import ModelError
from rearc.parser.header import LARGEST_HEADER
from rearc.parser.model import EXPECTED, REMEDY, Model, Pieces, find_model, read_model
from rearc.parser.tensors import decode_tensors, encode_tensors
from rearc.perceptron.tagging import Tagger

HEADER, WEIGHTS = "header.json", "weights.safetensors"


def members_of(tagger: Tagger) -> dict[str, Pieces]:
    """What a model file keeps of it: names, and pieces of bytes."""
    header = json.dumps(tagger.header, ensure_ascii=False, separators=(",", ":"))
    return {HEADER: [header.encode("utf-8", "surrogatepass")], WEIGHTS: encode_tensors(tagger.tensors())}


def make_tagger(members: Mapping[str, Pieces], clusters: Clusters | None) -> Tagger | None:
    """The tagger again, if a model file keeps one. ValueError says what is wrong with it."""
    if not members:
        return None
    if members.keys() != {HEADER, WEIGHTS}:
        raise ValueError(f"a tagger of {', '.join(map(repr, members))[:100]}")
    data = b"".join(members[HEADER])
    if len(data) > LARGEST_HEADER:
        raise ValueError(f"a header of a tagger of {len(data):,} bytes")
    try:
        header = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        raise ValueError("a header of a tagger that is no JSON") from None
    (weights,) = members[WEIGHTS]
    return Tagger.from_tensors(header, decode_tensors(weights), clusters)


def tagger_of(file: str, model: Model) -> Tagger | None:
    """The tagger of a model that was read from this file, if it has one."""
    try:
        return make_tagger(model.tagger, model.clusters)
    except ValueError as error:
        raise ModelError(file, str(error).removeprefix("found "), EXPECTED, REMEDY) from None


def load_tagger(name: str | os.PathLike[str]) -> Tagger:
    """The tagger in a model file, or of a model that comes with rearc by its name."""
    file = find_model(name)
    tagger = tagger_of(file, read_model(file))
    if tagger is None:
        raise ModelError(file, "no tagger", "a model with a tagger", "train it with --tagger")
    return tagger
