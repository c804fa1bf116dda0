"""Learning to segment, and the text of a treebank."""

import numpy as np
import pytest

from rearc.segment import SegmentEpoch, Segmenter, train
from rearc.segment.gold import gold_text, pieces_of
from rearc.treebank import Multiword, Sentence, read, sample


def test_the_same_treebank_gives_the_same_segmenter():
    one, two, other = (train(read(sample()), read(sample()), seed=seed) for seed in (1, 1, 2))
    assert one.header == two.header
    assert all(np.array_equal(array, two.tensors()[name]) for name, array in one.tensors().items())
    assert not np.array_equal(one.tensors()["tokens/weights"], other.tensors()["tokens/weights"])


def test_what_is_reported():
    epochs: list[SegmentEpoch] = []
    train(read(sample()), read(sample()), report=epochs.append)
    assert [e.epoch for e in epochs] == [*range(1, 5), *range(1, 17)]
    assert [e.part for e in epochs] == ["tokens"] * 4 + ["sentences"] * 16
    assert epochs[-1].f1 == 100
    assert epochs[0].mistakes > epochs[3].mistakes


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
