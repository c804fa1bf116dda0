"""Treebank text with other quotation marks and apostrophes."""

import numpy as np
import pytest

from rearc.segment import Segmenter
from rearc.segment.gold import pieces_of
from rearc.segment.inserted import KINDS
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
    made = [copy for copy in in_other_marks([pieces] * 50, rng()) if len(copy) == len(pieces)]
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


def test_brackets_come_with_others_in_their_place():
    pieces = [("(", ""), ("a", " "), ("[", ""), ("b", ""), ("]", ""), (")", " "), (":)", "")]
    made = [copy for copy in in_other_marks([pieces] * 60, rng()) if len(copy) == len(pieces)]
    assert len(made) == 60
    for copy in made:
        assert [copy[k][0] for k in (0, 2, 4, 5)] == ["{", "{", "}", "}"]
        assert [copy[k] for k in (1, 3, 6)] == [pieces[k] for k in (1, 3, 6)]
        assert [spaces for _, spaces in copy] == [spaces for _, spaces in pieces]


@pytest.mark.parametrize("marks", ["(a", "a)", ")a(", "(a]", "([a)]"])
def test_brackets_that_are_no_pairs_stay(marks):
    assert in_other_marks([[(mark, "") for mark in marks]] * 20, rng()) == []


@pytest.mark.parametrize("here", ["", "()"])
def test_brackets_that_a_treebank_has_not_are_tokens_all_the_same(here):
    """No sentence has a bracket, or each has round ones alone."""
    names = ["Anna", "Benjamin", "Carl", "Dorothea", "Emil", "Frederik", "Gina", "Hans", "Ina", "Jan"]
    names += ["Konrad", "Ludmilla", "Max", "Nora", "Otto", "Paul"]
    treebank = [
        Sentence(
            [name, "meets", *here[:1], other, *here[1:], "today", "."],
            comments=[f"# text = {name} meets {here[:1]}{other}{here[1:]} today."],
        )
        for name in names
        for other in names
    ]
    segmenter = Segmenter.train(treebank)
    for opening, closing in KINDS["brackets"]:
        found = segmenter.tokenise(f"Karl meets {opening}Lena{closing} today.").sentence.forms
        assert found == ["Karl", "meets", opening, "Lena", closing, "today", "."]


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
