"""A parser travels to other processes."""

import copy
import multiprocessing
import pickle
from pathlib import Path

import pytest

import rearc
from rearc.parser import ModelError, Parser
from rearc.treebank import Sentence
from tests.trained import train_parser


@pytest.fixture(scope="module")
def tagging(sentences: list[Sentence]) -> Parser:
    return train_parser(sentences, epochs=2, system="arc-hybrid", tagger=True)


def test_a_copy_parses_alike_and_saves_the_same_file(tagging: Parser, sentences: list[Sentence], tmp_path: Path):
    bare = [Sentence(s.forms) for s in sentences]
    expected = list(tagging.parse_many(bare))
    tagging.save(tmp_path / "a")
    for k, other in enumerate([pickle.loads(pickle.dumps(tagging)), copy.deepcopy(tagging), copy.copy(tagging)]):
        assert other is not tagging
        assert (other.header, other.has_tagger) == (tagging.header, True)
        assert list(other.parse_many(bare)) == expected
        other.save(tmp_path / f"b{k}")
        assert (tmp_path / f"b{k}").read_bytes() == (tmp_path / "a").read_bytes()


def test_a_model_that_comes_with_rearc_travels_as_its_name():
    data = pickle.dumps(rearc.load("en"))
    assert len(data) < 200
    assert pickle.loads(data).parse(["I", "saw", "Jack"]).heads == [2, 0, 2]


def test_a_model_from_a_file_does_not_need_it_any_more(tagging: Parser, tmp_path: Path):
    tagging.save(tmp_path / "m.rearc")
    data = pickle.dumps(rearc.load(tmp_path / "m.rearc"))
    (tmp_path / "m.rearc").unlink()
    assert pickle.loads(data).header == tagging.header


def test_what_travelled_is_checked(tagging: Parser):
    make, (members,) = tagging.__reduce__()
    with pytest.raises(ModelError, match="<pickled parser>"):
        make({**members, "header.json": b"{}"})
    with pytest.raises(ModelError, match="<pickled parser>"):
        make({"header.json": members["header.json"]})


def test_processes_share_a_parser(tagging: Parser, sentences: list[Sentence]):
    expected = [tagging.parse(s) for s in sentences[:4]]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(tagging.parse, sentences[:4], chunksize=2) == expected
        (name,) = pool.map(rearc.load("en").parse, [["I", "saw", "Jack"]])
    assert name.heads == [2, 0, 2]
