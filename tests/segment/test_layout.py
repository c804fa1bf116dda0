"""Treebank text laid out in lines."""

from itertools import pairwise

import numpy as np
import pytest

from rearc.segment.gold import gold_text, pieces_of
from rearc.segment.layout import laid_out
from rearc.treebank import Sentence, read, sample

ENGLISH = pieces_of(list(read(sample()))) * 5
CHINESE = pieces_of([Sentence(["我", "的", "中文", "书", "。"])] * 60)


def text_of(sentences):
    return gold_text(sentences).text


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("shares", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.4, 0.3, 0.3)])
def test_nothing_but_spaces_changes(shares):
    made = laid_out(ENGLISH, rng(), shares)
    assert [[token for token, _ in pieces] for pieces in made] == [[token for token, _ in pieces] for pieces in ENGLISH]
    assert text_of(made).replace("\n\n", " ").replace("\n", " ") == text_of(ENGLISH)
    assert ("\n" in text_of(made)) == (shares[0] < 1)
    assert text_of(laid_out(ENGLISH, rng(), shares)) == text_of(made)


def test_wrapped_lines_are_as_long_as_they_can_be():
    """Within a paragraph the first word of a line would not have had room on the line before."""
    paragraphs = [text.split("\n") for text in text_of(laid_out(ENGLISH, rng(), (0, 1, 0))).strip().split("\n\n")]
    assert len(paragraphs) > 2
    assert max(map(len, paragraphs)) > 2
    for lines in paragraphs:
        width = max(map(len, lines))
        assert width < 100
        for line, then in pairwise(lines):
            assert len(line) + 1 + len(then.split(" ")[0]) > max(40, width)


def test_a_line_a_sentence():
    made = laid_out(ENGLISH, rng(), (0, 0, 1))
    assert {pieces[-1][1] for pieces in made[:-1]} == {"\n", "\n\n"}
    within = [after for pieces in made for _, after in pieces[:-1]]
    assert within.count("\n") < len(within) / 50


def test_text_without_spaces_is_wrapped_anywhere():
    made = laid_out(CHINESE, rng(), (0, 1, 0))
    lines = [line for text in text_of(made).split("\n\n") for line in text.split("\n")[:-1]]
    assert all(37 < len(line) < 100 for line in lines)
    assert any(after == "\n" for pieces in made for _, after in pieces[:-1])
    assert text_of(made).replace("\n", "").replace(" ", "") == text_of(CHINESE).replace(" ", "")
