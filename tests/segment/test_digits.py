"""Treebank text with other numbers."""

import re

import numpy as np

from rearc.segment import Segmenter
from rearc.segment.digits import COPIES, MOST, with_other_digits
from rearc.segment.gold import Pieces
from rearc.treebank import Sentence

YEARS: Pieces = [("In", " "), ("1914", ""), ("-", ""), ("18", " "), ("٢٥", ""), ("%", " "), ("of", " "), ("7", "")]
PLAIN: Pieces = [("Page", " "), ("7", " "), ("of", " "), ("9", "")]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_only_digits_change_and_in_all_numbers():
    first, second = set(), set()
    for copy in with_other_digits([YEARS] * 200, rng()):
        assert [spaces for _, spaces in copy] == [spaces for _, spaces in YEARS]
        assert [re.sub(r"\d+", "0", token) for token, _ in copy] == [re.sub(r"\d+", "0", token) for token, _ in YEARS]
        first.add(copy[1][0])
        second.add(copy[3][0])
        assert re.fullmatch("[\u0660-\u0669]+", copy[4][0])
    assert {len(number) for number in first} == {3, 4, 5}
    assert {len(number) for number in second} == {1, 2, 3}
    assert len(first) > 300
    assert not any(number.startswith("0") for number in first)


def test_a_first_zero_may_stay():
    made = {copy[0][0] for copy in with_other_digits([[("07", ""), (".", "")]] * 200, rng())}
    assert any(number.startswith("0") for number in made)
    assert any(not number.startswith("0") for number in made)


def test_each_sentence_that_teaches_something_comes_twice():
    made = with_other_digits([YEARS, PLAIN, [("No", " "), ("number", "")]], rng())
    assert len(made) == COPIES
    assert all(copy[2] == ("-", "") for copy in made)


def test_a_large_treebank_gets_no_more_than_some():
    assert len(with_other_digits([YEARS] * (MOST + 1), rng())) == COPIES * MOST


def test_the_same_seed_makes_the_same_copies():
    assert with_other_digits([YEARS] * 3, rng()) == with_other_digits([YEARS] * 3, rng())


def test_ranges_that_were_never_seen_are_split():
    ends = {"SpaceAfter=No": "", "_": " "}
    treebank = []
    for years in (("1914", "1918"), ("1939", "1945")):
        words, misc = ["They", "fought", years[0], "-", years[1], "."], ["_", "_", *["SpaceAfter=No"] * 3, "_"]
        text = "".join(word + ends[said] for word, said in zip(words, misc, strict=True)).strip()
        treebank += [Sentence(words, misc=misc, comments=[f"# text = {text}"])] * 4
    treebank += [Sentence(["Owls", "sleep", "well", "."], misc=["_", "_", "SpaceAfter=No", "_"])] * 200
    segmenter = Segmenter.train(treebank)
    for line in ("They fought 2003-2007.", "They fought 17-25.", "They fought 608-99."):
        assert segmenter.tokenise(line).sentence.forms == [*re.findall(r"\w+|\S", line)]
