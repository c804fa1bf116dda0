"""Treebank text with abbreviations put in."""

import re

import numpy as np
import pytest

from rearc.segment import Segmenter
from rearc.segment.abbreviations import LEAST, MOST, with_abbreviations
from rearc.segment.gold import Pieces
from rearc.treebank import Sentence

TEXT: Pieces = [("Old", " "), ("Ámbers", " "), ("said", " "), ("volume", " "), ("3", ""), (".", " ")]
SHORT, DOTTED = re.compile(r"[^\W\d_]{2,4}\."), re.compile(r"(?:[^\W\d_]{1,2}\.){2,3}")


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def put_in(copy: Pieces) -> tuple[int, str]:
    """Which token is another one than in TEXT, and what it is."""
    (k,) = (k for k, (old, new) in enumerate(zip(TEXT, copy, strict=True)) if old != new)
    assert copy[k][1] == TEXT[k][1]
    return k, copy[k][0]


def test_a_word_that_the_sentence_goes_on_behind_becomes_an_abbreviation():
    made = [put_in(copy) for copy in with_abbreviations([TEXT] * 1000, rng())]
    short, dotted = made[: len(made) // 2], made[len(made) // 2 :]
    assert all(SHORT.fullmatch(token) for _, token in short)
    assert all(DOTTED.fullmatch(token) for _, token in dotted)
    assert {k for k, _ in short} == {1, 3}, "long words before a small letter or a digit"
    assert {k for k, _ in dotted} == {1, 2, 3}
    assert {token for _, token in short} == {"Ám.", "Ámb.", "vol."}, "cut behind a consonant"
    letters = {part for _, token in dotted for part in token[:-1].split(".")}
    assert {"o", "á", "s", "v", "ol", "ám", "sa", "vo"} == letters
    assert {token.count(".") for _, token in dotted} == {2, 3}


@pytest.mark.parametrize(("sentences", "copies"), [(19, 0), (40, 2), (400, LEAST), (1500, 30), (9000, MOST)])
def test_there_are_as_many_of_each_kind_as_the_treebank_can_bear(sentences, copies):
    assert len(with_abbreviations([TEXT] * sentences, rng())) == 2 * copies


def test_a_word_without_a_consonant_there_is_cut_anywhere():
    made = with_abbreviations([[("An", " "), ("aeaeaea", " "), ("sleeps", "")]] * 200, rng())
    assert {copy[1][0] for copy in made if SHORT.fullmatch(copy[1][0]) and copy[1][0].count(".") == 1} == {
        "ae.", "aea.", "aeae."
    }  # fmt: skip


@pytest.mark.parametrize(
    ("parted", "left"),
    [
        ([("See", " "), ("vol", ""), (".", " "), ("3", " ")], DOTTED),
        ([("Mice", " "), ("e", ""), (".", ""), ("g", ""), (".", "  "), ("Owls", " ")], SHORT),
    ],
)
def test_a_treebank_that_parts_them_from_their_full_stops_is_left_its_way(parted, left):
    made = [copy for copy in with_abbreviations([TEXT] * 500 + [parted], rng()) if copy[0] == TEXT[0]]
    assert made
    assert all(left.fullmatch(put_in(copy)[1]) for copy in made)


def test_sentences_that_end_before_small_letters_count_as_parted():
    small: list[Pieces] = [[("we", " "), ("go", ""), (".", " ")]] * 2
    assert not [c for c in with_abbreviations([TEXT] * 500 + small, rng()) if any(SHORT.fullmatch(t) for t, _ in c)]
    joined: list[Pieces] = [[("See", " "), ("vol.", " "), ("3", " ")]]
    made = with_abbreviations([TEXT] * 500 + joined + small, rng())
    assert any(SHORT.fullmatch(token) for copy in made for token, _ in copy)


def test_half_of_the_dotted_ones_are_those_that_the_treebank_has():
    own: list[Pieces] = [[("Once", " "), (word, " "), ("More", " ")] for word in ("p.a.", "e.g.", "U.S.", "q.e.d.")]
    made = [copy for copy in with_abbreviations([TEXT] * 3000 + own, rng()) if copy[0] == TEXT[0]]
    tokens = [token for token in (put_in(copy)[1] for copy in made) if DOTTED.fullmatch(token)]
    counts = {word: tokens.count(word) for word in ("p.a.", "e.g.", "q.e.d.")}
    assert len(tokens) == MOST
    assert 15 < sum(counts.values()) < 45
    assert min(counts.values()) > 0
    assert "U.S." not in tokens


def test_places_where_a_sentence_could_end_are_left_alone():
    assert with_abbreviations([[("In", " "), ("Ambers", " "), ("London", ""), (".", "")]] * 200, rng()) == []


def test_abbreviations_that_a_treebank_has_not_are_one_token():
    names = ["Anna", "Benjamin", "Carl", "Dorothea", "Emil", "Frederik", "Gina", "Hans"]
    words = ["walks", "sleeps", "reads", "writes", "listens", "whispers"]

    def sentence(name: str, word: str, other: str) -> Sentence:
        return Sentence(
            [name, "often", word, "before", other, "comes", "."],
            comments=[f"# text = {name} often {word} before {other} comes."],
        )

    segmenter = Segmenter.train([sentence(a, w, b) for a in names for w in words for b in names])
    found = [s.sentence.forms for s in segmenter.segment("Anna reads pag. 3 before Carl comes. Gina e.g. sleeps.")]
    assert found == [["Anna", "reads", "pag.", "3", "before", "Carl", "comes", "."], ["Gina", "e.g.", "sleeps", "."]]
