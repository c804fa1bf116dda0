"""The second pass of a network over finished trees: beside a naive one, and in models."""

import pickle
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

import rearc
from rearc.cli.app import app
from rearc.neural.numpy_model import Network
from rearc.neural.repair import repaired
from rearc.systems import system, systems
from rearc.treebank import Sentence
from rearc.treebank.trees import is_projective
from tests.naive.gold import Tree, gold_trees, random_tree
from tests.naive.second_pass import repaired as naive_repaired
from tests.neural.networks import random_network
from tests.neural.test_agreement import GIVEN, agree
from tests.trained import train_parser

BOTH = pytest.mark.parametrize("single_root", [False, True], ids=["any", "one"])
REPAIRED = replace(GIVEN, repair=6)


def total(table: np.ndarray, heads: list[int]) -> float:
    return sum(float(table[h, d]) for d, h in enumerate(heads, 1))


def compare(trees: list[Tree], single_root: bool, seed: int) -> int:
    """How many trees change, all of them in one call, with whole numbers for scores: sums are exact in any order."""
    rng = np.random.default_rng(seed)
    tables = [rng.integers(-9, 10, (len(tree), len(tree))).astype(np.float32) for tree in trees]
    found = repaired(
        system("covington-nonmonotonic", single_root=single_root),
        np.concatenate([table.reshape(-1) for table in tables]),
        np.array([len(tree) - 1 for tree in trees], dtype=np.intc),
        np.array([head for tree in trees for head in tree[1:]], dtype=np.intc),
    ).tolist()
    start = changed = 0
    for tree, table in zip(trees, tables, strict=True):
        own = found[start : start + len(tree) - 1]
        assert own == naive_repaired(table, tree[1:], single_root)[0]
        assert total(table, own) >= total(table, tree[1:])
        assert not single_root or own.count(0) == 1
        changed += own != list(tree[1:])
        start += len(own)
    return changed


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_small_tree(n: int, single_root: bool):
    trees = [tree for tree in gold_trees(n, single_root) for _ in range(5)]
    assert compare(trees, single_root, n) >= (n > 1) * len(trees) / 4


@BOTH
def test_larger_trees(single_root: bool):
    rng = Random(1)
    assert compare([random_tree(rng.randint(6, 25), rng, single_root) for _ in range(200)], single_root, 7) == 200


def test_a_second_root_goes():
    """Trees with more roots than the system allows end with one."""
    rng = np.random.default_rng(3)
    one = system("covington-nonmonotonic", single_root=True)
    for tree in gold_trees(4):
        table = rng.normal(size=25).astype(np.float32)
        found = repaired(one, table, np.array([4], dtype=np.intc), np.array(tree[1:], dtype=np.intc))
        assert found.tolist().count(0) == 1


def test_what_is_refused():
    one = system("covington-nonmonotonic")
    table, sizes, heads = np.zeros(9, "f"), np.array([2], "i"), np.array([0, 1], "i")
    for wrong in (
        (system("covington"), table, sizes, heads),
        (system("nl-covington-nonmonotonic"), table, sizes, heads),
        (one, table[:8], sizes, heads),
        (one, table, np.array([0], "i"), heads),
        (one, table, np.array([-2], "i"), heads),
        (one, table, sizes, heads[:1]),
        (one, table, sizes, np.array([2, 1], "i")),
        (one, table, sizes, np.array([0, 3], "i")),
        (one, table, sizes, np.array([0, -1], "i")),
    ):
        with pytest.raises(ValueError, match="found"):
            repaired(*wrong)
    assert repaired(one, table[:0], sizes[:0], heads[:0]).tolist() == []


# in a network --------------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("name", systems())
def test_beside_a_naive_network(name: str, single_root: bool, sentences: list[Sentence]):
    agree(name, single_root, REPAIRED, sentences[:40])


def heads_of(network: Network, sentences: list[Sentence]) -> list[int]:
    heads: list[int] = network.parse(sentences)[0].tolist()
    return heads


