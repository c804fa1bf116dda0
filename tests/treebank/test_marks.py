"""Marks that a treebank lacks, read as those that it has."""

from rearc.treebank import Sentence
from rearc.treebank.marks import STAND_INS, Marks, stand_ins


def test_what_is_rare_is_read_as_the_nearest_that_is_not():
    assert stand_ins(["l'"] * 10)["\u2019"] == "'"
    assert stand_ins(["l\u2019"] * 10 + ["'"] * 4)["'"] == "\u2019"
    assert "\u2019" not in stand_ins(["l'"] * 10 + ["l\u2019"] * 5)
    assert stand_ins(["l'"] * 9) == {}
    assert stand_ins(["\u00ab", "\u00bb"] * 10) == {
        '"': "\u00ab",
        "\u201c": "\u00ab",
        "\u201d": "\u00bb",
        "\u201e": "\u00ab",
    }
    assert stand_ins(["-"] * 10)["\u2014"] == "-"
    assert stand_ins(["-", "\u2013"] * 10)["\u2014"] == "\u2013"
    assert stand_ins(["..."] * 10) == {"\u2026": "..."}
    assert stand_ins(["wait......"] * 5) == {"\u2026": "..."}


def test_no_mark_is_read_as_one_that_is_read_as_another():
    for known in STAND_INS:
        table = stand_ins([known] * 10)
        assert not set(table) & set(table.values())


def test_sentences_without_such_marks_stay_what_they_are():
    sentence = Sentence(["l'", "eau"])
    assert Marks({"\u2019": "'"}).plain(sentence) is sentence
    written = Sentence(["l\u2019", "eau"])
    assert Marks({}).plain(written) is written
    assert Marks({}).read("l\u2019") == "l\u2019"


def test_all_but_the_forms_is_kept():
    written = Sentence(
        ["l\u2019", "eau\u2026"], upos=["DET", "NOUN"], heads=[2, 0], deprels=["det", "root"], misc=["_", "X=1"]
    )
    marks = Marks({"\u2019": "'", "\u2026": "..."})
    plain = marks.plain(written)
    assert plain == written.replace(forms=["l'", "eau..."])
    assert marks.restored(plain.replace(heads=[0, 1]), written) == written.replace(heads=[0, 1])
