"""Learning to segment, and the text of a treebank."""

import math

import numpy as np
import pytest

from rearc.segment import SegmentEpoch, Segmenter, train
from rearc.segment.defaults import TOKENS
from rearc.segment.gold import gold_text, pieces_of
from rearc.segment.learning import _best_bias
from rearc.segment.lexicon import KnownWords
from rearc.segment.text import Text, Tokens
from rearc.segment.tokens import TokenModel
from rearc.segment.weights import Learner
from rearc.treebank import Multiword, Sentence, read, sample
from tests.naive.segmenting import NaiveSegmenter


def test_the_same_treebank_gives_the_same_segmenter():
    one, two, other = (train(read(sample()), read(sample()), seed=seed) for seed in (1, 1, 2))
    assert one.header == two.header
    assert all(np.array_equal(array, two.tensors()[name]) for name, array in one.tensors().items())
    assert not np.array_equal(one.tensors()["tokens/weights"], other.tensors()["tokens/weights"])


def test_what_is_reported():
    epochs: list[SegmentEpoch] = []
    train(read(sample()), read(sample()), report=epochs.append)
    assert [e.epoch for e in epochs] == [*range(1, 17), *range(1, 17), *range(1, 16)]
    assert [e.part for e in epochs] == ["tokens"] * 16 + ["sentences"] * 16 + ["multiwords"] * 15
    assert epochs[31].f1 == 100
    assert epochs[0].mistakes > epochs[15].mistakes


def test_one_sentence_is_enough():
    for forms in (["Go"], ["Go", "!"], ["中"], ["1 000"], ["_"], ["\ud800"]):
        segmenter = Segmenter.train([Sentence(forms)])
        assert segmenter.segment("Go there! Now.")
    with pytest.raises(ValueError, match="no sentences"):
        Segmenter.train([])


@pytest.mark.parametrize(
    ("comments", "misc", "pieces"),
    [
        (["# text = Go on!"], ["_", "_", "_"], [("Go", " "), ("on", ""), ("!", " ")]),
        (["# text = Go  on!"], ["_", "_", "_"], [("Go", "  "), ("on", ""), ("!", " ")]),
        (["# text = Go on!"], ["_", "_", r"SpacesAfter=\n"], [("Go", " "), ("on", ""), ("!", "\n")]),
        (["# text = Come on!"], ["_", "SpaceAfter=No", "_"], [("Go", " "), ("on", ""), ("!", " ")]),
        ([], ["_", "SpaceAfter=No", "SpaceAfter=No"], [("Go", " "), ("on", ""), ("!", "")]),
        ([], [r"SpacesAfter=\s\t", "Gloss=x|SpaceAfter=No", "_"], [("Go", " \t"), ("on", ""), ("!", " ")]),
        ([], None, [("Go", " "), ("on", ""), ("!", " ")]),
    ],
)
def test_where_the_spaces_of_a_treebank_are(comments, misc, pieces):
    assert pieces_of([Sentence(["Go", "on", "!"], misc=misc, comments=comments)]) == [pieces]


def test_the_guess_where_a_treebank_is_silent():
    assert (
        gold_text(pieces_of([Sentence(["He", "(", "she", ")", "went", ",", "too", "."])])).text
        == "He (she) went, too. "
    )
    assert gold_text(pieces_of([Sentence(["中", "文", "。"])])).text == "中文。 "


def test_multiword_tokens_are_tokens():
    sentence = Sentence(["de", "le", "roi"], multiwords=[Multiword(1, 2, "du", misc="SpaceAfter=No")])
    assert pieces_of([sentence]) == [[("du", ""), ("roi", " ")]]


def test_gold_places():
    gold = gold_text([[("Go", ""), ("!", " ")], [("1 000", " ")]], ["\n\n", ""])
    assert gold.text == "Go!\n\n1 000"
    assert gold.tokens.starts.tolist() == [0, 2, 5]
    assert gold.tokens.gaps.tolist() == [0, 4, 0]
    assert gold.lasts.tolist() == [0, 1, 1]


def test_a_token_model_learns_as_its_naive_twin_does():
    """Logistic regression, gap by gap; the averaged weights are the mean of those before each step."""
    text, ends = "I can't (go)! U.S. too", [1, 5, 7, 9, 11, 12, 13, 18, 22]
    starts = [0, 2, 5, 8, 9, 11, 12, 14, 19]
    header = {"tokens": {"templates": TOKENS, "threshold": 0}, "joins": []}
    nothing = {"words/keys": np.zeros(0), "words/facts": np.zeros((0, 4)), "splits/keys": np.zeros(0)}
    naive = NaiveSegmenter(header, {f"{name}/weights": np.zeros(256) for name in ("tokens", "sentences")} | nothing)
    table = naive.weights["tokens"]
    seen = []
    learner = Learner(np.zeros(256))
    model = TokenModel(learner, TOKENS, KnownWords([], []), KnownWords([], []), [])
    for rate, order in ((0.5, [2, 0, 14, 8, 19]), (0.25, [0, 2, 8, 14, 19])):
        mistakes = 0
        for at in order:
            stop, begin = naive.chunk_end(text, at), at
            for g in range(at + 1, stop):
                if naive.is_open(text, at, stop, g):
                    seen.append([*table])
                    atoms = naive.gap(text, at, stop, begin, g)
                    score = naive.score("tokens", atoms)
                    mistakes += (score > 0) != (g in ends)
                    error = (g in ends) - 1 / (1 + math.exp(-score))
                    for place in naive.places("tokens", atoms):
                        table[place] += rate * error if abs(error) > 0.01 else 0
                if g in ends:
                    begin = g
        assert model.learn(Tokens(Text(text), starts, ends), order, rate) == mistakes
    assert np.abs(table).max() > 0.5
    assert learner.table == pytest.approx(table, abs=1e-4)
    assert learner.average() == pytest.approx(np.mean(seen, axis=0), abs=1e-4)


def bias_for(sentences: list[list[str]]) -> tuple[float, float]:
    """What is chosen where the weights say nothing: a sentence then ends behind each token, or behind none."""
    gold = gold_text([[(token, " ") for token in tokens] for tokens in sentences])
    return _best_bias(np.zeros(256, dtype=np.float32), KnownWords([], []), gold)


def test_the_bias_is_what_dev_likes_best_with_its_neighbours_and_else_0():
    assert bias_for([["One", "sentence", "of", "five", "tokens"]]) == (-0.75, 100.0)  # its neighbours go up to 0
    assert bias_for([["Each"], ["token"], ["is"], ["a"], ["sentence"]]) == (1.0, 100.0)  # from 0.25 on
    assert bias_for([["Alone"]]) == (0.0, 100.0)  # nothing to choose


def test_a_bias_away_from_0_has_to_earn_it(monkeypatch):
    monkeypatch.setattr("rearc.segment.learning.PRICE", 200.0)
    assert bias_for([["Each"], ["token"], ["is"], ["a"], ["sentence"]]) == (0.0, 0.0)
