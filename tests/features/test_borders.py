"""What Python may give to feature programs; anything else would read beyond the configuration."""

import numpy as np
import pytest

from rearc.features.program import Program
from rearc.features.templates import Address, Template, TemplateError, parse_template, parse_templates
from rearc.features.tokens import TokenEncoder
from rearc.systems import State, system
from rearc.treebank import Sentence

SENTENCE = Sentence(["a", "b", "c"])
VALUES, OFFSETS = TokenEncoder().encode([SENTENCE])


@pytest.mark.parametrize("name", ["arc-eager", "covington", "arc-swift"])
@pytest.mark.parametrize(
    "words",
    [
        {"head": 10**8},
        {"head": 4},
        {"head": -2},
        {"dependent": 4},
        {"dependent": -(10**9)},
        {"k": 4},
        {"k": 0},
        {"k": 2**31 - 1},
    ],
)
def test_words_that_there_are_not(name: str, words: dict[str, int]):
    program = Program(parse_templates("H0p D0w H0hp D0rw CLp"))
    state = system(name).start(3)
    assert len(program.keys(state, VALUES, k=1, head=3, dependent=1))
    with pytest.raises(ValueError, match="expected k from 1 to 3, and words up to 3"):
        program.keys(state, VALUES, **words)


def test_values_of_one_sentence():
    program = Program(parse_templates("S0p N0p"))
    state = system("arc-eager").start(3)
    for values in (VALUES[:-1], VALUES.astype(np.int64), VALUES[::2], None, [1] * len(VALUES)):
        with pytest.raises((ValueError, TypeError)):
            program.keys(state, values)
    with pytest.raises(TypeError):
        program.keys(None, VALUES)


def test_a_program_is_made_whole():
    with pytest.raises(TypeError):
        Program.__new__(Program)
    program = Program(parse_templates("S0p N0p"))
    program.__init__(parse_templates("S0w"))  # too late to change anything
    assert program.size == len(program.templates) == 2


class Liar(tuple):
    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    "template",
    [
        parse_template("S0" + 200_000 * "h" + "w"),
        Template("x", ((Address("R2147483647"), "w"),)),
        Template("x", ((Address("S²"), "w"),)),
        Template("x", ((Address(""), "w"),)),
        Template("x", ((Address("S0", ("nosuch",)), "w"),)),
        Template("x", ((Address("S0"), "nosuch"),)),
        Template("x", ((None, "w"),)),
        Template("x", Liar([(Address("S0"), "w")] * 100)),
    ],
    ids=range(8),
)
def test_templates_that_no_text_makes(template: Template):
    with pytest.raises(TemplateError):
        Program([template])


def test_what_is_no_template():
    for wrong in (None, [None], ["S0w"], 7):
        with pytest.raises(TypeError):
            Program(wrong)


def test_an_encoder_is_made_whole():
    encoder = TokenEncoder({"a": "0110"})
    encoder.__init__({"a": "1"})
    assert (encoder.encode([SENTENCE])[0] == TokenEncoder({"a": "0110"}).encode([SENTENCE])[0]).all()
    for sentences in (None, [None], ["abc"], [7]):
        with pytest.raises((TypeError, AttributeError)):
            encoder.encode(sentences)


def test_a_state_of_another_length():
    made: State = system("covington").start(4)
    with pytest.raises(ValueError, match="expected those of one sentence of 4 words"):
        Program(parse_templates("L0p")).keys(made, VALUES)
