"""Beam search with linear models."""

import numpy as np
import pytest

from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle, oracles
from rearc.perceptron.beam import LinearBeam
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.learner import TransitionLearner
from rearc.systems import system, systems, traits
from rearc.training.corpus import encode, fit, labels_of
from rearc.treebank import Sentence, read, sample

SENTENCES = list(read(sample()))


def learnt(name: str, repairs_apart: bool = False) -> tuple[LinearDecoder, list[Sentence]]:
    """A decoder that has seen some sentences once, and trees that its system derives."""
    sentences, _ = fit(SENTENCES, name, traits(name).one_root, "lift")
    labels = labels_of(sentences)
    templates = "L0p R0p L0w+R0w L0p+R0p" if traits(name).family == "covington" else "S0p N0p S0w+N0w S0p+S0rp+N0p"
    decoder = LinearDecoder(
        system(name),
        Program(parse_templates(templates)),
        Program(parse_templates("H0p+D0p D0w")),
        TypeLearner(),
        LabelLearner(len(labels)),
        [label.of_root for label in labels],
        [label.of_word for label in labels],
        repairs_apart,
    )
    train = encode(sentences[:20], labels, TokenEncoder())
    TransitionLearner(decoder).epoch(
        oracle(name, oracles(name)[-1], [0, 0]),
        train.values, train.offsets, train.heads, train.labels, train.tree_offsets, np.arange(20), 0.0,
    )  # fmt: skip
    return decoder, sentences


@pytest.mark.parametrize(
    ("name", "apart"),
    [(name, False) for name in systems()] + [(name, True) for name in systems() if traits(name).repairs],
)
def test_a_beam_of_one_is_the_greedy_parser(name: str, apart: bool):
    decoder, sentences = learnt(name, apart)
    words = TokenEncoder().encode(sentences)
    heads, labels = decoder.parse(*words)
    for scale in (0.0, 0.1):
        counts, _, beam_heads, beam_labels, _ = LinearBeam(decoder, 1, scale).parse(*words)
        assert counts.tolist() == [1] * len(sentences)
        assert beam_heads.tolist() == heads.tolist()
        assert beam_labels.tolist() == labels.tolist()


@pytest.mark.parametrize("name", systems())
def test_the_best_trees_are_different_and_in_order(name: str):
    decoder, sentences = learnt(name)
    words = TokenEncoder().encode(sentences[:15])
    counts, scores, heads, labels, margins = LinearBeam(decoder, 6, 0.1).parse(*words, 6)
    tree = word = 0
    for sentence, count in zip(sentences, counts.tolist(), strict=False):
        n = len(sentence)
        rows = heads[word : word + count * n].reshape(count, n).tolist()
        assert len({tuple(row) for row in rows}) == count > 0
        assert all(Sentence(sentence.forms, heads=row).has_tree for row in rows)
        own = scores[tree : tree + count].tolist()
        assert own == sorted(own, reverse=True)
        assert max(own) <= 0
        tree += count
        word += count * n
    assert len(heads) == len(labels) == len(margins) == word
    assert (labels >= 0).all()
    assert max(counts) > 3
    few = LinearBeam(decoder, 6, 0.1).parse(*words, 1)
    assert few[0].tolist() == [1] * 15


def test_what_it_refuses():
    decoder, sentences = learnt("arc-hybrid")
    values, offsets = TokenEncoder().encode(sentences[:3])
    beam = LinearBeam(decoder, 2, 1.0)
    for wrong in (
        (values[:-1], offsets),
        (values, offsets + 1),
        (values, offsets, 3),
        (values, offsets, 0),
        (None, offsets),
    ):
        with pytest.raises((ValueError, TypeError)):
            beam.parse(*wrong)
    assert [len(array) for array in beam.parse(values, offsets[:1])] == [0] * 5
