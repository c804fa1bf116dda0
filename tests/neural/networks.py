"""Networks with random weights, for any system."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rearc.files.tensors import Tensors
from rearc.neural.description import describe, sizes_of
from rearc.neural.numpy_model import Network
from rearc.neural.pretrained import EncoderShape
from rearc.neural.shape import COLUMNS, Shape
from rearc.neural.vocabulary import Vocabulary, learn_vocabulary
from rearc.parser.bilstm import make_network
from rearc.parser.header import Header, Treebank
from rearc.training.corpus import labels_of
from rearc.treebank import Sentence

TINY = Shape(
    words=10, characters=5, spelling=4, affixes=3, upos=4, feats=4, tagger=(6,), tags=7, layers=(9, 8), stacked=True,
    pair=10, hidden=12, labels=8, columns=COLUMNS,
)  # fmt: skip


def make_header(system: str, single_root: bool, sentences: Sequence[Sentence], **more: Any) -> Header:
    fields: dict[str, Any] = {
        "rearc": "0", "model": "bilstm", "system": system, "single_root": single_root, "oracle": "static",
        "templates": "", "label_templates": "", "labels": labels_of(sentences), "expects": (), "clusters": None,
        "non_projective": "kept", "train": Treebank("none", "", 0, 0), "dev": None, "licence": None, "seed": 1,
        "policy": (0, 0.0), "prune": 0.0, "epochs": 1, "epoch": 1,
    }  # fmt: skip
    return Header(**fields | more)


def vocabulary_of(sentences: Sequence[Sentence], shape: Shape, vectors: Sequence[str] = ()) -> Vocabulary:
    return learn_vocabulary(sentences, shape, vectors)[0]


def random_weights(
    header: Header,
    shape: Shape,
    vocabulary: Vocabulary,
    seed: int,
    vectors: int = 0,
    encoder: EncoderShape | None = None,
) -> Tensors:
    """Noise of a scale at which words differ, and gates are neither open nor shut."""
    rng = np.random.default_rng(seed)
    sizes = sizes_of(vocabulary, shape.columns, len(header.labels), vectors, encoder)
    shapes = describe(shape, sizes, header.system).shapes()
    weights = {}
    for name, size in shapes.items():
        inputs = 1 if len(size) == 1 else size[-1] if "weight" in name else size[-2]
        weights[name] = rng.normal(0, 1.5 / np.sqrt(max(inputs, 2)), size).astype(np.float32)
    return weights


def random_network(
    system: str, single_root: bool, shape: Shape, sentences: Sequence[Sentence], seed: int = 1
) -> tuple[Network, Tensors, Header]:
    """A network that knows half of the words."""
    header = make_header(system, single_root, sentences)
    vocabulary = vocabulary_of(sentences[::2], shape)
    weights = random_weights(header, shape, vocabulary, seed)
    return make_network(header, shape, vocabulary, weights), weights, header
