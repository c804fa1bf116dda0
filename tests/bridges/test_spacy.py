"""rearc in a real spaCy pipeline."""

from pathlib import Path

import pytest

import rearc
from rearc.treebank import Sentence

spacy = pytest.importorskip("spacy", reason="needs the extra spacy")

from rearc.bridges.spacy import Tokenizer, from_doc, to_doc

TEXT = "The old dog sleeps.  A cat didn't see it!\n\nIt barks: why?"


@pytest.fixture(scope="module")
def nlp():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("rearc", config={"model": "en"})
    return pipeline


def words(doc) -> list[list[tuple[str, str, str, str]]]:
    """What stands on the tokens, a list for each sentence, in the form of `columns`."""
    return [
        [
            (token.text, token.pos_, token.lemma_, token.dep_, token.head.text)
            for token in sentence
            if not token.is_space
        ]
        for sentence in doc.sents
    ]


def test_the_same_as_the_parser_gives(nlp):
    doc = nlp(TEXT)
    parser = rearc.load("en")
    for sentence, found in zip(from_doc(doc), words(doc), strict=True):
        parsed = parser.parse(sentence.forms)
        heads = [
            parsed.forms[head - 1] if head else form for form, head in zip(parsed.forms, parsed.heads, strict=True)
        ]
        deprels = ["ROOT" if deprel == "root" else deprel for deprel in parsed.deprels]
        assert found == list(zip(parsed.forms, parsed.upos, parsed.lemmas, deprels, heads, strict=True))
        assert (sentence.heads, sentence.xpos, sentence.feats) == (parsed.heads, parsed.xpos, parsed.feats)
    assert [len(sentence) for sentence in words(doc)] == [5, 7, 5]
    assert doc.text == TEXT
    assert [token.text for token in doc if token.is_space] == [" ", "\n\n"]
    assert "<svg" in spacy.displacy.render(doc, page=True, jupyter=False)


def test_in_batches_and_threads(nlp):
    texts = [TEXT, "", "  ", "Dogs bark.", "\n A dog."] * 7
    alone = [words(nlp(text)) for text in texts]
    assert [words(doc) for doc in nlp.pipe(texts, batch_size=3)] == alone
    more = spacy.blank("en")
    more.add_pipe("rearc", config={"model": "en", "threads": 2})
    assert [words(doc) for doc in more.pipe(texts)] == alone


def test_sentences_that_are_there_already_stay():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("rearc", config={"model": "en"})
    doc = pipeline("The dog barks! at night")
    assert [sentence.text for sentence in doc.sents] == ["The dog barks!", "at night"]


def test_how_sure_the_model_is(nlp):
    sure = spacy.blank("en")
    sure.add_pipe("rearc", config={"model": "en", "confidence": True})
    doc = sure(TEXT)
    assert words(doc) == words(nlp(TEXT))
    expected = [
        word.confidence
        for sentence in from_doc(doc)
        for word in rearc.load("en").parse(sentence.forms, confidence=True)
    ]
    assert [token._.rearc for token in doc if not token.is_space] == expected
    assert doc._.rearc == [token._.rearc for token in doc]
    assert nlp(TEXT)[0]._.rearc is None


def test_on_disk_and_in_bytes(nlp, tmp_path: Path):
    nlp.to_disk(tmp_path / "nlp")
    assert words(spacy.load(tmp_path / "nlp")(TEXT)) == words(nlp(TEXT))
    again = spacy.blank("en")
    again.add_pipe("rearc")
    assert words(again.from_bytes(nlp.to_bytes())(TEXT)) == words(nlp(TEXT))


def test_the_tokenizer():
    pipeline = spacy.blank("en")
    pipeline.tokenizer = Tokenizer(pipeline.vocab, "en")
    pipeline.add_pipe("rearc")
    for text in (TEXT, "", "   ", " I can't. \n", "a\n\nb"):
        doc = pipeline(text)
        assert doc.text == text
    expected = [sentence.forms for sentence in rearc.load("en")(TEXT)]
    assert [[word[0] for word in sentence] for sentence in words(pipeline(TEXT))] == expected


def test_there_and_back():
    trees = [
        Sentence(
            ["Dogs", "bark", "!"],
            lemmas=["dog", "bark", "!"],
            upos=["NOUN", "VERB", "PUNCT"],
            xpos=["NNS", "VBP", "."],
            feats=["Number=Plur", "Mood=Ind", "_"],
            heads=[2, 0, 2],
            deprels=["nsubj", "root", "punct"],
            misc=["_", "SpaceAfter=No", "_"],
        ),
        Sentence(["Go"], lemmas=["go"], upos=["VERB"], xpos=["VB"], heads=[0], deprels=["root"]),
    ]
    doc = to_doc(trees, spacy.blank("en").vocab)
    assert doc.text == "Dogs bark! Go "
    assert [tree.to_conllu() for tree in from_doc(doc)] == [tree.to_conllu() for tree in trees]
