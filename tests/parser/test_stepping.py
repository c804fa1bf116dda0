"""Parsing step by step: taking the best-scored transition each time is what the parser does, to the last label."""

from dataclasses import replace

import numpy as np
import pytest

import rearc
from rearc.parser import Parser
from rearc.parser.model import Model
from rearc.parser.stepping import Stepper
from rearc.systems import IllegalTransition, State, systems, traits
from rearc.treebank import Sentence
from tests.neural.networks import TINY, random_network
from tests.trained import train_parser


def network_parser(system: str, single_root: bool, sentences: list[Sentence]) -> Parser:
    """A parser around a network of noise."""
    network, _, header = random_network(system, single_root, TINY, sentences, seed=len(system))
    parser = Parser.__new__(Parser)
    parser._tagger = parser._segmenter = parser._name = parser._confidence = None
    parser._model = Model(header, {})
    parser._labels = [label.name for label in header.labels]
    parser._engine = network
    return parser


def to_the_end(stepper: Stepper) -> State:
    """As a reader of the documentation would go."""
    state = stepper.start()
    while not state.is_terminal:
        scores = stepper.scores(state)
        choice = stepper.choice(state)
        assert list(scores) == stepper.system.legal(state)
        assert scores[choice] == max(scores.values())
        stepper.apply(state, choice)
    assert (stepper.scores(state), stepper.choice(state)) == ({}, None)
    return state


def check(parser: Parser, sentences: list[Sentence]) -> None:
    batch = parser._prepared(sentences, "auto", ())
    heads, labels, _ = parser._engine.parse(batch)
    at = 0
    for sentence in sentences:
        words = slice(at, at + len(sentence))
        at += len(sentence)
        stepper = parser.stepper(sentence)
        state = to_the_end(stepper)
        assert state.heads[1:] == heads[words].tolist()
        assert stepper.deprels(state)[1:] == [parser._labels[k] for k in labels[words]]


@pytest.mark.parametrize("name", systems())
@pytest.mark.parametrize("single_root", [False, True])
def test_perceptrons_by_steps(name: str, single_root: bool, sentences: list[Sentence]):
    """Hardly trained: their derivations go astray, and repair."""
    parser = train_parser(sentences[:6], system=name, epochs=1, seed=3, single_root=single_root)
    check(parser, sentences[:12])
    if traits(name).repairs:
        header = replace(parser.header, repairs_apart=not parser.header.repairs_apart)
        check(parser._with(header=header), sentences[:12])


@pytest.mark.parametrize("name", systems())
@pytest.mark.parametrize("single_root", [False, True])
def test_networks_by_steps(name: str, single_root: bool, sentences: list[Sentence]):
    check(network_parser(name, single_root, sentences), sentences[:12])


def test_the_bundled_model(sentences: list[Sentence]):
    parser = rearc.load("en")
    check(parser, sentences)
    for sentence in sentences[:5]:
        state = parser.stepper(sentence).start()
        for transition in parser.derivation(sentence):
            state.system.apply(state, transition)
        assert state.heads[1:] == parser.parse(sentence).heads


def test_another_way_goes_on_from_there(model: Parser, sentences: list[Sentence]):
    """Scores are of the configuration, whichever way led to it."""
    stepper = model.stepper(sentences[1])
    state = stepper.start()
    for _ in range(2):
        stepper.apply(state, "shift")
    other = stepper.start()
    for _ in range(2):
        stepper.system.apply(other, "shift")
    assert stepper.scores(state) == stepper.scores(other) == stepper.scores(state.copy())
    stepper.apply(state, "left-arc")
    assert state.deprels[2] in stepper.system.labels.names


def test_what_is_refused(model: Parser):
    stepper, twin = model.stepper(["Owls", "see"]), model.stepper(["Owls", "see"])
    with pytest.raises(ValueError, match="another origin"):
        stepper.scores(twin.start())
    with pytest.raises(IllegalTransition, match="left-arc is not legal"):
        stepper.label(stepper.start(), "left-arc")
    state = to_the_end(stepper)
    with pytest.raises(ValueError, match="terminal"):
        stepper.apply(state, stepper.choice(state))
    with pytest.raises(ValueError, match="tags='always'"):
        model.stepper(["Owls", "see"], tags="always")


def test_decoders_refuse_other_sentences(model: Parser, sentences: list[Sentence]):
    """Anything else would be read out of bounds."""
    decoder, encode = model._engine._decoder, model._engine._encoder.encode
    values, _ = encode([sentences[0]])
    state = decoder.system.start(len(sentences[0]))
    shorter = decoder.system.start(len(sentences[0]) - 1)
    for wrong in (values[:-1], values[:0], np.concatenate([values, values])):
        with pytest.raises(ValueError, match="for the root and for each of"):
            decoder.scores(wrong, state)
    with pytest.raises(ValueError, match="for the root and for each of"):
        decoder.label(values, shorter, 0, 1)
    for head, dependent in [(-1, 1), (1, 0), (1, 1), (0, len(sentences[0]) + 1), (2**31 - 1, 1)]:
        with pytest.raises(ValueError, match="expected one among"):
            decoder.label(values, state, head, dependent)
    network, _, _ = random_network("arc-hybrid", False, TINY, sentences)
    scored = network.open(sentences[0])
    with pytest.raises(ValueError, match="as in the state"):
        scored.scores(network.system.start(len(sentences[0]) - 1))
    with pytest.raises(ValueError, match="expected one of"):
        scored.scores(state)
