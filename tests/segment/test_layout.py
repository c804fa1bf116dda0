"""Treebank text laid out in lines."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from rearc.segment import Segmenter
from rearc.segment.gold import gold_text, pieces_of
from rearc.segment.layout import BULLETS, SHARES, STRETCH, WAYS, _ways, laid_out
from rearc.treebank import Sentence, read, sample

ENGLISH = pieces_of(list(read(sample()))) * 5
CHINESE = pieces_of([Sentence(["我", "的", "中文", "书", "。"])] * 60)


def text_of(sentences):
    return gold_text(sentences).text


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize(
    "shares", [(1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 0, 1), (0.4, 0.3, 0.2, 0, 0.1)]
)
def test_nothing_but_spaces_changes(shares):
    made = laid_out(ENGLISH, rng(), shares)
    assert [[token for token, _ in pieces] for pieces in made] == [[token for token, _ in pieces] for pieces in ENGLISH]
    assert text_of(made).replace("\n\n", " ").replace("\n", " ") == text_of(ENGLISH)
    assert ("\n" in text_of(made)) == (shares[0] < 1)
    assert text_of(laid_out(ENGLISH, rng(), shares)) == text_of(made)


def test_wrapped_lines_are_as_long_as_they_can_be():
    """Within a paragraph the first word of a line would not have had room on the line before."""
    paragraphs = [text.split("\n") for text in text_of(laid_out(ENGLISH, rng(), (0, 1, 0, 0, 0))).strip().split("\n\n")]
    assert len(paragraphs) > 2
    assert max(map(len, paragraphs)) > 2
    for lines in paragraphs:
        width = max(map(len, lines))
        assert width < 100
        for line, then in pairwise(lines):
            assert len(line) + 1 + len(then.split(" ")[0]) > max(40, width)


def test_a_line_a_sentence():
    made = laid_out(ENGLISH, rng(), (0, 0, 1, 0, 0))
    assert {pieces[-1][1] for pieces in made[:-1]} == {"\n", "\n\n"}
    within = [after for pieces in made for _, after in pieces[:-1]]
    assert within.count("\n") < len(within) / 50


def test_lines_of_several_sentences():
    """Lines end with sentences, and most sentences are followed by another on their line."""
    made = laid_out(ENGLISH, rng(), (0, 0, 0, 0, 1))
    ends = [pieces[-1][1] for pieces in made[:-1]]
    assert len(ends) / 2 < ends.count(" ") < len(ends)
    within = [after for pieces in made for _, after in pieces[:-1]]
    assert within.count("\n") < len(within) / 50


def test_points_of_a_list():
    """A line a sentence, each with a bullet; some lose their full stop, and nothing else."""
    made = laid_out(ENGLISH, rng(), (0, 0, 0, 1, 0))
    assert {pieces[-1][1] for pieces in made[:-1]} == {"\n", "\n\n"}
    assert {pieces[0] for pieces in made} == {(bullet, " ") for bullet in BULLETS}
    unfinished = 0
    for pieces, before in zip(made, ENGLISH, strict=True):
        found, whole = [token for token, _ in pieces[1:]], [token for token, _ in before]
        unfinished += found == whole[:-1] and whole[-1] == "."
        assert found in (whole, whole[:-1])
    assert len(made) / 4 < unfinished < len(made) * 3 / 4


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("stretches", [40, 100, 333])
def test_each_way_has_its_share_of_a_small_treebank(stretches, seed):
    """Of its stretches, to one more or less."""
    dealt = Counter(way for way, _ in _ways(stretches, np.random.default_rng(seed), SHARES))
    assert all(abs(dealt[way] - share * stretches) <= 1 for way, share in zip(WAYS, SHARES, strict=True))


def test_points_are_some_of_a_text_and_not_much():
    made = laid_out([[("word", " ")]] * 1000 * STRETCH, rng(), SHARES)
    points = sum(len(pieces) > 1 for pieces in made)
    lines = sum(pieces[-1][1] == "\n" for pieces in made)
    assert 0.015 < points / len(made) < 0.06
    assert lines > 1.5 * points


@pytest.mark.parametrize("bullet", BULLETS)
def test_a_list_is_split_into_its_points(bullet):
    sentences = list(read(sample())) * 20
    segmenter = Segmenter.train(sentences)
    points = [f"{bullet} {s.text.rstrip('.')}" for s in sentences[:8]]
    found = segmenter.segment("\n".join(points) + "\n")
    assert [s.sentence.text for s in found] == points


def test_text_without_spaces_is_wrapped_anywhere():
    made = laid_out(CHINESE, rng(), (0, 1, 0, 0, 0))
    lines = [line for text in text_of(made).split("\n\n") for line in text.split("\n")[:-1]]
    assert all(37 < len(line) < 100 for line in lines)
    assert any(after == "\n" for pieces in made for _, after in pieces[:-1])
    assert text_of(made).replace("\n", "").replace(" ", "") == text_of(CHINESE).replace(" ", "")
