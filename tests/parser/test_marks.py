"""Parsers read marks that their treebank lacks as those that it has, and give back what was written."""

import pickle

import pytest

import rearc
from rearc.treebank import Multiword, Sentence

STRAIGHT = ["l'", "eau", "d'", "ici", "coule"]
CURLY = ["l\u2019", "eau", "d\u2019", "ici", "coule"]


def treebank() -> list[Sentence]:
    nouns = ["eau", "or", "air", "huile", "arbre", "oiseau"]
    return [
        Sentence(
            ["l'", noun, "d'", place, "coule"],
            lemmas=["le", noun, "de", place, "couler"],
            upos=["DET", "NOUN", "ADP", "ADV", "VERB"],
            heads=[2, 5, 4, 2, 0],
            deprels=["det", "nsubj", "case", "nmod", "root"],
            comments=[f"# text = l'{noun} d'{place} coule"],
        )
        for noun in nouns
        for place in ("ici", "ailleurs")
    ] * 10


@pytest.fixture(scope="module")
def parser() -> rearc.Parser:
    return rearc.train(treebank(), treebank()[:20], epochs=3, system="arc-hybrid")


def test_the_tree_is_that_of_what_is_read(parser):
    read, written = parser.parse(STRAIGHT), parser.parse(CURLY)
    assert parser.header.marks["\u2019"] == "'"
    assert written.forms == CURLY
    assert written == read.replace(forms=CURLY)
    assert written.upos == ["DET", "NOUN", "ADP", "ADV", "VERB"]
    assert written.lemmas[0] == "le"


def test_every_way_of_parsing(parser):
    for options in ({"beam": 4}, {"confidence": True}, {"constraints": rearc.Constraints(heads={1: 5})}):
        assert parser.parse(CURLY, **options).forms == CURLY
        assert parser.parse(CURLY, **options).heads == parser.parse(STRAIGHT, **options).heads
    for (written, score), (read, same) in zip(parser.n_best(CURLY, 3), parser.n_best(STRAIGHT, 3), strict=True):
        assert (written, score) == (read.replace(forms=CURLY), same)
    assert parser.derivation(CURLY) == parser.derivation(STRAIGHT)
    assert [s.forms for s in parser.parse_many([CURLY, STRAIGHT], threads=2)] == [CURLY, STRAIGHT]


def test_text(parser):
    (sentence,) = parser("l\u2019eau d\u2019ici coule")
    assert sentence.forms == CURLY
    assert sentence.heads == parser.parse(STRAIGHT).heads


def test_files_and_pickles_keep_it(parser, tmp_path):
    parser.save(tmp_path / "model.rearc")
    for again in (rearc.load(tmp_path / "model.rearc"), pickle.loads(pickle.dumps(parser))):
        assert again.header.marks == parser.header.marks
        assert again.parse(CURLY) == parser.parse(CURLY)


def test_multiword_tokens():
    from rearc.segment.multiwords import Splitter

    nouns = ["acqua", "oro", "aria", "olio", "anno", "uomo"]
    told = [Sentence(["di", "l'", noun], multiwords=[Multiword(1, 2, "dell'")]) for noun in nouns] * 4
    splitter = Splitter.train(told)
    assert splitter.split([["dell\u2019", "amico\u2019"]]) == [[["di", "l'"], ["amico\u2019"]]]
    again = Splitter.from_tensors(splitter.header, splitter.tensors())
    assert again.split([["Dell\u2019", "oro"]]) == [[["Di", "l'"], ["oro"]]]
    old = {name: value for name, value in splitter.header.items() if name != "marks"}
    assert Splitter.from_tensors(old, splitter.tensors()).split([["dell'", "oro"]]) == [[["di", "l'"], ["oro"]]]
    for wrong in ([], {"\u2019": "\n"}, {"\u2019": ["'"]}, {"e": "'"}):
        with pytest.raises(ValueError, match="marks"):
            Splitter.from_tensors(splitter.header | {"marks": wrong}, splitter.tensors())
