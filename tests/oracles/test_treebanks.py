"""Whole treebanks: every derivable tree comes back, and threads do not get into each other's way."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rearc.oracles import oracle, oracles
from rearc.oracles.walk import Derivations, Trees, derive, replay, walk
from rearc.systems import systems, traits
from rearc.treebank import read
from rearc.treebank.generate import random_tree
from rearc.treebank.pseudoprojective import projective_heads
from rearc.treebank.trees import is_projective, roots
from tests.conftest import find_treebanks

ORACLES = [(name, which) for name in systems() for which in oracles(name)]


def derivable(name, trees):
    """The trees as the system can derive them: lifted where it does not, with one root where it makes one."""
    if not traits(name).derives_all:
        trees = [tree if is_projective(tree) or is_derived(name, tree) else projective_heads(tree) for tree in trees]
    if traits(name).one_root:
        trees = [tree for tree in trees if len(roots(tree)) == 1]
    return Trees(trees)


def is_derived(name, tree):
    """A system that derives some non-projective trees derives this one."""
    return traits(name).limited and derive(oracle(name, "static", [0, 0]), Trees([tree]))[0, 2] == len(tree) - 1


@pytest.fixture(scope="module")
def generated():
    rng = np.random.default_rng(5)
    return [random_tree(int(rng.integers(1, 30)), rng) for _ in range(200)]


@pytest.fixture(scope="module")
def real():
    trees = []
    for folder in sorted(find_treebanks().iterdir()):
        if (folder / "dev.conllu").exists():
            sentences = read(folder / "dev.conllu", columns={"heads"})
            trees += [sentence.tree for sentence, _ in zip(sentences, range(100), strict=False)]
    assert len(trees) >= 100  # of one treebank at least
    return trees


@pytest.mark.parametrize(("name", "which"), ORACLES)
@pytest.mark.parametrize("source", ["generated", "real"])
def test_every_derivable_tree_comes_back(name, which, source, request):
    trees = derivable(name, request.getfixturevalue(source))
    derived = derive(oracle(name, which, [0, 0]), trees)
    assert (derived[:, 2] == np.diff(trees.offsets) - 1).all()


@pytest.mark.parametrize("name", systems())
def test_a_recorded_derivation_rebuilds_without_its_oracle(name, generated):
    trees = derivable(name, generated)
    derivations = Derivations(oracle(name, oracles(name)[0], [0, 0]), trees)
    assert replay(derivations) == trees.words
    lengths = derive(oracle(name, oracles(name)[0], [0, 0]), trees)[:, 0]
    assert len(derivations) == derivations.offsets[-1] == lengths.sum()


@pytest.mark.parametrize(("name", "which"), ORACLES)
def test_eight_threads_find_what_one_finds(name, which, generated):
    trees = derivable(name, generated)

    def work(seed):
        judge = oracle(name, which, [0, 0])
        return walk(judge, trees, follow=0.8, seed=seed), derive(judge, trees).tolist()

    alone = [work(seed) for seed in range(8)]
    assert len({visited_and_paid for visited_and_paid, _ in alone}) > 1, "the seeds should wander differently"
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == alone


# `lower` may promise what cannot be kept: it is left out, and so is the straight way among what it promises
@pytest.mark.parametrize(("name", "which"), [pair for pair in ORACLES if not pair[1].startswith("lower")])
def test_a_walk_that_always_follows_costs_nothing(name, which, generated):
    trees = derivable(name, generated)
    _, paid = walk(oracle(name, which, [0, 0]), trees, follow=1.0, seed=3)
    assert paid == 0
