"""Raw text through a parser."""

import pytest

import rearc
from rearc.parser.document import Document, Numbering
from rearc.treebank import Multiword, Sentence, TreebankError, sample
from rearc.treebank.running_text import rebuild

TEXT = "\n A dog barks.  The cat sleeps!\n\nOwls see well."


@pytest.fixture(scope="module")
def parser() -> rearc.Parser:
    return rearc.train(sample(), system="arc-hybrid", epochs=2)


def test_a_document_is_its_sentences_and_where_they_stand(parser: rearc.Parser):
    document = parser(TEXT)
    assert [s.forms for s in document] == [
        ["A", "dog", "barks", "."],
        ["The", "cat", "sleeps", "!"],
        ["Owls", "see", "well", "."],
    ]
    assert document.text == rebuild(document) == TEXT
    assert [[TEXT[a:b] for a, b in places] for places in document.ranges] == [s.forms for s in document]
    assert all(s.has_tree and "_" not in s.upos + s.lemmas for s in document)
    assert (len(document), document[-1], list(document[:2])) == (3, list(document)[2], list(document)[:2])
    assert [s.comments for s in document] == [
        ["# newdoc", "# newpar", "# sent_id = 1", "# text = A dog barks."],
        ["# sent_id = 2", "# text = The cat sleeps!"],
        ["# newpar", "# sent_id = 3", "# text = Owls see well."],
    ]


def test_a_document_is_parsed_as_its_words_are(parser: rearc.Parser):
    document = parser(TEXT)
    words = list(parser.parse_many([s.forms for s in document]))
    assert [(s.heads, s.deprels, s.upos) for s in document] == [(s.heads, s.deprels, s.upos) for s in words]
    assert list(parser(TEXT, threads=2)) == list(document)


def test_how_a_document_is_written(parser: rearc.Parser):
    document = parser(TEXT)
    assert document.to_conllu() == "".join(s.to_conllu() for s in document)
    assert str(document) == "\n\n".join(map(str, document))
    assert repr(document) == "<Document of 3 sentences>"
    assert document._repr_html_().count("<svg") == 3


def test_nothing_but_white_space(parser: rearc.Parser):
    document = parser(" \n")
    assert (list(document), document.ranges, document.text) == ([], [], " \n")


def test_what_is_no_text(parser: rearc.Parser):
    with pytest.raises(TreebankError, match="found list, expected a string of raw text; see parse and parse_many"):
        parser(["I", "saw"])  # type: ignore[arg-type]
    without = rearc.Parser(parser._model, parser.tagger)
    with pytest.raises(TreebankError, match="found raw text, expected sentences, as this model has no segmenter"):
        without("I saw Jack.")


def test_a_parser_that_was_saved_reads_the_same(parser: rearc.Parser, tmp_path):
    parser.save(tmp_path / "m.rearc")
    again = rearc.load(tmp_path / "m.rearc")
    assert list(again(TEXT)) == list(parser(TEXT))


def test_ranges_stand_at_the_tokens():
    sentence = Sentence(
        ["do", "n't", "go"],
        misc=["_", "_", "SpaceAfter=No"],
        multiwords=[Multiword(1, 2, "don't")],
        comments=["# text = don't go"],
    )
    (found,) = Numbering().sentences([(sentence, [(3, 8), (9, 11)], False)], ranges=True)
    assert found.misc == ["_", "_", "SpaceAfter=No|TokenRange=9:11"]
    assert [span.misc for span in found.multiwords] == ["TokenRange=3:8"]
    assert found.comments == ["# newdoc", "# sent_id = 1", "# text = don't go"]


def test_documents_are_sequences():
    document = Document("a b", [Sentence(["a"]), Sentence(["b"])], [[(0, 1)], [(2, 3)]])
    assert [s.forms for s in reversed(document)] == [["b"], ["a"]]
    with pytest.raises(IndexError):
        document[2]
