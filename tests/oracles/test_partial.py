"""Oracles over partial gold trees, against what search finds."""

from itertools import product
from random import Random
from typing import Any

import pytest

from rearc.oracles import exact_loss, oracle, oracles
from rearc.oracles.table import takes_partial

from ..lockstep import NON_PROJECTIVE, ONE_ROOT_ALWAYS, space, states
from ..naive import NAMES
from ..naive.partial import Partial, least, partial_trees
from ..naive.tally import checked

# arc-eager-tree's costs are those of plain arc-eager: not exact over whole trees either (SPEC 3)
EXACT = [name for name in NAMES if takes_partial(name, "dynamic") and name != "arc-eager-tree"]
BOUNDS = ["lower", "simulated", "pc-upper", "upper"]

either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])
all_of_four = pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])


def parts(name: str, single_root: bool, n: int) -> list[Partial]:
    return partial_trees(n, single_root or name in ONE_ROOT_ALWAYS, name not in NON_PROJECTIVE)


def check_exact(name: str, single_root: bool, n: int, golds: list[Partial]) -> None:
    true = space(name, single_root, n)
    for gold in golds:
        judge = oracle(name, "dynamic", gold, single_root=single_root)
        loss = {c: least(trees, gold) for c, trees in true.trees.items()}
        for c, state in states(name, single_root, n).items():
            assert judge.loss(state) == loss[c], (gold, str(state))
            costs = {t: loss[after] - loss[c] for t, after in true.after[c].items()}
            assert judge.costs(state) == costs, (gold, str(state))
        checked[f"cost vectors of {name} over partial trees"] += len(loss)


@pytest.mark.parametrize("name", EXACT)
@either_root
@all_of_four
def test_exact(name: str, single_root: bool, n: int) -> None:
    check_exact(name, single_root, n, parts(name, single_root, n))


@pytest.mark.parametrize("name", EXACT)
@either_root
def test_exact_for_some_of_four_words(name: str, single_root: bool) -> None:
    golds = parts(name, single_root, 4)
    check_exact(name, single_root, 4, Random(name).sample(golds, 12))


@pytest.mark.parametrize("name", ["covington-nonmonotonic", "nl-covington-nonmonotonic"])
@either_root
@all_of_four
def test_bounds(name: str, single_root: bool, n: int) -> None:
    true, compiled = space(name, single_root, n), states(name, single_root, n)
    golds = parts(name, single_root, n)
    for gold in golds if n < 4 else Random(name).sample(golds, 200):
        judges = [oracle(name, kind, gold, single_root=single_root) for kind in BOUNDS]
        for c, state in compiled.items():
            exact = least(true.trees[c], gold)
            lower, simulated, pc_upper, upper = (judge.loss(state) for judge in judges)
            assert lower <= exact, (gold, str(state))
            assert single_root or exact <= simulated <= pc_upper <= upper, (gold, str(state))
            for judge in judges:
                before = judge.loss(state)
                costs = {t: judge.loss(compiled[after]) - before for t, after in true.after[c].items()}
                assert judge.costs(state) == costs, (judge, gold, str(state))
            checked[f"bounds of {name} over partial trees"] += 1


@pytest.mark.parametrize("name", [name for name in NAMES if any(takes_partial(name, kind) for kind in oracles(name))])
def test_exact_loss(name: str) -> None:
    true, rng = space(name, False, 3), Random(name)
    for gold in rng.sample(parts(name, False, 3), 20):
        for c, state in rng.sample(sorted(states(name, False, 3).items(), key=str), 5):
            assert exact_loss(name, state, gold) == least(true.trees[c], gold), (gold, str(state))


@pytest.mark.parametrize("name", [name for name in NAMES if any(kind.endswith("-monotonic") for kind in oracles(name))])
@pytest.mark.parametrize("n", [2, 3])
def test_the_straight_way(name: str, n: int) -> None:
    """Some of the bound's best transitions, and who follows them ends as well as an upper bound says."""
    true, compiled = space(name, False, n), states(name, False, n)
    kinds = [kind for kind in oracles(name) if kind.endswith("-monotonic") and kind != "lower-monotonic"]
    for gold, kind in product(parts(name, False, n), kinds):
        straight, plain = (oracle(name, which, gold) for which in (kind, kind.removesuffix("-monotonic")))
        worst: dict[Any, int] = {}
        for c in sorted(compiled, key=true.longest.__getitem__):  # what it leads to comes before it
            state = compiled[c]
            chosen, best = straight.optimal(state), plain.optimal(state)
            assert set(chosen) <= set(best), (kind, gold, str(state))
            assert bool(chosen) == bool(best)
            ends = [worst[true.after[c][t]] for t in chosen]
            worst[c] = max(ends) if ends else least(true.trees[c], gold)
            assert worst[c] <= plain.loss(state), (kind, gold, str(state))
        checked[f"optimal sets of {name} {kind} over partial trees"] += len(worst)


def test_arc_eager_tree_is_nearly_exact() -> None:
    inside = pairs = 0
    for n in (1, 2, 3):
        true = space("arc-eager-tree", False, n)
        for gold in parts("arc-eager-tree", False, n):
            judge = oracle("arc-eager-tree", "dynamic", gold)
            for c, state in states("arc-eager-tree", False, n).items():
                if true.after[c]:
                    loss = least(true.trees[c], gold)
                    best = {t for t, after in true.after[c].items() if least(true.trees[after], gold) == loss}
                    inside += set(judge.optimal(state)) <= best
                    pairs += 1
    assert inside >= 0.99 * pairs


def is_taken(gold: Partial, single_root: bool) -> bool:
    try:
        oracle("arc-hybrid", "dynamic", gold, single_root=single_root)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_what_fits_together(n: int, single_root: bool) -> None:
    """The known arcs are refused if and only if no projective tree has them all."""
    projective = set(partial_trees(n, single_root, True))
    for heads in product([None, *range(n + 1)], repeat=n):
        gold = (0, *heads)
        if None not in heads:
            continue
        assert is_taken(gold, single_root) == (gold in projective), gold


@pytest.mark.parametrize(
    ("heads", "said"),
    [
        ([0, 3, 4, None, None], "3 → 1 and 4 → 2"),
        ([0, 3, None, 2, None], "3 → 1, which spans a word above 3"),
        ([0, 2, 1, None], "1 ← 2 ← 1|2 ← 1 ← 2"),
        ([0, None, 7], "word 2 has head 7"),
    ],
)
def test_clashes_are_named(heads: list[int | None], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        oracle("arc-eager", "dynamic", heads)


def test_two_known_roots() -> None:
    with pytest.raises(ValueError, match="0 → 1 and 0 → 3"):
        oracle("covington", "dynamic", [0, 0, None, 0], single_root=True)


WHOLE = [("arc-hybrid", "static"), ("arc-hybrid-swap", "static-dynamic"), ("arc-standard", "static")]


@pytest.mark.parametrize(("name", "kind"), WHOLE)
def test_what_takes_whole_trees_alone(name: str, kind: str) -> None:
    with pytest.raises(ValueError, match="whole tree"):
        oracle(name, kind, [0, None, 1])


def test_unknown_labels() -> None:
    judge = oracle("arc-hybrid", "dynamic", [0, 2, None, 2], gold_labels=[None, "a", None, None])
    state = judge.start()
    judge.apply(state, "shift")
    assert judge.cost(state, "left-arc", "b") == 1
    assert judge.cost(state, "left-arc", "a") == 0
    for transition in ("left-arc", "shift", "shift"):
        judge.apply(state, transition, "a" if transition == "left-arc" else None)
    assert judge.cost(state, "right-arc", "anything") == 0
