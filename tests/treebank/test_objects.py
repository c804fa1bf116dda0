"""Sentences as JSON: what is written is read back, and what is no such thing is refused with its line."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rearc.treebank import Empty, Multiword, Sentence, TreebankError, read, sample, write
from tests.treebank.test_reader import CONLLU


def as_json(sentences: list[Sentence]) -> bytes:
    out = io.BytesIO()
    write(sentences, out, format="json")
    return out.getvalue()


def from_json(data: bytes, **options: object) -> list[Sentence]:
    return list(read(io.BytesIO(data), format="json", on_note=lambda note: None, **options))  # type: ignore[arg-type]


def test_all_of_a_treebank_comes_back() -> None:
    for sentences in (list(read(sample())), list(read(io.BytesIO(CONLLU.encode())))):
        data = as_json(sentences)
        assert data.count(b"\n") == len(sentences)
        assert from_json(data) == sentences


def test_what_an_object_holds() -> None:
    sentence = Sentence(
        ["do", "n't", "_"],
        lemmas=["do", "not", "_"],
        heads=[3, 3, 0],
        misc=["_", "_", "TokenRange=6:7"],
        multiwords=[Multiword(1, 2, "don't", misc="SpaceAfter=No|TokenRange=0:5")],
        empties=[Empty(1, 1, "you", upos="PRON")],
        comments=["# sent_id = s1", "# x"],
    )
    content = json.loads(as_json([sentence]))
    assert content["sent_id"] == "s1"
    assert content["text"] == "don't_"
    assert content["tokens"] == [
        {"id": "1-2", "form": "don't", "start": 0, "end": 5, "words": [1, 2], "misc": "SpaceAfter=No|TokenRange=0:5"},
        {"form": "_", "start": 6, "end": 7, "words": [3]},
    ]
    assert content["words"][2] == {
        "id": 3, "form": "_", "lemma": None, "upos": None, "xpos": None, "feats": None, "head": 0, "deprel": None,
        "deps": None, "misc": "TokenRange=6:7",
    }  # fmt: skip
    assert content["empties"] == [{"id": "1.1", "form": "you", "upos": "PRON"}]
    assert from_json(as_json([sentence])) == [sentence]


def test_little_is_enough() -> None:
    (sentence,) = from_json(b'{"text": "Dogs bark", "words": [{"form": "Dogs"}, {"form": "bark"}]}')
    assert (sentence.forms, sentence.text, sentence.has_tree) == (["Dogs", "bark"], "Dogs bark", False)


def test_the_last_columns_of_other_formats_stay_out() -> None:
    line = "1\tEin\tein\tART\tART\t_\t0\troot\t2\tNK\n\n"
    (plain,) = read(io.BytesIO(line.encode()), format="conllx")
    assert json.loads(as_json([plain]))["words"][0]["misc"] is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[]", r"'\[\]'"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON that can be read"),
        ('{"words": 1}', "words that are '1'"),
        ('{"words": []}', "no words"),
        ('{"words": [1]}', r"words that are '\[1\]'"),
        ('{"words": [{}]}', "the form 'None'"),
        ('{"words": [{"form": ""}]}', "the field ''"),
        ('{"words": [{"form": "a", "upos": 1}]}', "the upos '1'"),
        ('{"words": [{"form": "a", "id": 2}]}', "the id '2'"),
        ('{"words": [{"form": "a", "head": 2}]}', "the head 2 of word 1"),
        ('{"words": [{"form": "a", "head": "0"}]}', "the head '0' of word 1"),
        ('{"words": [{"form": "a", "head": 1}]}', "the cycle"),
        ('{"words": [{"form": "a"}], "comments": "# x"}', "comments that are"),
        ('{"words": [{"form": "a"}], "comments": ["x"]}', "the comment 'x'"),
        ('{"words": [{"form": "a"}], "tokens": [{"form": "a", "words": [1, 2]}]}', "a token with the words"),
        ('{"words": [{"form": "a"}], "tokens": [{"form": "a", "words": "1"}]}', "a token with the words"),
        ('{"words": [{"form": "a"}], "tokens": [{"id": "1-1", "form": 1, "words": [1]}]}', "the form '1'"),
        ('{"words": [{"form": "a"}], "empties": [{"id": "x"}]}', "the id 'x' of an empty node"),
    ],
)
def test_what_is_refused(line: str, found: str) -> None:
    good = '{"words": [{"form": "a"}]}\n'
    errors: list[TreebankError] = []
    kept = from_json((good + line + "\n" + good).encode(), on_invalid=errors.append)
    assert len(kept) == 2
    with pytest.raises(TreebankError, match=rf"<stream>:2.*found {found}"):
        raise errors[0]


def test_only_some_columns() -> None:
    (sentence,) = from_json(as_json([next(read(sample()))]), columns={"forms", "heads"})
    assert (sentence.upos, sentence.comments, sentence.has_tree) == (["_"] * len(sentence), [], True)
    (sentence,) = from_json(as_json([next(read(sample()))]), columns={"upos"})
    assert (sentence.forms, sentence.has_tree) == (["_"] * len(sentence), False)


def test_heads_that_make_no_tree() -> None:
    cyclic = b'{"words": [{"form": "a", "head": 2}, {"form": "b", "head": 1}]}'
    (sentence,) = from_json(cyclic, need_trees=False)
    assert not sentence.has_tree
    (sentence,) = from_json(cyclic, columns={"forms"})
    assert sentence.forms == ["a", "b"]
    with pytest.raises(TreebankError, match="2 roots"):
        from_json(b'{"words": [{"form": "a", "head": 0}, {"form": "b", "head": 0}]}', single_root=True)


def test_a_line_longer_than_other_formats_allow() -> None:
    sentence = Sentence([f"word{k}" for k in range(20_000)])
    assert from_json(as_json([sentence])) == [sentence]


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    data = text.encode("utf-8", "replace")
    errors: list[TreebankError] = []
    from_json(data, on_invalid=errors.append)
