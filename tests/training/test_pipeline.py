"""Which parts a model gets: all that the treebank teaches, but for what is not wanted."""

import pytest

import rearc
from rearc.training import OptionError, Options
from rearc.training.corpus import make_corpus
from rearc.training.pipeline import choose_parts
from rearc.treebank import Sentence

BARE = {"lemmas": None, "upos": None, "xpos": None, "feats": None}
SILENT = {"misc": None, "comments": []}
ALL = "upos,xpos,feats,lemmas"


@pytest.mark.parametrize(
    ("change", "options", "segmenter", "tagger", "columns"),
    [
        ({}, {}, True, True, ALL),
        ({}, {"tagger": None, "segmenter": None, "columns": None, "only": None}, True, True, ALL),
        ({}, {"only": "parser"}, False, False, None),
        ({}, {"segmenter": False}, False, True, ALL),
        ({}, {"tagger": False}, True, False, None),
        ({}, {"columns": "upos,lemmas"}, True, True, "upos,lemmas"),
        ({}, {"columns": "upos,lemmas,xpos"}, True, True, "upos,xpos,lemmas"),
        (BARE, {}, True, False, None),
        ({"xpos": None}, {}, True, True, "upos,feats,lemmas"),
        (SILENT, {}, True, True, ALL),
        (SILENT, {"segmenter": False}, False, True, ALL),
        ({"misc": None}, {}, True, True, ALL),
        ({"comments": []}, {}, True, True, ALL),
    ],
)
def test_what_is_chosen(
    change: dict, options: dict, segmenter: bool, tagger: bool, columns: str | None, sentences: list[Sentence]
):
    corpus = make_corpus("some", [s.replace(**change) for s in sentences])
    chosen = choose_parts(corpus, Options(**options))
    assert (chosen.segmenter, chosen.tagger, chosen.columns) == (segmenter, tagger, columns)


def test_a_column_that_the_treebank_lacks(sentences: list[Sentence]):
    corpus = make_corpus("some", [s.replace(xpos=None) for s in sentences])
    with pytest.raises(OptionError, match="found columns 'upos,xpos', expected no xpos, as the treebank has none"):
        choose_parts(corpus, Options(columns="upos,xpos"))


def test_what_is_chosen_is_in_the_model(sentences: list[Sentence]):
    whole = rearc.train(sentences, epochs=1, columns="upos,lemmas")
    assert [s.forms for s in whole("A dog barks.")] == [["A", "dog", "barks", "."]]
    assert whole.tagger is not None
    assert whole.tagger.columns == ("upos", "lemmas")
    alone = rearc.train(sentences, epochs=1, only="parser")
    assert (alone.segmenter, alone.tagger, alone.has_tagger) == (None, None, False)
