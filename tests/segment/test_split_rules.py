"""Split rules: what is made can be applied and gives the words, whatever token and words are."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rearc.segment.multiwords import tokens_of
from rearc.segment.split_rules import WHOLE, apply_split, compile_split, make_split
from rearc.treebank import read
from tests.naive import splits as naive

near = st.text(st.sampled_from("abAB1|\\>~İß"), min_size=1, max_size=8)
text = st.text(min_size=1, max_size=10)


@pytest.mark.parametrize(
    ("token", "words", "rule"),
    [
        ("du", ["de", "le"], "f|de|le"),
        ("Du", ["De", "le"], "f|de|le"),
        ("DU", ["DE", "LE"], "f|de|le"),
        ("Du", ["de", "le"], "k|de|le"),
        ("mantê-lo", ["mantê", "lo"], "f|>~-lo>|lo"),
        ("torná-la-ia", ["tornaria", "la"], "f|>~á-la-ia>aria|la"),
        ("KERRY'S", ["KERRY", "'S"], "f|>~'s>|'s"),
        ("στην", ["σ", "την"], "f|σ|σ>~>"),
        ("a|b", ["a", "|", "b~"], r"f|a|\||b\~"),
        ("word", ["word"], WHOLE),
        ("7", ["7"], WHOLE),
    ],
)
def test_rules(token: str, words: list[str], rule: str):
    assert make_split(token, words) == rule
    assert apply_split(rule, token) == naive.apply(rule, token) == words


@settings(max_examples=300, deadline=None)
@given(token=text, words=st.lists(text, min_size=1, max_size=5))
@example("İ", ["i", "İ"])
@example("a" * 3000, ["a" * 2999, "b"])
@example("\ud800x", ["\ud800", "x"])
def test_any_token_and_words(token: str, words: list[str]):
    rule = make_split(token, words)
    assert apply_split(rule, token) == naive.apply(rule, token) == words


@settings(max_examples=500, deadline=None)
@given(token=near, words=st.lists(near, min_size=1, max_size=4), other=near)
def test_tokens_and_words_that_have_much_in_common(token: str, words: list[str], other: str):
    rule = make_split(token, words)
    assert apply_split(rule, token) == naive.apply(rule, token) == words
    assert apply_split(rule, other) == naive.apply(rule, other)  # which it was not made for
    assert all(apply_split(rule, other))


@pytest.mark.parametrize(
    "rule", ["", "f", "f|", "f||a", "x|a", "f|a>b", "f|a~b", "f|>~>|>~>", "f|a\\", "f|>>~>", "k|a|", "f|~"]
)
def test_what_is_no_rule(rule: str):
    with pytest.raises(ValueError, match=r"found the split rule .*, expected one such as"):
        compile_split(rule)


@pytest.mark.parametrize(("token", "words"), [("", ["a"]), ("a", []), ("a", ["a", ""])])
def test_what_cannot_be_split(token: str, words: list[str]):
    with pytest.raises(ValueError, match="expected some text for each"):
        make_split(token, words)


def test_all_multiword_tokens_of_all_treebanks(treebanks: Path):
    count = 0
    for file in sorted(treebanks.glob("*/*.conllu")):
        pairs = {pair for s in read(file) for pair in tokens_of(s) if len(pair[1]) > 1}
        for token, words in sorted(pairs):
            rule = make_split(token, words)
            assert tuple(apply_split(rule, token)) == tuple(naive.apply(rule, token)) == words, (file, token, words)
        count += len(pairs)
    assert count > 1000
