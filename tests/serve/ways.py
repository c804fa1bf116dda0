"""What the tests of the debugger ask, and a way to walk that shares nothing with it but systems and oracles."""

from collections.abc import Iterator
from random import Random
from typing import Any

from rearc.oracles import oracles
from rearc.oracles.base import Oracle
from rearc.parser import Parser
from rearc.parser.model import Model
from rearc.systems import State, system, systems
from rearc.treebank import Sentence
from tests.neural.networks import TINY, random_network

PAIRS = [(name, oracle) for name in systems() for oracle in oracles(name)]


def network_parser(name: str, sentences: list[Sentence], single_root: bool = False, seed: int = 7) -> Parser:
    """A parser with a network of noise: its derivations go everywhere."""
    network, _, header = random_network(name, single_root, TINY, sentences, seed)
    parser = Parser.__new__(Parser)
    parser._tagger = parser._segmenter = parser._name = parser._confidence = None
    parser._model = Model(header, {})
    parser._labels = [label.name for label in header.labels]
    parser._engine = network
    return parser


def asked(sentence: Sentence, **more: Any) -> dict[str, Any]:
    return {"conllu": sentence.to_conllu(), **more}


def random_way(name: str, words: int, steps: int, seed: int) -> list[str]:
    """Some legal transitions from the start on."""
    rng = Random(seed)
    made = system(name)
    state = made.start(words)
    taken = []
    while len(taken) < steps and not state.is_terminal:
        taken.append(rng.choice(made.legal(state)))
        made.apply(state, taken[-1])
    return taken


def replayed(judge: Oracle, transitions: list[str]) -> Iterator[State]:
    """The states on the way, one after another."""
    state = judge.start()
    yield state
    for transition in transitions:
        judge.apply(state, transition)
        yield state
