"""What Python may give to the compiled models, and what is no saved segmenter."""

import numpy as np
import pytest

from rearc.segment import Segmenter
from rearc.segment.defaults import SENTENCES, TOKENS
from rearc.segment.lexicon import KnownWords
from rearc.segment.sentences import SentenceModel
from rearc.segment.templates import Templates
from rearc.segment.text import Text, Tokens
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Learner, Weights
from tests.segment.material import segmenter

TABLE = np.zeros(256)
NONE = KnownWords([], [])
TEXT = Text("A dog barks.")
GOLD = Tokens(TEXT, [0, 2, 6, 11], [1, 5, 11, 12])


@pytest.mark.parametrize(
    ("starts", "ends"),
    [
        ([0], [1, 2]),
        ([0, 0], [1, 1]),
        ([1], [1]),
        ([2], [1]),
        ([-1], [1]),
        ([0], [13]),
        ([0, 1], [2, 3]),
        (None, None),
        ([[0]], [[1]]),
    ],
)
def test_tokens_that_are_none(starts, ends):
    with pytest.raises((TypeError, ValueError)):
        Tokens(TEXT, starts, ends)


def test_tokens_are_changed_by_nobody():
    starts = np.array([0, 2])
    tokens = Tokens(TEXT, starts, np.array([1, 5]))
    starts[:] = 10**9
    tokens.starts[:] = 10**9
    assert tokens.starts.tolist() == [0, 2]


@pytest.mark.parametrize(
    "table", [[], [0.0] * 255, [0.0] * 257, [np.nan] * 256, [np.inf] * 256, None, "abc", [[0.0] * 256]]
)
def test_weights_that_are_none(table):
    for kind in (Weights, Learner):
        with pytest.raises((TypeError, ValueError)):
            kind(table)


@pytest.mark.parametrize(
    ("keys", "facts"),
    [([1], []), ([], [[1, 1, 1, 1]]), ([1], [[1, 1, 1]]), ([-1], [[0] * 4]), ([2**40], [[0] * 4]), ([1], [[256] * 4])],
)
def test_lexicons_that_are_none(keys, facts):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        KnownWords(keys, facts)


def test_words_with_one_key():
    assert repr(KnownWords([7, 7, 0], [[1, 0, 0, 0]] * 3)) == "<KnownWords of 3 words>"


@pytest.mark.parametrize("text", ["", " ", "c9", "c0+", "+", "c0 " * 97, "+".join(["c0"] * 7), None])
def test_templates_that_are_none(text):
    with pytest.raises((TypeError, ValueError)):
        Templates(text, ["c0"])
    with pytest.raises((TypeError, ValueError)):
        TokenModel(Weights(TABLE), text, NONE, NONE, [])


@pytest.mark.parametrize("joins", [[(0, 18)], [(-1, 0)], [(0,)], None, [7]])
def test_joins_that_are_none(joins):
    with pytest.raises((TypeError, ValueError)):
        TokenModel(Weights(TABLE), TOKENS, NONE, NONE, joins)


@pytest.mark.parametrize("order", [[1], [12], [-1], [2**40], None, [[0]], ["a"]])
def test_chunks_that_cannot_be_learnt(order):
    model = TokenModel(Learner(TABLE), TOKENS, NONE, NONE, [])
    assert model.learn(GOLD, [0, 2, 6], 0.1) >= 0
    with pytest.raises((TypeError, ValueError)):
        model.learn(GOLD, order, 0.1)


@pytest.mark.parametrize(
    "change",
    [
        {"lasts": [0, 1]},
        {"lasts": None},
        {"order": [4]},
        {"order": [-1]},
        {"order": [[0]]},
        {"tokens": None},
        {"rate": None},
    ],
)
def test_sentences_that_cannot_be_learnt(change):
    whole = {"tokens": GOLD, "lasts": [0, 0, 0, 1], "order": [0], "rate": 0.1}
    model = SentenceModel(Learner(TABLE), SENTENCES, NONE)
    assert model.learn(**whole) >= 0
    with pytest.raises((TypeError, ValueError)):
        model.learn(**whole | change)
    empty = Tokens(Text(""), [], [])
    assert model.cut(empty).tolist() == []
    with pytest.raises(ValueError, match="found 0 marks"):
        model.learn(empty, [], [], 0.1)


def test_fixed_weights_are_not_learnt():
    with pytest.raises(TypeError):
        TokenModel(Weights(TABLE), TOKENS, NONE, NONE, []).learn(GOLD, [0], 0.1)
    with pytest.raises(TypeError):
        SentenceModel(Weights(TABLE), SENTENCES, NONE).learn(GOLD, [0, 0, 0, 1], [0], 0.1)


@pytest.mark.parametrize(
    "change",
    [
        {"joins": [["digit"]]},
        {"joins": [["digit", "number"]]},
        {"joins": None},
        {"joins": [[["digit"], "digit"]]},
        {"more": 1},
        {"tokens": None},
        {"tokens": {}},
        {"tokens": {"templates": "c0"}},
        {"tokens": {"templates": "w0", "threshold": 0.0}},
        {"tokens": {"templates": 7, "threshold": 0.0}},
        {"sentences": {"templates": "w0", "threshold": "1"}},
        {"sentences": {"templates": "w0", "threshold": float("nan")}},
        {"sentences": {"templates": "w0", "threshold": float("inf")}},
        {"sentences": {"templates": "w0", "threshold": 1e300}},
    ],
    ids=str,
)
def test_headers_that_are_none(change):
    one = segmenter()
    with pytest.raises(ValueError, match="found"):
        Segmenter.from_tensors(one.header | change, one.tensors())
    for header in (None, [], {}, "tokens"):
        with pytest.raises(ValueError, match="no header"):
            Segmenter.from_tensors(header, one.tensors())


@pytest.mark.parametrize("name", ["tokens/weights", "sentences/weights", "words/keys", "words/facts", "splits/keys"])
def test_tensors_that_are_none(name):
    one = segmenter()
    tensors = one.tensors()
    array = tensors[name]
    for false in (None, array.astype(np.float64), array[..., None], array.tolist()):
        with pytest.raises(ValueError, match=name):
            Segmenter.from_tensors(one.header, tensors | {name: false})
    with pytest.raises(ValueError, match=name):
        Segmenter.from_tensors(one.header, {key: value for key, value in tensors.items() if key != name})
    if name != "splits/keys":
        with pytest.raises(ValueError, match="found"):
            Segmenter.from_tensors(one.header, tensors | {name: array[:-1]})
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0
