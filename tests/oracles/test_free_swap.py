"""The bounds of arc-hybrid-swap's search, against all that can happen."""

from random import Random

import pytest

from rearc.oracles import exact_loss, oracle, searcher
from rearc.oracles.exact import SearchLimit
from rearc.systems import system

from ..lockstep import space, states
from ..naive.gold import Tree, all_trees
from ..naive.tally import checked
from ..naive.trees import is_projective

NAME = "arc-hybrid-swap"


@pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_bounds(single_root: bool, n: int) -> None:
    """The loss lies between them; they nearly always meet, also behind swaps that no oracle would take."""
    true, met = space(NAME, single_root, n), 0
    for gold in all_trees(n):
        search = searcher(system(NAME, single_root=single_root), gold)
        for c, state in states(NAME, single_root, n).items():
            low, high = search.bounds(state)
            assert low <= true.exact_loss(c, gold) <= high, (gold, str(state))
            met += low == high
            checked["bounds of arc-hybrid-swap"] += 1
    assert single_root or met > 0.95 * len(true.trees) * len(all_trees(n))


def random_gold(n: int, rng: Random, projective: bool) -> Tree:
    """Words hang on near ones, as in real trees."""
    while True:
        heads = [0] * (n + 1)
        order = rng.sample(range(1, n + 1), n)
        for k in range(1, n):
            heads[order[k]] = min(order[:k], key=lambda h: abs(h - order[k]) + 3 * rng.random())
        if is_projective(heads) == projective:
            return tuple(heads)


def test_long_sentences() -> None:
    """Losses of long sentences take no time, add up along a walk, and are no more than static-dynamic says."""
    rng, better = Random(5), 0
    for number in range(12):
        gold = random_gold(25, rng, projective=number % 2 == 0)
        judge = oracle(NAME, "static-dynamic", gold)
        state, before = judge.start(), 0
        assert exact_loss(NAME, state, gold) == 0
        while not state.is_terminal:
            judge.apply(state, rng.choice(judge.optimal(state) if rng.random() < 0.8 else list(judge.costs(state))))
            try:
                loss = searcher(judge.system, gold).loss(state, 5_000)
            except SearchLimit:
                continue
            assert before <= loss <= judge.loss(state), (gold, str(state))
            better += loss < judge.loss(state)
            before = loss
        assert before == sum(g != h for g, h in zip(gold, state.heads, strict=True))
    assert better > 0
