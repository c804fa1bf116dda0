"""Treebank text with marks put in."""

import numpy as np
import pytest

from rearc.segment import Segmenter
from rearc.segment.gold import Pieces
from rearc.segment.inserted import KINDS, LEAST, MOST, with_marks
from rearc.treebank import Sentence

TEXT: Pieces = [("Owls", " "), ("hunt", ""), (",", " "), ("old", " "), ("mice", " "), ("hide", ""), (".", " ")]
WORDS = {"Owls", "hunt", "old", "mice", "hide"}


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def copies(kind: str, text: Pieces = TEXT, count: int = 3000) -> list[Pieces]:
    """The copies that have a mark of the kind that the text has not."""
    marks = {mark for entry in KINDS[kind] for mark in entry}
    return [copy for copy in with_marks([text] * count, rng()) if any(token in marks for token, _ in copy)]


def written(pieces: Pieces) -> str:
    return "".join(map("".join, pieces))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_share_of_copies_and_all_its_marks(kind):
    made = copies(kind)
    assert len(made) == 90
    assert {mark for entry in KINDS[kind] for mark in entry} <= {token for copy in made for token, _ in copy}


def test_a_word_or_a_number_stands_in_brackets():
    places, numbers = set(), set()
    for copy in copies("brackets"):
        at = next(k for k, (token, _) in enumerate(copy) if token in "([{")
        opening, inside, closing = copy[at : at + 3]
        assert (opening[0], closing[0]) in KINDS["brackets"]
        assert (opening[1], inside[1]) == ("", "")
        assert inside[0] == TEXT[at][0] or inside[0].isdigit()
        assert [*copy[:at], (TEXT[at][0], closing[1]), *copy[at + 3 :]] == TEXT
        places.add(at)
        numbers.add(inside[0].isdigit())
    assert (places, numbers) == ({1, 3, 4, 5}, {True, False})


def test_up_to_three_words_stand_in_quotation_marks_and_nothing_else_changes():
    sizes, behind = set(), set()
    for copy in copies("quotes"):
        assert len(copy) == len(TEXT) + 2
        a, b = (k for k, (token, _) in enumerate(copy) if token not in WORDS | {",", "."})
        assert (copy[a][0], copy[b][0]) in KINDS["quotes"]
        assert (copy[a][1], copy[b - 1][1]) == ("", "")
        assert [*copy[:a], *copy[a + 1 : b - 1], (copy[b - 1][0], copy[b][1]), *copy[b + 1 :]] == TEXT
        sizes.add(b - a - 1)
        behind.add(copy[b][1])
    assert (sizes, behind) == ({1, 2, 3}, {"", " "})


def test_marks_stand_behind_words_and_dashes_between_them():
    assert {written(copy).split()[-3] for copy in copies("marks")} <= {
        "old",
        *(f"old{mark}" for (mark,) in KINDS["marks"]),
    }
    for copy in copies("dashes"):
        assert written(copy) in {
            written(TEXT).replace(pair, pair.replace(" ", mark))
            for pair in ("old mice", "mice hide")
            for (mark,) in KINDS["dashes"]
        }


def test_what_a_treebank_has_within_words_is_left_to_it():
    spoken: Pieces = [
        ("[pause]", " "),
        ("owls", " "),
        ("hunt...", " "),
        ("mice\u2014", " "),
        ("and", " "),
        ("voles", ""),
    ]
    tokens = {token for copy in with_marks([spoken] * 3000, rng()) for token, _ in copy}
    assert {"(", "{", "!", "\u2013", "\u201c"} <= tokens
    assert not {"[", "]", "...", "\u2014"} & tokens


def test_apostrophes_within_words_do_not_keep_single_quotation_marks_away():
    assert "'" in {
        token
        for copy in copies("quotes", [("l'", ""), ("ours", " "), ("brun", " "), ("dort", "")])
        for token, _ in copy
    }


def test_sentences_with_quotation_marks_get_no_others():
    quoted: Pieces = [("old", " "), ('"', ""), ("mice", ""), ('"', " "), ("hide", " "), ("here", "")]
    tokens = {token for copy in with_marks([quoted] * 3000, rng()) for token, _ in copy}
    assert not {"\u201c", "\u00ab", "'"} & tokens


@pytest.mark.parametrize(("sentences", "made"), [(3, 0), (4, 1), (100, LEAST), (100_000, MOST)])
def test_how_many_copies(sentences, made):
    assert len(copies("marks", count=sentences)) == made


def test_text_without_spaces_is_left_alone():
    assert with_marks([[("猫", ""), ("睡", ""), ("了", "")]] * 100, rng()) == []


def test_marks_that_a_treebank_writes_apart_are_tokens_all_the_same():
    """Quotation marks with spaces around them, as in tr_imst; no dash, no semicolon."""
    names = [first + rest for first in ("A", "Be", "Ca", "Do", "E", "Fi") for rest in ("nna", "ni", "rlo", "ra", "mil")]
    treebank = []
    for name in names:
        for other in names:
            marks = ['"'] * (name > other)
            words = [name, "calls", "old", *marks, other, *marks, "today"]
            treebank.append(Sentence([*words, "."], comments=[f"# text = {' '.join(words)}."]))
    segmenter = Segmenter.train(treebank)
    for text in (
        'Karl calls "Lena" today.',
        "Karl calls 'Lena', today.",
        "Karl calls; Lena today!",
        "Karl calls old Lena\u2014Anna today.",
    ):
        marks = "\"'.,;!\u2014"
        expected = "".join(f" {c} " if c in marks else c for c in text).split()
        assert segmenter.tokenise(text).sentence.forms == expected
