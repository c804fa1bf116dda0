"""Constrained parsing: what is asked for holds, whatever the scores, for every system."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

import rearc
from rearc import Constraints, Sentence
from rearc.constraints import ConstraintError, put_back, task_for
from rearc.constraints.limits import Limits
from rearc.systems import system, systems, traits
from rearc.treebank.rules import breaches

from ..naive.gold import Tree, gold_trees, random_tree
from ..naive.trees import is_tree

either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])


@cache
def parser() -> rearc.Parser:
    return rearc.load("en")


def random_constraints(tree: Tree, rng: Random) -> Constraints:
    """Some that hold in the tree, so that they can hold."""
    n = len(tree) - 1
    words = range(1, n + 1)
    below = {w: {d for d in words if w in ancestors(tree, d)} | {w} for w in words}
    spans = [(min(ds), max(ds)) for ds in below.values() if max(ds) - min(ds) == len(ds) - 1]
    arcs = [(h, d) for h, d in product(range(n + 1), words) if tree[d] != h and h != d]
    some = rng.choice([0.0, 0.2, 0.5])
    return Constraints(
        heads={d: tree[d] for d in words if rng.random() < rng.choice([0, 0.3, 0.6])},
        forbidden=[arc for arc in arcs if rng.random() < some],
        leaves=[w for w in words if w not in tree[1:] and rng.random() < some],
        spans=[span for span in spans if rng.random() < some / 2],
        root=tree.index(0, 1) if tree[1:].count(0) == 1 and rng.random() < 0.2 else None,
    )


def ancestors(tree: Tree, d: int) -> set[int]:
    found = set()
    while d:
        d = tree[d]
        found.add(d)
    return found


def constrained(name: str, single_root: bool, n: int, constraints: Constraints, rng: Random) -> list[int]:
    """The heads that random scores make of it."""
    compiled = system(name, single_root=single_root)
    task = task_for(constraints, n, compiled)
    if task.guard is None:
        state = compiled.start(n)
        while not state.is_terminal:
            compiled.apply(state, rng.choice(compiled.legal(state)))
    else:
        state = task.guard.start()
        while not state.is_terminal:
            compiled.apply(state, task.guard.lead(state, [rng.random() for _ in compiled.legal(state)]))
    heads = state.heads
    put_back(heads, task.lifted, constraints.heads)
    return heads


def check_random(name: str, single_root: bool, count: int) -> None:
    rng = Random(f"{name} {single_root}")
    for _ in range(count):
        n = rng.randint(1, 7)
        one_root = single_root or traits(name).one_root
        tree = random_tree(n, rng, one_root, not traits(name).derives_all)
        constraints = random_constraints(tree, rng)
        heads = constrained(name, single_root, n, constraints, rng)
        assert is_tree(tuple(heads))
        assert not one_root or heads[1:].count(0) == 1
        parsed = Sentence([str(d) for d in range(1, n + 1)], heads=heads[1:])
        assert constraints.broken(parsed) == [], (constraints, heads)


@pytest.mark.parametrize("name", systems())
@either_root
def test_all_hold_whatever_the_scores(name: str, single_root: bool) -> None:
    check_random(name, single_root, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", systems())
@either_root
def test_all_hold_ten_thousand_times(name: str, single_root: bool) -> None:
    check_random(name, single_root, 5000)


@pytest.mark.parametrize("name", systems())
def test_known_heads_of_any_tree(name: str) -> None:
    """Also such as cross, in systems that derive projective trees alone: these are put back."""
    rng = Random(name)
    for _ in range(60):
        n = rng.randint(2, 8)
        tree = random_tree(n, rng, single_root=True)
        known = Constraints(heads={d: tree[d] for d in range(1, n + 1) if rng.random() < 0.6})
        heads = constrained(name, True, n, known, rng)
        assert is_tree(tuple(heads))
        assert heads[1:].count(0) == 1
        assert all(heads[d] == h for d, h in known.heads.items()), (tree, known, heads)


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("one_root", [True, False])
def test_limits_find_a_tree_if_and_only_if_there_is_one(projective: bool, one_root: bool) -> None:
    rng = Random(4)
    found = 0
    for _ in range(700):
        n = rng.randint(1, 4)
        words = range(1, n + 1)
        first = rng.randint(1, n)
        limits = Limits(
            n,
            [(d, rng.choice([h for h in range(n + 1) if h != d])) for d in words if rng.random() < 0.3],
            [(h, d) for h in range(n + 1) for d in words if rng.random() < 0.3],
            [w for w in words if rng.random() < 0.2],
            [(first, rng.randint(first, n))] if rng.random() < 0.5 else [],
            one_root=one_root,
        )
        trees = [tree for tree in gold_trees(n, one_root, projective) if limits.complies(tree)]
        tried = (
            [limits.tree(True)]
            if projective
            else [limits.tree(False, root, [top]) for root in (words if one_root else [0]) for top in words]
        )
        given = [tree for tree in tried if tree is not None]
        assert bool(given) == bool(trees), (limits, trees, given)
        assert all(tuple(tree) in trees for tree in given if limits.complies(tree))
        assert not given or any(limits.complies(tree) for tree in given)
        found += bool(trees)
    assert 100 < found < 600


# ---- the parser

WORDS = ["I", "saw", "the", "man", "with", "the", "telescope", "yesterday", "."]


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(heads={5: 4, 1: 4}),
        Constraints(heads={7: 4}, labels={7: "nmod"}),
        Constraints(forbidden=[(2, 1), (2, 4)]),
        Constraints(root=4),
        Constraints(spans=[(3, 7)]),
        Constraints(leaves=[2, 7]),
        Constraints(labels={4: "obj", 9: "made-up"}, rules="ud"),
        Constraints(
            heads={3: 1}, labels={3: "obj"}, forbidden=[(2, 4)], root=2, spans=[(3, 5)], leaves=[4], rules="ud"
        ),
    ],
    ids=str,
)
def test_they_hold(constraints: Constraints) -> None:
    free = parser().parse(WORDS)
    tree = parser().parse(WORDS, constraints=constraints)
    assert constraints.broken(tree) == []
    assert constraints.broken(free) != []
    assert next(iter(parser().parse_many([WORDS], constraints=constraints))) == tree


def test_none_change_nothing() -> None:
    assert parser().parse(WORDS, constraints=Constraints()) == parser().parse(WORDS)


def test_what_is_known_is_taken_from_a_sentence() -> None:
    given = Sentence(WORDS, heads=[4, *[-1] * 8], deprels=["dep", *["_"] * 7, "punct"])
    [tree] = parser().parse_many([given], constraints=Constraints.of)
    assert (tree[1].head, tree[1].deprel, tree[9].deprel) == (4, "dep", "punct")


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        (Constraints(heads={1: 2, 2: 1}), "the head of 1 is 2; the head of 2 is 1;"),
        (Constraints(heads={1: 4, 2: 3}, forbidden=[(4, 1), (1, 5)]), "together: the head of 1 is 4; no arc 4 → 1;"),
        (Constraints(root=3, leaves=[3, 4]), "the root is 3; 3 has no dependents;"),
        (Constraints(heads={1: 0, 2: 0}), "the head of 1 is 0; the head of 2 is 0;.*one root"),
        (Constraints(spans=[(1, 3), (2, 5)]), "1 to 3 are a subtree; 2 to 5 are a subtree"),
        (Constraints(labels={1: "nsubj", 3: "nsubj"}, heads={1: 2, 3: 2}, rules="ud"), "the rules ud"),
        (Constraints(labels={1: "punct", 3: "det"}, heads={3: 1}, rules="ud"), "hold"),
        (Constraints(heads={1: 40}), "the head 40, expected a number from 0 to 9"),
        (Constraints(leaves=[0]), "the leaf 0"),
        (Constraints(heads={2: 2}), "its own head"),
    ],
    ids=str,
)
def test_what_cannot_hold_is_named(constraints: Constraints, said: str) -> None:
    with pytest.raises(ConstraintError, match=said):
        parser().parse(WORDS, constraints=constraints)


@pytest.mark.parametrize(
    "wrong", [{"heads": {"a": 1}}, {"heads": 3}, {"labels": {1: 3}}, {"forbidden": [1]}, {"root": 1.5}, {"rules": "du"}]
)
def test_odd_constraints_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="found"):
        Constraints(**wrong)  # type: ignore[arg-type]


def test_many_sentences_with_known_heads_at_once() -> None:
    """As one by one; also such as cannot be kept by costs alone."""
    rng = Random(2)
    given = []
    for _ in range(40):
        words = [rng.choice(WORDS) for _ in range(rng.randint(1, 9))]
        tree = random_tree(len(words), rng, single_root=True)
        heads = [h if rng.random() < 0.5 else -1 for h in tree[1:]]
        deprels = ["dep" if h > 0 and rng.random() < 0.5 else "_" for h in heads]
        given.append(Sentence(words, heads=heads, deprels=deprels))
    trees = list(parser().parse_many(given, constraints=Constraints.of))
    for sentence, tree in zip(given, trees, strict=True):
        known = Constraints.of(sentence)
        assert known.broken(tree) == []
        assert tree == parser().parse(sentence, constraints=known)
    for tree in parser().parse_many(given, constraints=lambda s: Constraints.of(s, "ud") if s.heads[0] < 0 else None):
        assert tree.has_tree


def test_the_command(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from rearc.cli.app import app

    file = tmp_path / "half.conllu"
    rearc.write([Sentence(WORDS, heads=[4, *[-1] * 8], deprels=["dep", *["_"] * 8])], file)
    result = CliRunner().invoke(app, ["parse", str(file), "--partial"])
    assert result.exit_code == 0
    assert "1\tI\t" in result.stdout
    assert "\t4\tdep\t" in result.stdout
    assert CliRunner().invoke(app, ["parse", str(file), "--constraints", "ud"]).exit_code == 0
    assert CliRunner().invoke(app, ["parse", str(file), "--constraints", "du"]).exit_code == 2


# ---- rules


@pytest.mark.parametrize(
    ("heads", "deprels", "count"),
    [
        ([2, 0, 2], ["nsubj", "root", "obj"], 0),
        ([2, 0, 2], ["obj", "root", "obj"], 1),
        ([2, 0, 2], ["nsubj:pass", "root", "csubj"], 1),
        ([2, 0, 2], ["nsubj:outer", "root", "nsubj"], 0),
        ([2, 3, 0], ["det", "case", "root"], 1),
        ([2, 3, 0], ["advmod", "case", "root"], 0),
        ([2, 3, 0], ["punct", "punct", "root"], 0),
        ([0, 0, 1], ["root", "root", "dep"], 1),
        ([0, 1, 1], ["dep", "root", "dep"], 2),
    ],
)
def test_breaches(heads: list[int], deprels: list[str], count: int) -> None:
    tree = Sentence(["a", "b", "c"], heads=heads, deprels=deprels)
    assert len(list(breaches(tree))) == count


def test_rules_hold_for_any_words() -> None:
    rng = Random(1)
    broken = 0
    texts = [[rng.choice(WORDS) for _ in range(rng.randint(1, 12))] for _ in range(60)]
    for free, tree in zip(
        parser().parse_many(texts), parser().parse_many(texts, constraints=Constraints(rules="ud")), strict=True
    ):
        broken += any(breaches(free))
        assert not list(breaches(tree))
        assert replace(Constraints(), rules="ud").broken(tree) == []
    assert broken


def test_more_than_heads_in_a_very_long_sentence() -> None:
    model = rearc.load("en")
    words = ["dog"] * 1201
    with pytest.raises(ConstraintError, match="found a sentence of 1,201 words, expected at most 1,200"):
        model.parse(words, constraints=Constraints(leaves=[2]))
    assert model.parse(words, constraints=Constraints(heads={2: 7})).heads[1] == 7
