"""What a parser takes for a sentence, and what it refuses."""

import pytest

import rearc
from rearc import Sentence
from rearc.treebank import TreebankError

WORDS = ["I", "saw", "Jack"]


@pytest.fixture(scope="module")
def parser() -> rearc.Parser:
    return rearc.load("en")


@pytest.mark.parametrize("words", [WORDS, tuple(WORDS), Sentence(WORDS)], ids=["list", "tuple", "sentence"])
def test_words_and_sentences(parser: rearc.Parser, words: object):
    assert parser.parse(words).heads == [2, 0, 2]


def test_many_may_be_mixed_and_of_any_kind(parser: rearc.Parser):
    mixed = [WORDS, Sentence(["Dogs", "bark"]), tuple(WORDS)]
    expected = [parser.parse(words) for words in mixed]
    assert list(parser.parse_many(mixed)) == expected
    assert list(parser.parse_many((words for words in mixed), threads=2)) == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda p: p.parse("I saw"),
            "found the string 'I saw', expected a Sentence or a list of words; "
            "write parser('I saw'), or parser.parse('I saw'.split())",
        ),
        (
            lambda p: p.parse_many("I saw"),
            "found the string 'I saw', expected an iterable of sentences; write parser.parse_many(['I saw'.split()])",
        ),
        (
            lambda p: list(p.parse_many(["I", "saw"])),
            "found the string 'I', expected a Sentence or a list of words; "
            "write parser('I'), or parser.parse('I'.split())",
        ),
        (
            lambda p: p.parse_many(Sentence(WORDS)),
            "found one sentence, expected an iterable of sentences; write parser.parse_many([sentence])",
        ),
        (lambda p: p.parse([]), "found no words, expected at least one word; leave the sentence out"),
    ],
)
def test_what_is_refused_and_how_to_do_it(parser: rearc.Parser, call: object, message: str):
    with pytest.raises(TreebankError) as caught:
        call(parser)
    assert str(caught.value) == f"<sentence>: {message}"


def test_what_comes_before_a_mistake_is_handed_on(parser: rearc.Parser):
    parsed = parser.parse_many([WORDS, "I saw"])
    assert next(parsed).forms == WORDS
    with pytest.raises(TreebankError):
        next(parsed)
