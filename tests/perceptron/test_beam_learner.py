"""Learning for a beam."""

import numpy as np
import pytest

from rearc.features.program import Program
from rearc.features.templates import parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.oracles import oracle, oracles
from rearc.perceptron.beam import LinearBeam
from rearc.perceptron.beam_learner import BeamLearner
from rearc.perceptron.decoder import LinearDecoder
from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.systems import system, systems, traits
from rearc.training import OptionError
from rearc.training.corpus import encode, fit, labels_of
from rearc.treebank import read, sample
from tests.trained import train_parser

SENTENCES = list(read(sample()))
STACK = "S0p N0p S0w+N0w S0p+N0p S0p+S1p S1w+S0w S0p+S0rp+N0p S0w+N0p+N1p N0w+N1w S0lp+S0p+N0p"
LISTS = "L0w+R0w L0p+R0p L0p+R0p+R1p L0w+R0p L0p+R0w L0p+L0rp+R0p L0hp+R0p R0w+R1w"


def made(name: str, count: int = 12):
    sentences = fit([s for s in SENTENCES if len(s) < 16], name, traits(name).one_root, "lift")[0][:count]
    labels = labels_of(sentences)
    decoder = LinearDecoder(
        system(name),
        Program(parse_templates(LISTS if traits(name).family == "covington" else STACK)),
        Program(parse_templates("H0p+D0p D0w H0w+D0w")),
        TypeLearner(),
        LabelLearner(len(labels)),
        [label.of_root for label in labels],
        [label.of_word for label in labels],
    )
    return decoder, encode(sentences, labels, TokenEncoder()), np.array([h for s in sentences for h in s.heads])


@pytest.mark.parametrize(("name", "judge"), [(name, judge) for name in systems() for judge in oracles(name)])
def test_what_is_learnt_is_parsed(name: str, judge: str):
    decoder, train, gold = made(name)
    learner = BeamLearner(decoder, 4)
    arguments = (train.values, train.offsets, train.heads, train.labels, train.tree_offsets, np.arange(12))
    wrong = []
    for _ in range(15):
        transitions, mistakes, _ = learner.epoch(oracle(name, judge, [0, 0]), *arguments)
        assert transitions > len(gold)
        wrong.append(mistakes)
    assert wrong[0] > 0
    assert wrong[-1] <= wrong[0] / 2
    counts, _, heads, _, _ = LinearBeam(decoder, 4, 0.0).parse(train.values, train.offsets)
    assert counts.tolist() == [1] * 12
    assert (heads == gold).mean() > 0.85


def test_without_mistakes_nothing_changes():
    """Once every best derivation is right, its weights stay."""
    decoder, train, gold = made("arc-hybrid", 4)
    learner = BeamLearner(decoder, 3)
    arguments = (train.values, train.offsets, train.heads, train.labels, train.tree_offsets, np.arange(4))
    judge = oracle("arc-hybrid", "dynamic", [0, 0])
    for _ in range(60):
        if learner.epoch(judge, *arguments)[1] == 0:
            break
    before = LinearBeam(decoder, 3, 0.0).parse(train.values, train.offsets)
    assert (before[2] == gold).all()
    assert learner.epoch(judge, *arguments)[1] == 0
    assert LinearBeam(decoder, 3, 0.0).parse(train.values, train.offsets)[1].tolist() == before[1].tolist()


def test_what_it_refuses():
    decoder, train, _ = made("arc-hybrid", 4)
    learner = BeamLearner(decoder, 2)
    arguments = (train.values, train.offsets, train.heads, train.labels, train.tree_offsets)
    with pytest.raises(ValueError, match="expected one of"):
        learner.epoch(oracle("arc-eager", "dynamic", [0, 0]), *arguments, np.arange(4))
    with pytest.raises(ValueError, match="sentence 4"):
        learner.epoch(oracle("arc-hybrid", "dynamic", [0, 0]), *arguments, np.arange(5))
    for size in (0, 1001):
        with pytest.raises(ValueError, match="expected 1 to 1000"):
            BeamLearner(decoder, size)
    with pytest.raises(TypeError):
        BeamLearner(None, 2)


def test_a_model_that_was_trained_for_a_beam():
    parser = train_parser(SENTENCES[:25], dev=SENTENCES[25:], system="arc-hybrid", epochs=3, beam=3)
    assert parser.header.beam == 3
    trees = list(parser.parse_many(SENTENCES))
    assert trees == list(parser.parse_many(SENTENCES, beam=3))
    assert trees != list(parser.parse_many(SENTENCES, beam=1))
    assert parser.n_best(SENTENCES[0], 2, beam=3)[0][0] == trees[0]
    again = train_parser(SENTENCES[:25], dev=SENTENCES[25:], system="arc-hybrid", epochs=3, beam=3)
    assert list(again.parse_many(SENTENCES)) == trees


def test_a_beam_has_no_policy():
    with pytest.raises(OptionError, match="a beam explores by itself"):
        train_parser(SENTENCES[:5], system="arc-hybrid", epochs=1, beam=3, policy=(1, 0.5))
