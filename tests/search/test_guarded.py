"""Beams within limits: they hold in every tree, whatever the scores, for every system."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from rearc import Constraints, Sentence
from rearc.constraints import Task, is_exact, put_back, task_for
from rearc.constraints.guard import Guard
from rearc.constraints.limits import Limits
from rearc.neural.beam import NetworkBeam
from rearc.oracles import oracle
from rearc.systems import system, systems, traits
from tests.lockstep import space
from tests.naive.beam import all_derivations
from tests.naive.gold import random_tree
from tests.naive.trees import is_tree
from tests.neural.test_walk import Scores
from tests.parser.test_constraints import random_constraints
from tests.search.test_beam import steps_of

either_root = pytest.mark.parametrize("single_root", [False, True], ids=["any", "one"])


def places(scores: Scores) -> tuple[np.ndarray, ...]:
    sizes = np.array(scores.sizes, dtype=np.intc)
    return scores.values, sizes, scores.sheets, np.full(len(sizes), scores.row, dtype=np.intc)


def found(
    scores: Scores, size: int, guard: Guard | None, scale: float = 0.003
) -> list[tuple[tuple[int, ...], float, np.ndarray]]:
    """The trees of one sentence, with their scores and the margins of their words."""
    (n,) = scores.sizes
    beam = NetworkBeam(scores.decoder, size, scale)
    _, values, heads, _, margins = beam.parse(*places(scores), size, guard)
    trees = [(0, *tree) for tree in heads.reshape(-1, n).tolist()]
    return list(zip(trees, values.tolist(), margins.reshape(-1, n, 3), strict=True))


def some_task(name: str, single_root: bool, rng: Random, most: int, heads_alone: bool = False) -> tuple[int, Task]:
    """Random constraints that can hold, and that the heads have to comply with."""
    one_root = single_root or traits(name).one_root
    while True:
        n = rng.randint(2, most)
        tree = random_tree(n, rng, one_root, not traits(name).derives_all)
        wanted = random_constraints(tree, rng)
        if heads_alone:
            wanted = Constraints(heads=wanted.heads)
        task = task_for(wanted, n, system(name, single_root=single_root))
        if task.guard is not None:
            return n, task


def check_hold(name: str, single_root: bool, count: int) -> None:
    rng = Random(f"{name} {single_root}")
    for seed in range(count):
        n, task = some_task(name, single_root, rng, 6)
        scores = Scores(name, single_root, [n], seed)
        for size in (1, 3, 8):
            trees = found(scores, size, task.guard)
            assert 0 < len(trees) <= size
            for tree, _, _ in trees:
                heads = list(tree)
                put_back(heads, task.lifted, task.constraints.heads)
                assert is_tree(tuple(heads))
                parsed = Sentence([str(d) for d in range(1, n + 1)], heads=heads[1:])
                assert task.constraints.broken(parsed) == [], (task, heads)
            assert len({tree for tree, _, _ in trees}) == len(trees)
        greedy = scores.decoder.parse(*places(scores), guard=task.guard)
        assert [found(scores, 1, task.guard)[0][0][1:]] == [tuple(greedy.tolist())]


@pytest.mark.parametrize("name", systems())
@either_root
def test_all_hold_in_every_tree_and_one_derivation_is_the_greedy_parser(name: str, single_root: bool) -> None:
    check_hold(name, single_root, 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", systems())
@either_root
def test_all_hold_a_thousand_times(name: str, single_root: bool) -> None:
    check_hold(name, single_root, 1000)


@pytest.mark.parametrize("name", systems())
@either_root
def test_a_wide_beam_finds_trees_within_the_limits_alone(name: str, single_root: bool) -> None:
    """Where the costs are exact, all there are, with the scores of their best derivations."""
    rng = Random(name)
    for seed in range(8):
        n, task = some_task(name, single_root, rng, 3, heads_alone=seed % 2 == 0)
        scores = Scores(name, single_root, [n], seed)
        free = all_derivations(space(name, single_root, n), steps_of(name, single_root, n, scores, 0.003))
        within = {tree: score for tree, score in free.items() if task.guard.limits.complies(tree)}
        kept = {tree: score for tree, score, _ in found(scores, 1000, task.guard)}
        if task.guard.knows_by_costs:
            assert kept == pytest.approx(within)
        else:
            assert kept
            assert all(score <= within[tree] + 1e-9 for tree, score in kept.items())


@pytest.mark.parametrize("name", [name for name in systems() if is_exact(name)])
def test_margins_are_above_what_may_be_chosen(name: str) -> None:
    """A transition that costs a known head is no rival."""
    rng = Random(name)
    for seed in range(20):
        n, task = some_task(name, False, rng, 6, heads_alone=True)
        scores = Scores(name, False, [n], seed)
        ((tree, _, margins),) = found(scores, 1, task.guard)
        known = [0, *(task.constraints.heads.get(d) for d in range(1, n + 1))]
        judge = oracle(name, "dynamic", known)
        state = judge.start()
        expected = dict.fromkeys(range(1, n + 1), float("inf"))
        while not state.is_terminal:
            legal = judge.system.legal(state)
            costs = judge.costs(state)
            free = [k for k, t in enumerate(legal) if len(legal) == 1 or costs[t] == 0]
            values = scores.of(0, state, legal)[0]
            best = max(free, key=values.__getitem__)
            arc = judge.system.builds(state, legal[best])
            if arc:
                others = [values[k] for k in free if k != best]
                expected[arc[1]] = values[best] - max(others, default=-float("inf"))
            judge.system.apply(state, legal[best])
        assert tuple(state.heads) == tree
        assert margins[:, 0].tolist() == list(expected.values())


@pytest.mark.parametrize("name", [name for name in systems() if is_exact(name)])
def test_known_heads_of_many_sentences_at_once(name: str) -> None:
    """As one by one."""
    rng = Random(name)
    sizes = [4, 1, 7, 3]
    known = []
    for n in sizes:
        tree = random_tree(n, rng, traits(name).one_root, not traits(name).derives_all)
        known.append([h if rng.random() < 0.4 else -1 for h in tree[1:]])
    scores = Scores(name, False, sizes, 5)
    values, _, sheets, strides = places(scores)
    compiled, one_root = system(name), traits(name).one_root
    guard = Guard(compiled, Limits(7, [], one_root=one_root))
    flat = np.array([h for heads in known for h in heads], dtype=np.intc)
    together = NetworkBeam(scores.decoder, 4, 0.003).parse(*places(scores), 4, guard, flat)
    apart = []
    for s, heads in enumerate(known):
        own = Guard(compiled, Limits(sizes[s], [(d, h) for d, h in enumerate(heads, 1) if h >= 0], one_root=one_root))
        beam = NetworkBeam(scores.decoder, 4, 0.003)
        some = np.array([sizes[s]], dtype=np.intc)
        apart.append(beam.parse(values, some, sheets[s : s + 1], strides[s : s + 1], 4, own))
    for k, column in enumerate(together):
        assert column.tolist() == np.concatenate([one[k] for one in apart]).tolist()


def test_guards_that_do_not_fit() -> None:
    scores = Scores("arc-hybrid", False, [3], 1)
    beam = NetworkBeam(scores.decoder, 2, 1.0)
    guard = Guard(system("arc-hybrid"), Limits(3, [(1, 2)]))
    with pytest.raises(ValueError, match="another sentence or system"):
        beam.parse(*places(scores), 2, Guard(system("arc-eager"), Limits(3, [])))
    with pytest.raises(ValueError, match="another sentence or system"):
        beam.parse(*places(scores), 2, Guard(system("arc-hybrid"), Limits(4, [])))
    with pytest.raises(ValueError, match="that no tree has"):
        beam.parse(*places(scores), 2, guard, np.array([2, 1, -1], dtype=np.intc))
    with pytest.raises(ValueError, match="2 known heads"):
        beam.parse(*places(scores), 2, guard, np.array([2, 1], dtype=np.intc))
    leaf = Guard(system("arc-hybrid"), Limits(3, [], leaves=[2]), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="cannot be told other heads"):
        beam.parse(*places(scores), 2, leaf, np.full(3, -1, dtype=np.intc))
    assert beam.parse(*places(scores), 2, guard)[2].tolist()[::3] == [2, 2]
