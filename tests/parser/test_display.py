"""What notebooks show. No text becomes markup."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

import rearc
from rearc.evaluation import compare
from rearc.parser import Document, Parser
from rearc.parser.document import SHOWN
from rearc.training import Curve, Epoch
from rearc.treebank import Sentence
from rearc.treebank.drawing.table import html_table

HOSTILE = "<script>alert('1')</script>&\"\0"


class Page(HTMLParser):
    """The elements and the text of what is shown."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


def page(thing: object) -> Page:
    shown = Page(thing._repr_html_())  # type: ignore[attr-defined]
    assert "script" not in shown.elements
    return shown


def test_a_table():
    shown = Page(html_table(HOSTILE, [HOSTILE], [[HOSTILE, 1.234, 1234, None]]))
    assert shown.elements == ["table", "caption", "thead", "tr", "th", "tbody", "tr", "td", "td", "td", "td"]
    assert shown.text.count("<script>") == 3
    assert " 1.23 1,234" in shown.text


def test_a_parser_says_what_it_can_do(model: Parser):
    shown = page(model)
    assert "arc-hybrid-swap" in shown.text
    assert f" {model.header.train.sentences:,} sentences" in shown.text.replace("sample.conllu,", "")
    header = replace(model.header, licence=HOSTILE, train=replace(model.header.train, name=HOSTILE))
    assert page(Parser(replace(model._model, header=header))).text.count("<script>") == 2
    assert "raw text" in page(rearc.load("en")).text


def test_a_document_shows_its_first_trees():
    tree = Sentence([HOSTILE.replace("\0", ""), "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    short = page(Document("", [tree] * 3, []))
    assert short.elements.count("svg") == 3
    long = page(Document("", [tree] * (SHOWN + 1234), []))
    assert long.elements.count("svg") == SHOWN
    assert "and 1,234 more sentences" in long.text


def test_scores_and_comparisons():
    gold = [Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])]
    other = [gold[0].replace(deprels=["obj", "root"])]
    assert " 100.00 50.00 50.00" in page(rearc.evaluate(gold, other)).text
    shown = page(compare(gold, {HOSTILE: other, "second": gold}, rounds=10))
    assert shown.text.count("<script>") == 3  # its scores, and two differences
    assert " LAS 50.00 50.00 50.00 " in shown.text


def test_the_course_of_a_training(monkeypatch: pytest.MonkeyPatch):
    curve = Curve()
    assert "svg" not in page(curve).elements
    curve.epoch(Epoch(1, 800, 200, 0.5, 71.0, 61.0, True))
    curve.epoch(Epoch(2, 800, 100, 0.5, 70.0, 60.0, False))
    assert repr(curve) == "<Curve of 2 epochs>"
    monkeypatch.setattr("rearc.training.curve.find_spec", lambda name: None)
    bare = page(curve)
    assert bare.elements[0] == "table"
    assert " 1 25.00 71.00 61.00 0.50 best 2 12.50 70.00 60.00 0.50" in bare.text
    monkeypatch.undo()
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    assert page(curve).elements[0] == "svg"