@pytest.mark.parametrize("name", ["nl-covington", "arc-hybrid"])
def test_it_changes_trees_and_goes_by_sentences(name: str, sentences: list[Sentence], monkeypatch: pytest.MonkeyPatch):
    """The same alone as in a batch, with a beam of one as without; longer sentences are left as they are."""
    network, _, _ = random_network(name, True, REPAIRED, sentences)
    with_pass = heads_of(network, sentences)
    assert with_pass == [head for s in sentences for head in heads_of(network, [s])]
    (forest,), _, _ = network.search(sentences, [(1, 1)], 1.0)
    assert forest.heads.tolist() == with_pass
    monkeypatch.setattr("rearc.neural.numpy_model.LONGEST", 5)
    mixed = heads_of(network, sentences)
    monkeypatch.setattr("rearc.neural.numpy_model.LONGEST", 0)
    alone = heads_of(network, sentences)
    assert with_pass != alone
    sizes = np.repeat([len(s) for s in sentences], [len(s) for s in sentences])
    assert mixed == [a if n <= 5 else b for n, a, b in zip(sizes, with_pass, alone, strict=True)]


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", ["nl-covington", "arc-hybrid"])
def test_it_is_learnt_and_kept(name: str, sentences: list[Sentence], tmp_path: Path):
    options = {"model": "bilstm", "size": "small", "system": name, "epochs": 8, "rate": 0.01}
    parser = train_parser(sentences, sentences, second_pass=True, **options)
    assert parser.has_second_pass
    assert not train_parser(sentences[:6], system=name, model="bilstm", size="small", epochs=1).has_second_pass
    parsed = list(parser.parse_many(sentences))
    found = rearc.evaluate(sentences, parsed)
    assert parser.header.scores == {"uas": found.uas, "las": found.las}
    parser.save(tmp_path / "m.rearc")
    for again in (rearc.load(tmp_path / "m.rearc"), pickle.loads(pickle.dumps(parser))):
        assert again.has_second_pass
        assert list(again.parse_many(sentences)) == parsed
    table_heads = best_heads(parser, sentences)
    gold = [head for s in sentences for head in s.heads]
    right = np.mean([a == b for a, b in zip(table_heads, gold, strict=True)])
    assert right > 0.3  # its table has learnt which heads are likely; a word has eight to choose from


def best_heads(parser: rearc.Parser, sentences: list[Sentence]) -> list[int]:
    """Of each word the head that its network's second pass likes best, tree or not."""
    network = parser._engine
    assert isinstance(network, Network)
    found = []
    for sentence in sentences:
        sizes = np.array([len(sentence)], dtype=np.intc)
        rows, _, _ = network._vectors([sentence], sizes)
        t = {name: torch.from_numpy(np.array(array)).double() for name, array in network._t.items()}
        with_one = [
            torch.nn.functional.pad(
                torch.relu(torch.from_numpy(rows).double() @ t[f"{x}.weight"].T + t[f"{x}.bias"]), (0, 1), value=1.0
            )
            for x in ("repair_head", "repair_dependent")
        ]
        n = len(sentence) + 1
        table = (with_one[0] @ t["repair_pairs"] @ with_one[1].T)[:n, :n]
        table.fill_diagonal_(-torch.inf)
        found += table[:, 1:].argmax(dim=0).tolist()
    return found


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("options", "has"),
    [
        ({}, True),
        ({"quick": True}, True),
        ({"system": "nl-covington"}, False),
        ({"system": "nl-covington", "second_pass": True}, True),
        ({"second_pass": False}, False),
        ({"size": "paper-002"}, False),
    ],
    ids=str,
)
def test_who_has_one_unasked(options: dict[str, Any], has: bool, sentences: list[Sentence]):
    """NL-Covington that was chosen for the user: who names a system gets that, and arc-hybrid is better without."""
    crossing = [s for s in sentences if not is_projective(s.tree)]
    straight = [s for s in sentences if is_projective(s.tree)]
    training = {"model": "bilstm", "size": "small", "epochs": 1} | options
    assert not train_parser(straight[:8], **training).has_second_pass or "second_pass" in options
    parser = train_parser(crossing[:4] + straight[:4], **training)
    assert parser.header.system == "nl-covington"
    assert parser.has_second_pass == has
    assert ("go through the tree a second time" in about(parser)) == has


def about(parser: rearc.Parser) -> str:
    """What `rearc info` says."""
    with TemporaryDirectory() as folder:
        parser.save(file := Path(folder) / "m.rearc")
        return " ".join(CliRunner().invoke(app, ["info", str(file)]).stdout.split())
