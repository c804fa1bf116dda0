"""A second pass: once there is a tree, all pairs of words are looked at again, and words get other heads.

It is a pass of covington-nonmonotonic that begins with the tree of the parser, whatever its system and model, and has
weights and templates of its own. So it sees what the first pass could not: the whole tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.features.clusters import Clusters
from rearc.features.fitting import check_fit
from rearc.features.program import Program
from rearc.features.templates import TemplateError, parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.files.tensors import Tensors
from rearc.parser.header import Label
from rearc.parser.model import Pieces
from rearc.parser.parts import content_of
from rearc.parser.perceptron import below, check_arrays
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.weights import LabelWeights, Scorer, TypeWeights
from rearc.systems import system as make_system
from rearc.systems.second_pass import LONGEST, SYSTEM
from rearc.treebank import Sentence

Trees = tuple[NDArray[np.intc], NDArray[np.intc]]


def numbered(sentences: Sequence[Sentence], labels: Sequence[Label]) -> Trees:
    """The heads and the numbers of the labels over all words; −1 for a label that is not among these."""
    number = {label.name: k for k, label in enumerate(labels)}
    return (
        np.array([head for s in sentences for head in s.heads], dtype=np.intc),
        np.array([number.get(name, -1) for s in sentences for name in s.deprels], dtype=np.intc),
    )


def make_decoder(header: dict[str, Any], types: Scorer, labels: Scorer) -> LinearDecoder:
    """The decoder of a second pass with these scorers. ValueError says what is wrong with the header."""
    templates = parse_templates(header["templates"], "the templates of the second pass")
    label_templates = parse_templates(header["label_templates"], "the templates of its labels")
    check_fit(templates, SYSTEM)
    check_fit(label_templates, SYSTEM, of_labels=True)
    return LinearDecoder(
        make_system(SYSTEM, single_root=header["single_root"]),
        Program(templates),
        Program(label_templates),
        types,
        labels,
        [of_root for _, of_root, _ in header["labels"]],
        [of_word for _, _, of_word in header["labels"]],
    )


class SecondPass:
    """What a model file keeps of it, and what it does."""

    def __init__(self, header: dict[str, Any], weights: Tensors, clusters: Clusters | None) -> None:
        """header: templates, label_templates, single_root, and labels as (name, of_root, of_word)."""
        self.header = header
        self._weights = weights
        self._labels = [Label(*label) for label in header["labels"]]
        self._encoder = TokenEncoder(clusters)
        labels = LabelWeights(below("labels.", weights), len(self._labels))
        self._decoder = make_decoder(header, TypeWeights(below("types.", weights)), labels)

    def tensors(self) -> Tensors:
        return self._weights

    def repaired(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences, which have trees, with the heads that the pass gives them. Arcs that stay keep a label."""
        short = [sentence for sentence in sentences if len(sentence) <= LONGEST]
        heads, labels = self._decoder.parse(*self._encoder.encode(short), begun=numbered(short, self._labels))
        result = []
        start = 0
        for sentence in sentences:
            if len(sentence) > LONGEST:
                result.append(sentence)
                continue
            stop = start + len(sentence)
            new = heads[start:stop].tolist()
            if new != sentence.heads:
                both = zip(sentence.heads, new, sentence.deprels, labels[start:stop].tolist(), strict=True)
                deprels = [old if a == b else self._labels[k].name for a, b, old, k in both]
                sentence = sentence.replace(heads=new, deprels=deprels)
            result.append(sentence)
            start = stop
        return result


def second_pass_of(members: Mapping[str, Pieces], clusters: Clusters | None) -> SecondPass:
    """The second pass again that a model file keeps. ValueError says what is wrong with it."""
    header, weights = content_of(members, "second pass")
    strange = ValueError(f"the header of a second pass {str(header)[:100]}")
    kinds = {"templates": str, "label_templates": str, "single_root": bool, "labels": list}
    if not isinstance(header, dict) or {name: type(value) for name, value in header.items()} != kinds:
        raise strange
    for label in header["labels"]:
        if not isinstance(label, list) or [type(part) for part in label] != [str, bool, bool]:
            raise strange
    if not header["labels"]:
        raise ValueError("a second pass without labels")
    check_arrays(weights)
    try:
        return SecondPass(header, weights, clusters)
    except TemplateError as error:
        raise ValueError(str(error)) from None
