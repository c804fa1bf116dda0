"""The model that comes with rearc."""

import json
from pathlib import Path

import pytest

import rearc
from rearc.treebank.trees import is_tree, roots
from tests.conftest import find_treebanks


@pytest.fixture(scope="module")
def parser():
    return rearc.load("en")


def test_it_parses_bare_words(parser):
    tree = parser.parse(["I", "saw", "Jack"])
    assert tree.heads == [2, 0, 2]
    assert tree.deprels == ["nsubj", "root", "obj"]
    assert tree.upos == ["PRON", "VERB", "PROPN"]


@pytest.mark.parametrize("text", ["x", "???", "🦉 🦉", "न का", "a " * 300, "\u0301 \u200b"])
def test_it_parses_anything_into_one_tree(parser, text):
    parsed = parser.parse(text.split())
    assert is_tree(parsed.tree)
    assert len(roots(parsed.tree)) == 1


def test_it_says_where_it_comes_from(parser):
    assert parser.header.licence == "CC BY-SA 4.0"
    taught = parser.header.taught
    assert parser.header.train.sentences == taught.copies * 12_544 + taught.sentences
    card = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    assert f"On dev the LAS is {parser.header.scores['las']:.2f}" in card


def test_it_does_not_see_the_trees_it_is_asked_for(parser):
    gold = parser.parse(["They", "sleep"])
    wrong = gold.replace(heads=[0, 1], deprels=["root", "dep"])
    assert parser.parse(wrong).heads == gold.heads


def test_it_is_as_good_as_its_card_says(parser):
    dev = list(rearc.read(find_treebanks() / "en_ewt" / "dev.conllu"))[:300]
    parsed = list(parser.parse_many(dev, tags="predict", threads=2))
    scores = rearc.evaluate(dev, parsed)
    assert scores.las > 77
    right = sum(a == b for g, p in zip(dev, parsed, strict=True) for a, b in zip(g.upos, p.upos, strict=True))
    assert right / sum(map(len, dev)) > 0.94
    assert json.dumps(scores.as_dict())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Smith went to Washington D.C. on Jan. 5th. He met Mr. Jones.", 2),
        ("J. R. R. Tolkien wrote it. J.K. Rowling, too. At 5 p.m. we left. It cost $5.00.", 4),
        ('"Why?" she asked. He said "Stop!" and left. (This is true.) [So it is.]', 4),
        ("Line one.\r\nLine two.\rLine three.\n\r\nNew paragraph", 4),
        ("Things to buy:\n- milk\n- two eggs\n- bread and butter", 4),
        ("1. Open the door.\n2. Go in.\n3. Close it.", 3),
        ("From: a@b.com\nTo: c@d.org\nSubject: hello there\n\nHi John,\n\nThanks,\nMary", 6),
        ("Roses are red\nViolets are blue\nSugar is sweet\nAnd so are you", 4),
        ("| a | b |\n|---|---|\n| 1 | 2 |", 3),
        (
            "The committee met on Monday to discuss the proposal that had been submitted in\n"
            "March. Several members asked whether the figures were right; others said\n"
            "that they did not care. No decision was taken.\nThe next meeting is in June.",
            4,
        ),
        ("The quick brown fox jumps\nover the lazy dog and then\nruns away into the woods.", 1),
        ("* first item\n* second item\n\n* third. And more.", 4),
        ("First we eat. Then we sleep.\nA second paragraph comes here. It has two sentences.", 4),
        ("See [12] and (Smith 1999) for {this}.", 1),
    ],
)
def test_text_as_people_paste_it(parser, text, sentences):
    found = parser.segmenter.segment(text)
    assert len(found) == sentences, [" ".join(s.sentence.forms) for s in found]


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 a \udfff.",
        "a\0b\x01c\x7f\x1b[31m.",
        "👩\u200d👩\u200d👧🇩🇪🇫🇷👍🏽",
        "\u202eשלום עולם\u202c",
        "<p>a<b>c</b></p>",
        "(",
    ],
)
def test_nothing_of_odd_text_is_lost(parser, text):
    document = parser(f"So: {text} \n")
    assert rearc.segment.rebuild(document) == f"So: {text} \n"
