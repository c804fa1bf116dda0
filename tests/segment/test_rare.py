"""Treebank text with tokens that are rare in it."""

import numpy as np
import pytest

from rearc.segment import Segmenter, learning
from rearc.segment.gold import Pieces, gold_text
from rearc.segment.layout import in_another_order
from rearc.segment.rare import ENOUGH, KINDS, LAST, LEAST, LEAST_RUN_ON, MOST, MOST_RUN_ON, with_rare_tokens
from rearc.treebank import read, sample

TEXT: Pieces = [("Dogs", " "), ("bark", ""), (",", " "), ("cats", " "), ("sleep", ""), (".", " ")]
ONE_OF_EACH = {  # in two parts, neither of which is of the kind
    "address": ("w", "ww.owls.org/mice"),
    "mail": ("owl@", "owls.org"),
    "hashtag": ("#", "owls"),
    "mention": ("@", "owl"),
    "emoticon": (":", "-)"),
    "number": ("3", ",50"),
    "time": ("10", ":30"),
    "emphasis": ("?", "!"),
    "initials": ("S", "."),
}


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def kinds_of(copies: list[Pieces]) -> dict[str, int]:
    """How many copies have a token of a kind that TEXT has not."""
    own = {token for token, _ in TEXT}
    counts = dict.fromkeys(KINDS, 0)
    for copy in copies:
        for token, _ in copy:
            for kind, pattern in KINDS.items():
                counts[kind] += token not in own and pattern.fullmatch(token) is not None
    return counts


def test_a_copy_differs_in_one_token_or_one_space():
    copies = with_rare_tokens([TEXT] * 1001, rng())
    tokens = [token for token, _ in TEXT]
    replaced, run_on, with_comma = 0, 0, 0
    for copy in copies:
        if len(copy) == len(TEXT):
            assert sum(a != b for a, b in zip(copy, TEXT, strict=True)) == 1
            assert [spaces for _, spaces in copy] == [spaces for _, spaces in TEXT]
            replaced += 1
        elif len(copy) == len(TEXT) + 1:
            k = next(k for k, (a, b) in enumerate(zip(copy, TEXT, strict=False)) if a != b)
            assert [*copy[:k], TEXT[k], *copy[k + 2 :]] == TEXT
            assert copy[k][1] == ""
            assert copy[k + 1] == (",", TEXT[k][1])
            with_comma += 1
        else:
            assert [token for token, _ in copy] == tokens * 2
            spaces = [(a, b) for (_, a), (_, b) in zip(copy, TEXT * 2, strict=True) if a != b]
            assert spaces == [("", " ")]
            run_on += 1
    assert replaced + with_comma == (len(KINDS) + len(LAST)) * 20
    assert 15 < with_comma < 55  # a quarter of six kinds
    assert run_on == 30
    assert all(kinds_of(copies).values())


def test_some_sentences_end_with_an_acronym_or_a_number():
    lasts = [copy[-2][0] for copy in with_rare_tokens([TEXT] * 1000, rng()) if copy[-2][0] != "sleep"]
    acronyms = {word for word in lasts if word.isalpha() and word.isupper()}
    assert len(acronyms) > 3
    assert all(set(word) == {"D"} and 2 <= len(word) <= 5 for word in acronyms)
    assert sum(word in acronyms for word in lasts) == 20
    assert sum(word.isdigit() for word in lasts) == 20


def test_copies_are_text_with_tokens_in_their_places():
    for copy in with_rare_tokens([TEXT] * 50, rng()):
        gold = gold_text([copy])
        found = [gold.text[a:b] for a, b in zip(gold.tokens.starts, gold.tokens.ends, strict=True)]
        assert found == [token for token, _ in copy]


def test_a_treebank_keeps_its_own_ways():
    assert set(ONE_OF_EACH) == set(KINDS)
    for kind, (first, second) in ONE_OF_EACH.items():
        token = first + second
        own: Pieces = [*TEXT[:3], (token, " "), *TEXT[3:]]
        apart: Pieces = [*TEXT[:3], (first, ""), (second, " "), *TEXT[3:]]
        for treebank, expected in (
            ([own] * (ENOUGH - 1) + [TEXT], True),
            ([own] * ENOUGH, False),  # it has taught enough
            ([apart] + [TEXT] * 20, False),  # it splits them
            ([apart] * 2 + [own] * 2 + [TEXT] * 20, True),
        ):
            there = kinds_of([[p for p in copy if p[0] != token] for copy in with_rare_tokens(treebank, rng())])[kind]
            assert (there > 0) == expected, (kind, treebank[0])


def test_how_many():
    for count, kind, run_on in ((1, 0, 0), (9, 1, 1), (400, LEAST, LEAST_RUN_ON), (100_000, MOST, MOST_RUN_ON)):
        copies = with_rare_tokens([TEXT] * count, rng())
        assert sum(len(copy) > len(TEXT) + 1 for copy in copies) == run_on
        assert sum(len(copy) <= len(TEXT) + 1 for copy in copies) == kind * (len(KINDS) + len(LAST))
    assert with_rare_tokens([], rng()) == []
    odd: list[Pieces] = [[(".", "")], [("1", " "), ("2", "")], [("一", ""), ("二", ""), ("。", "")]]
    for copy in with_rare_tokens(odd * 10, rng()):
        assert all(token for token, _ in copy)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The owl hunts.It sees the mice.", ["The", "owl", "hunts", ".", "It", "sees", "the", "mice", "."]),
        ("See www.owls.com/mice, or owl@mice.org.", ["See", "www.owls.com/mice", ",", "or", "owl@mice.org", "."]),
        ("The owl T. S. Hunter sleeps.", ["The", "owl", "T.", "S.", "Hunter", "sleeps", "."]),
        ("Owls sleep!!! :'( @owl", ["Owls", "sleep", "!!!", ":'(", "@owl"]),
    ],
)
def test_what_a_model_of_prose_learns(text: str, tokens: list[str], monkeypatch: pytest.MonkeyPatch):
    treebank = list(read(sample())) * 2

    def split() -> list[str]:
        return [form for found in Segmenter.train(treebank).segment(text) for form in found.sentence.forms]

    assert split() == tokens
    monkeypatch.setattr(learning, "COPIES", [copies for copies in learning.COPIES if copies is not with_rare_tokens])
    assert split() != tokens


def test_another_order_changes_nothing_but_the_order():
    other: Pieces = [("Owls", " "), ("see", ""), (".", "")]
    treebank = [TEXT] * 30 + [other] * 20
    shuffled = in_another_order(treebank, rng())
    spaced: Pieces = [*other[:-1], (".", " ")]
    assert sorted(shuffled) == sorted([TEXT] * 30 + [spaced] * 20)
    assert shuffled != [TEXT] * 30 + [spaced] * 20
    assert treebank[-1] == other
    assert sorted(in_another_order([other] * 3 + [TEXT], rng())) == sorted([other] * 3 + [TEXT])
