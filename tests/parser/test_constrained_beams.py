"""Beams, n-best lists and confidence together with constraints, as the parser and the command have them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import rearc
from rearc import Constraints, Parser, Sentence
from rearc.cli.app import app
from rearc.parser.constrained import Within
from rearc.parser.n_best import ranked
from rearc.systems import systems
from rearc.treebank import sample
from rearc.treebank.rules import breaches
from tests.naive.gold import random_tree
from tests.naive.trees import is_tree
from tests.parser.test_constraints import WORDS, random_constraints
from tests.trained import train_parser

MANY = [
    Constraints(heads={5: 4, 1: 4}),
    Constraints(heads={7: 4}, labels={7: "nmod"}),
    Constraints(forbidden=[(2, 1), (2, 4)]),
    Constraints(root=4),
    Constraints(spans=[(3, 7)]),
    Constraints(leaves=[2, 7]),
    Constraints(heads={1: 3, 2: 4}),  # they cross, which arc-hybrid does not derive
    Constraints(labels={4: "obj", 9: "made-up"}, rules="ud"),
    Constraints(heads={3: 1}, labels={3: "obj"}, forbidden=[(2, 4)], root=2, spans=[(3, 5)], leaves=[4], rules="ud"),
]
each = pytest.mark.parametrize("constraints", MANY, ids=str)


@cache
def english() -> Parser:
    return rearc.load("en")


@cache
def linear(name: str) -> Parser:
    return train_parser(list(rearc.read(sample()))[:8], system=name, epochs=1)


@each
def test_they_hold_in_the_best_trees(constraints: Constraints) -> None:
    parser = english()
    trees = parser.n_best(WORDS, 6, constraints=constraints)
    assert 1 < len(trees) <= 6
    assert all(constraints.broken(tree) == [] for tree, _ in trees)
    assert len({tuple(tree.heads) for tree, _ in trees}) == len(trees)
    scores = [score for _, score in trees]
    assert scores == sorted(scores, reverse=True)
    wide = parser.parse(WORDS, constraints=constraints, beam=8)
    assert wide == trees[0][0]
    assert wide == next(parser.parse_many([WORDS, ["Yes"]], constraints=_first(constraints), beam=8))


def _first(constraints: Constraints):
    return lambda sentence: constraints if len(sentence) == len(WORDS) else None


@each
def test_a_beam_of_one_is_the_constrained_greedy_parser(constraints: Constraints) -> None:
    parser = english()
    sentence = Sentence(WORDS)
    heads, labels, _ = Within(parser, [sentence], [sentence], constraints).parse()
    (forest,), _, _ = Within(parser, [sentence], [sentence], constraints).search([(1, 1)])
    assert forest.heads.tolist() == heads.tolist()
    assert forest.labels.tolist() == labels.tolist()


@each
def test_what_is_given_is_certain(constraints: Constraints) -> None:
    tree = english().parse(WORDS, constraints=constraints, confidence=True)
    bare = english().parse(WORDS, constraints=constraints)
    assert (tree.heads, tree.deprels) == (bare.heads, bare.deprels)
    for word in tree:
        assert 0 < word.label_confidence <= word.confidence <= 1
        given = word.id in constraints.heads or word.id == constraints.root
        assert (word.confidence == 1) == given
        if word.id in constraints.labels:
            assert word.label_confidence == word.confidence
    assert 0 < tree.confidence < 1


def test_what_is_given_makes_the_rest_more_certain() -> None:
    """Half of a right tree makes the parser surer of the other half, on average."""
    trees = [tree for tree in rearc.read(sample()) if len(tree) > 4]
    known = [Constraints(heads={w.id: w.head for w in tree if w.id % 2}) for tree in trees]
    free, told = (
        [english().parse(tree, constraints=own, confidence=True) for tree, own in zip(trees, given, strict=True)]
        for given in ([None] * len(trees), known)
    )
    before, after = ([w.confidence for tree in parsed for w in tree if w.id % 2 == 0] for parsed in (free, told))
    assert sum(before) < sum(after)


@pytest.mark.parametrize("name", systems())
def test_perceptrons_of_every_system(name: str) -> None:
    parser = linear(name)
    rng = Random(name)
    for _ in range(12):
        words = [rng.choice(WORDS) for _ in range(rng.randint(1, 7))]
        own = random_constraints(random_tree(len(words), rng, single_root=True, projective=True), rng)
        trees = parser.n_best(words, 5, constraints=own)
        for tree, _ in trees:
            assert own.broken(tree) == []
            assert is_tree((0, *tree.heads))
        assert parser.parse(words, constraints=own, beam=8) == trees[0][0]
        if not own.is_empty:
            sentence = Sentence(words)
            (forest,), _, _ = Within(parser, [sentence], [sentence], own).search([(1, 1)])
            assert forest.heads.tolist() == Within(parser, [sentence], [sentence], own).parse()[0].tolist()


def test_rules_hold_in_the_best_trees_of_any_words() -> None:
    rng = Random(1)
    texts = [Sentence([rng.choice(WORDS) for _ in range(rng.randint(1, 12))]) for _ in range(25)]
    free, kept = (list(ranked(english(), texts, 4, constraints=c)) for c in (None, Constraints(rules="ud")))
    assert any(any(breaches(tree)) for tree in free)
    assert not any(any(breaches(tree)) for tree in kept)
    assert sum("# rank = 1" in tree.comments for tree in kept) == len(texts)


def test_models_trained_for_a_beam_keep_it() -> None:
    parser = train_parser(list(rearc.read(sample()))[:8], system="arc-hybrid", epochs=1, beam=4)
    own = Constraints(heads={1: 3}, leaves=[2])
    assert parser.parse(WORDS, constraints=own) == parser.parse(WORDS, constraints=own, beam=4)
    assert own.broken(parser.parse(WORDS, constraints=own)) == []


def test_the_command(tmp_path: Path) -> None:
    file, out = tmp_path / "half.conllu", tmp_path / "out.conllu"
    rearc.write([Sentence(WORDS, heads=[4, *[-1] * 8], deprels=["dep", *["_"] * 8])], file)
    for options in (["--n-best", "3"], ["--beam", "4"], ["--confidence"], ["--beam", "2", "--constraints", "ud"]):
        run = CliRunner().invoke(app, ["parse", str(file), "--partial", "-o", str(out), *options])
        assert run.exit_code == 0, run.output
        trees = list(rearc.read(out))
        assert len(trees) == (3 if options[0] == "--n-best" else 1)
        assert all((tree[1].head, tree[1].deprel) == (4, "dep") for tree in trees)
        assert (trees[0][1].confidence == 1) == (options == ["--confidence"])
