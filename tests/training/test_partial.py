"""Training on trees of which some heads are unknown."""

from random import Random

import pytest

import rearc
from rearc import Sentence
from rearc.training.corpus import fit
from rearc.training.errors import OptionError
from rearc.treebank import read, sample, write

from ..trained import train_parser


def halved(sentences: list[Sentence], share: float = 0.5) -> list[Sentence]:
    rng = Random(1)
    found = []
    for sentence in sentences:
        known = [rng.random() < share for _ in sentence.heads]
        known[rng.randrange(len(known))] = True
        heads = [h if k else -1 for h, k in zip(sentence.heads, known, strict=True)]
        deprels = [label if k else "_" for label, k in zip(sentence.deprels, known, strict=True)]
        found.append(sentence.replace(heads=heads, deprels=deprels))
    return found


@pytest.mark.parametrize(
    ("system", "oracle"),
    [
        ("arc-hybrid", "dynamic"),
        ("covington", "dynamic"),
        ("covington-nonmonotonic", "upper"),
        ("arc-eager-unshift", "dynamic"),
    ],
)
def test_half_of_the_heads_teach_the_other_half(system: str, oracle: str) -> None:
    whole = list(read(sample()))
    parser = train_parser(halved(whole), system=system, oracle=oracle, epochs=8, seed=1)
    right = sum(a == b for s in whole for a, b in zip(parser.parse(s).heads, s.heads, strict=True))
    words = sum(map(len, whole))
    assert right > 0.7 * words
    assert "_" not in [label.name for label in parser.header.labels]


def test_whole_trees_are_learnt_as_before() -> None:
    whole = list(read(sample()))
    sentences, notes = fit(whole, "covington", True, "kept")
    assert sentences == whole
    assert notes == []


def test_oracles_that_cannot_say_so() -> None:
    with pytest.raises(OptionError, match="unknown heads one of dynamic"):
        train_parser(halved(list(read(sample()))), system="arc-hybrid", oracle="static", epochs=1)
    with pytest.raises(OptionError, match="whole trees"):
        train_parser(halved(list(read(sample()))), system="arc-standard", epochs=1)


def test_arcs_that_cross_become_unknown() -> None:
    crossing = Sentence(["a", "b", "c", "d"], heads=[3, 4, -1, -1], deprels=["x", "y", "_", "_"])
    [fitted], notes = fit([crossing], "arc-hybrid", True, "lift")
    assert sorted(fitted.heads) in ([-1, -1, -1, 3], [-1, -1, -1, 4])
    assert "2 of 4 heads are unknown" in notes[0]
    assert "cross" in notes[1]
    [kept], _ = fit([crossing], "covington", True, "kept")
    assert kept == crossing


def test_unknown_heads_are_written_and_read(tmp_path) -> None:
    trees = halved(list(read(sample())))
    write(trees, tmp_path / "half.conllu")
    assert list(rearc.read(tmp_path / "half.conllu")) == trees
    assert not trees[0].has_tree
    assert trees[0].has_heads
    with pytest.raises(rearc.RearcError, match="no head of word"):
        trees[0].tree  # noqa: B018
