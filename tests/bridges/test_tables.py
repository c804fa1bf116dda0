"""Sentences as tables."""

import pytest

import rearc
from rearc.bridges.needed import Missing, needed
from rearc.treebank import Sentence, read, sample

arrow = pytest.importorskip("pyarrow", reason="needs the extra tables")
pytest.importorskip("pandas", reason="needs the extra tables")

TREES = [
    Sentence(
        ["Dogs", "bark", "_"],
        lemmas=["dog", "bark", "_"],
        upos=["NOUN", "VERB", "SYM"],
        heads=[2, 0, 2],
        deprels=["nsubj", "root", "punct"],
        comments=["# sent_id = one"],
    ),
    Sentence(["Well"]),
]


def test_a_row_for_each_word():
    rows = rearc.to_arrow(TREES).to_pylist()
    nothing = dict.fromkeys(("xpos", "feats", "deps", "misc"))
    assert rows[0] == nothing | {
        "sentence": 0, "sent_id": "one", "id": 1, "form": "Dogs", "lemma": "dog", "upos": "NOUN",
        "head": 2, "deprel": "nsubj",
    }  # fmt: skip
    assert (rows[2]["form"], rows[2]["lemma"]) == ("_", "_")  # the sign itself
    assert rows[3] == nothing | {
        "sentence": 1, "sent_id": None, "id": 1, "form": "Well", "lemma": None, "upos": None,
        "head": None, "deprel": None,
    }  # fmt: skip


def test_every_column_of_a_treebank():
    sentences = list(read(sample()))
    table = rearc.to_arrow(sentences)
    assert table.num_rows == sum(map(len, sentences))
    names = {"form": "forms", "lemma": "lemmas", "deprel": "deprels"}
    for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"):
        expected = [value for s in sentences for value in getattr(s, names.get(name, name))]
        assert [value or "_" for value in table[name].to_pylist()] == expected
    assert table["head"].to_pylist() == [head for s in sentences for head in s.heads]
    assert table["id"].to_pylist() == [word.id for s in sentences for word in s]


def test_pandas_and_polars():
    frame = rearc.to_pandas(TREES)
    assert frame.loc[frame["upos"] == "NOUN", "form"].tolist() == ["Dogs"]
    assert frame["head"].isna().tolist() == [False, False, False, True]
    assert str(frame["upos"].dtype) == "category"
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert polars.from_arrow(rearc.to_arrow(TREES)).filter(polars.col("head") == 2)["form"].to_list() == ["Dogs", "_"]


def test_nothing_and_one_sentence():
    assert rearc.to_arrow([]).num_rows == 0
    assert rearc.to_pandas(TREES[0])["form"].tolist() == ["Dogs", "bark", "_"]


def test_what_is_missing_is_named():
    with pytest.raises(
        Missing, match=r"found no rearc_nowhere, expected the extra `tables`; pip install 'rearc\[tables\]'"
    ):
        needed("rearc_nowhere.deep", "tables")
