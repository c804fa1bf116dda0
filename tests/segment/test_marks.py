"""Treebank text with other quotation marks and apostrophes."""

import numpy as np
import pytest

from rearc.segment import Segmenter
from rearc.segment.gold import pieces_of
from rearc.segment.marks import QUOTATIONS, in_other_marks
from rearc.treebank import Sentence, read, sample


def rng():
    return np.random.default_rng(1)


def test_quotation_marks_come_in_pairs_and_nothing_else_changes():
    pieces = [
        ("He", " "),
        ("said", " "),
        ('"', ""),
        ("go", ""),
        ('"', " "),
        ("and", " "),
        ("``", ""),
        ("stop", ""),
        ("''", ""),
    ]
    made = in_other_marks([pieces] * 50, rng())
    assert len(made) == 50
    assert {(copy[2][0], copy[4][0]) for copy in made} == set(QUOTATIONS)
    for copy in made:
        assert (copy[6][0], copy[8][0]) == (copy[2][0], copy[4][0])
        assert [spaces for _, spaces in copy] == [spaces for _, spaces in pieces]
        assert [token for k, (token, _) in enumerate(copy) if k not in (2, 4, 6, 8)] == [
            "He",
            "said",
            "go",
            "and",
            "stop",
        ]


def test_a_mark_without_another_stays():
    assert in_other_marks([[('"', ""), ("Go", "")], [("Go", " "), ("on", "")]], rng()) == []


@pytest.mark.parametrize(("here", "there"), ["'\u2019", "\u2019'"])
def test_some_sentences_come_with_other_apostrophes(here, there):
    made = in_other_marks([[("l" + here, ""), ("eau", "")]] * 200, rng())
    assert 30 < len(made) < 90
    assert {tuple(copy) for copy in made} == {(("l" + there, ""), ("eau", ""))}


def test_the_same_seed_makes_the_same_copies():
    pieces = pieces_of(list(read(sample()))) * 3
    assert in_other_marks(pieces, rng()) == in_other_marks(pieces, rng())


def test_marks_that_a_treebank_has_not_are_tokens_all_the_same():
    """Each sentence has straight marks alone; without the copies the curly ones would stay at their words."""
    names = ["Anna", "Beni", "Carl", "Dora", "Emil", "Fred", "Gina", "Hans", "Ina", "Jan"]
    treebank = [
        Sentence(
            ['"', name, '"', "l'", "oiseau", "(", other, ")", "."], comments=[f'# text = "{name}" l\'oiseau ({other}).']
        )
        for name in names
        for other in names
    ]
    segmenter = Segmenter.train(treebank)
    for text in ("\u201cKarl\u201d l\u2019oiseau (Lena).", "'Karl' l'oiseau (Lena)."):
        found = segmenter.tokenise(text).sentence.forms
        assert found == [text[0], "Karl", text[5], text[7:9], "oiseau", "(", "Lena", ")", "."]
