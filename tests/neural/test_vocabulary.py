"""Which words get a vector of their own."""

from dataclasses import replace

import pytest

from rearc.neural import vocabulary
from rearc.neural.vocabulary import affixes_of, learn_vocabulary
from rearc.treebank import Sentence
from tests.neural.networks import TINY

SHAPE = replace(TINY, columns=())
SENTENCES = [Sentence(["Owls", "hunt", "owls"]), Sentence(["Mice", "hunt", "Ωμέγα"])]


@pytest.mark.parametrize("words", [6, 7])
def test_in_much_text_a_word_that_is_there_once_has_none(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MUCH_TEXT", words)
    found, counts = learn_vocabulary(SENTENCES, SHAPE)
    often = {"owls": 2, "hunt": 2}
    expected = often if words == 6 else {**often, "mice": 1, "ωμέγα": 1}
    assert dict(zip(found.words, counts[1:], strict=True)) == expected
    assert list(found.words.values()) == list(range(1, len(expected) + 1))
    assert ("Ω" in found.characters) == (words == 7)
    shared = {affix for affix in affixes_of("Owls") if affix in affixes_of("owls")}  # two forms
    assert shared <= set(found.affixes)


@pytest.mark.parametrize("much", [1, 3, 10, 11, 30, 90, 91])
def test_the_more_text_the_oftener_a_word_must_be_there(much: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """90 words, of which one is there once, one twice and so on: a naive count of what is left."""
    monkeypatch.setattr(vocabulary, "MUCH_TEXT", much)
    forms = [f"word{count}" for count in range(1, 13) for _ in range(count)] + ["rest"] * 12
    least = 1
    while least * least * much <= len(forms):  # n times as much text: the root of n, and one
        least += 1
    found, counts = learn_vocabulary([Sentence(forms)], SHAPE)
    expected = {form: forms.count(form) for form in forms if forms.count(form) >= least}
    assert dict(zip(found.words, counts[1:], strict=True)) == expected
