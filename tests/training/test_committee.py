"""Several teachers vote."""

from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.parser import Parser
from rearc.training import TrainingError
from rearc.training.committee import most, sureness, voted
from rearc.training.distilling import distil, lessons
from rearc.treebank import Sentence, sample
from rearc.treebank.generate import all_trees
from rearc.treebank.trees import is_tree
from tests.trained import train_parser


def with_heads(heads: list[int], label: str = "x") -> Sentence:
    return Sentence([f"w{d}" for d in range(len(heads))], heads=heads, deprels=[f"{label}{head}" for head in heads])


def naive(trees: list[list[int]], most_roots: int) -> list[int]:
    """By counting each head of each word, in the order of the trees."""
    n = len(trees[0])
    chosen = []
    for d in range(n):
        best, count = -1, 0
        for tree in trees:
            found = len([1 for other in trees if other[d] == tree[d]])
            if found > count:
                best, count = tree[d], found
        chosen.append(best)
    reached, more = set(), {0}
    while more:
        reached |= more
        more = {d for d in range(1, n + 1) if chosen[d - 1] in reached} - reached
    if len(reached) == n + 1 and chosen.count(0) <= most_roots:
        return chosen
    agreed = [len([d for d in range(n) if tree[d] == chosen[d]]) for tree in trees]
    return trees[agreed.index(max(agreed))]


@pytest.mark.parametrize("single_root", [True, False])
def test_all_votes_of_three_trees_of_three_words(single_root: bool):
    trees = [heads[1:] for heads in all_trees(3, single_root=single_root)]
    of_several = 0
    for votes in product(trees, repeat=3):
        found = voted([with_heads(heads, name) for heads, name in zip(votes, "abc", strict=True)])
        most_roots = max(heads.count(0) for heads in votes)
        assert found.heads == naive(list(votes), most_roots)
        assert is_tree([0, *found.heads])
        assert found.heads.count(0) <= most_roots
        for head, label, d in zip(found.heads, found.deprels, range(3), strict=True):
            first = next(name for heads, name in zip(votes, "abc", strict=True) if heads[d] == head)
            assert label == f"{first}{head}"
        of_several += found.heads not in votes
    assert of_several


def test_labels_and_tags_are_voted_on_too():
    one = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"], upos=["A", "B"], lemmas=["l", "m"])
    other = one.replace(deprels=["y", "root"], upos=["C", "D"])
    third = Sentence(["a", "b"], heads=[2, 0], deprels=["y", "root"], upos=["C", "E"])
    found = voted([one, other, third])
    assert (found.deprels, found.upos, found.lemmas) == (["y", "root"], ["C", "B"], ["l", "m"])
    elsewhere = Sentence(["a", "b"], heads=[0, 1], deprels=["root", "z"])
    assert voted([one, elsewhere, other]).deprels == ["x", "root"]  # a label for another head is no vote
    assert voted([third]).heads == third.heads
    assert most([3, 1, 1, 3]) == 3


def test_how_sure_several_are(sentences: list[Sentence]):
    teachers = [rearc.load("en"), train_parser(sentences, sentences, system="arc-eager", epochs=2)]
    bare = [Sentence(s.forms) for s in sentences]
    ways = ["predict" if t.has_tagger else "given" for t in teachers]
    trees = [list(t.parse_many(bare, tags=way, confidence=True)) for t, way in zip(teachers, ways, strict=True)]
    found = list(lessons(teachers, bare, 0.5))
    assert all(len(s) >= 2 for s in bare)
    expected = []
    for pair in zip(*trees, strict=True):
        heads = voted(pair).heads
        shares = [
            sum(w.confidence for w in (a, b) if w.head == head) / 2 for head, a, b in zip(heads, *pair, strict=True)
        ]
        assert sureness(pair, heads) == pytest.approx(shares)
        if max(shares) >= 0.5:
            expected.append([head if share >= 0.5 else -1 for head, share in zip(heads, shares, strict=True)])
    assert [s.heads for s in found] == expected
    assert any(-1 in heads for heads in expected)


def test_several_teach(sentences: list[Sentence], tmp_path: Path):
    """Two who agree overrule the first."""
    words = ["zorp", "blim", "frob"]
    ways = [Sentence(words, heads=heads, deprels=["x", "y", "z"]) for heads in ([2, 3, 0], [0, 1, 2])]
    options = {"system": "arc-hybrid", "epochs": 5, "only": "parser", "seed": 1}
    one, other = (train_parser([way] * 20, **options) for way in ways)
    gold = [Sentence(["a", "b", "c"], heads=[0, 1, 2], deprels=["root", "z", "z"])] * 5
    text = [Sentence(words)] * 30
    student = distil([one, other, other], text, gold, **options)
    assert student.parse(words).heads == [0, 1, 2]
    assert student.header.taught.teacher == "<parser>, <parser>, <parser>"
    assert distil([one, other], text, gold, **options).parse(words).heads == [2, 3, 0]
    with pytest.raises(TrainingError, match="found no teacher"):
        distil([], text, gold, **options)


def test_the_verb_with_several(tmp_path: Path, sentences: list[Sentence]):
    text, second, student = (tmp_path / name for name in ("text.txt", "second.rearc", "s.rearc"))
    text.write_text("The owl hunts at night. It sees the mice.", encoding="utf-8")
    parser: Parser = train_parser(sentences, system="arc-hybrid", epochs=1)
    parser.save(second)
    line = ["distil", "en", "--also", str(second), "--text", str(text), "--treebank", str(sample()), "-o"]
    few = ["--system", "arc-hybrid", "--epochs", "1", "--quick"]
    result = CliRunner().invoke(app, [*line, str(student), *few])
    assert result.exit_code == 0, result.output
    assert rearc.load(student).header.taught.teacher == "en, second.rearc"
    result = CliRunner().invoke(app, [*line, str(second), *few])
    assert result.exit_code == 2  # a model over one that is read
    result = CliRunner().invoke(app, [*line, str(student), *few, "--confident", "0.5"])
    assert (result.exit_code, "does not know how sure it is" in " ".join(result.output.split())) == (2, True)
