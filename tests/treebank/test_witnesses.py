"""The shared treebanks: byte for byte, and column by column as another reader sees them."""

import io
from pathlib import Path

import conllu
import pytest

from rearc.treebank import read, sample, write

TREEBANKS = [
    "el_gdt", "en_ewt", "eu_bdt", "grc_agdt", "hu_szeged", "it_partut",
    "nl_lassysmall", "pt_bosque", "sl_sst", "sv_talbanken", "tr_imst", "zh_gsd",
]  # fmt: skip


@pytest.mark.parametrize("name", TREEBANKS)
@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_the_same_bytes(name: str, part: str, treebanks: Path) -> None:
    file = treebanks / name / f"{part}.conllu"
    out = io.BytesIO()
    write(read(file), out)
    assert out.getvalue() == file.read_bytes()


def agrees(file: Path, limit: int) -> None:
    """Whether the first sentences of a file are to us what they are to the package conllu."""
    ours = read(file)
    for _, block in zip(range(limit), file.read_text(encoding="utf-8").split("\n\n")[:-1], strict=False):
        sentence = next(ours)
        (theirs,) = conllu.parse(block + "\n\n", field_parsers={"feats": str_field, "misc": str_field})
        words = [token for token in theirs if isinstance(token["id"], int)]
        others = [token for token in theirs if not isinstance(token["id"], int)]
        assert sentence.forms == [w["form"] for w in words]
        assert sentence.lemmas == [w["lemma"] for w in words]
        assert sentence.upos == [w["upos"] for w in words]
        assert sentence.xpos == [w["xpos"] or "_" for w in words]
        assert sentence.feats == [w["feats"] for w in words]
        assert sentence.heads == [w["head"] for w in words]
        assert sentence.deprels == [w["deprel"] for w in words]
        assert sentence.misc == [w["misc"] for w in words]
        for word, token in zip(sentence, words, strict=True):
            if not isinstance(token["deps"], str):
                assert word.enhanced == [(node_id(head), relation) for relation, head in token["deps"] or []]
        ranges = [(t["id"][0], t["id"][2], t["form"]) for t in others if t["id"][1] == "-"]
        assert [(m.start, m.end, m.form) for m in sentence.multiwords] == ranges
        nodes = [(t["id"][0], t["id"][2], t["form"]) for t in others if t["id"][1] == "."]
        assert [(e.after, e.index, e.form) for e in sentence.empties] == nodes
        assert sentence.sent_id == theirs.metadata.get("sent_id")
        if "text" in theirs.metadata:
            assert sentence.text == theirs.metadata["text"]


def node_id(head: int | tuple[int, str, int]) -> str:
    return str(head) if isinstance(head, int) else "".join(map(str, head))


def str_field(row: list[str], k: int) -> str:
    return row[k]


def test_the_sample_as_another_reader_sees_it() -> None:
    agrees(sample(), 1000)


@pytest.mark.parametrize("name", TREEBANKS)
def test_a_treebank_as_another_reader_sees_it(name: str, treebanks: Path) -> None:
    agrees(treebanks / name / "dev.conllu", 200)
