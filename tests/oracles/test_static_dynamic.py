"""Paper 002's static-dynamic oracle: every state of its books against Figure 1, and against search."""

from functools import cache
from random import Random

import pytest

from rearc.oracles import oracle

from ..lockstep import derivable, random_derivable
from ..naive import naive_oracle
from ..naive.arc_hybrid_oracles import StaticDynamic
from ..naive.gold import Tree
from ..naive.search import hamming
from ..naive.stack import Configuration
from ..naive.tally import checked

either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])


def naive_judge(gold: Tree, single_root: bool) -> StaticDynamic:
    naive = naive_oracle("arc-hybrid-swap", "static-dynamic", gold, single_root=single_root)
    naive.PROJ = cache(naive.PROJ)
    return naive


@either_root
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_state(single_root: bool, n: int) -> None:
    for gold in derivable("arc-hybrid-swap", single_root, n):
        judge = oracle("arc-hybrid-swap", "static-dynamic", gold, single_root=single_root)
        naive = naive_judge(gold, single_root)

        @cache
        def true_loss(c: Configuration, gold: Tree = gold, naive: StaticDynamic = naive) -> int:
            """The exact loss where swap is forced when it is due and forbidden otherwise."""
            if naive.system.is_terminal(c):
                return hamming(naive.system.heads(c), gold)
            return min(true_loss(naive.system.apply(c, t)) for t in naive.allowed(c))

        first = naive.start()
        found = {first: judge.start()}
        waiting = [first]
        while waiting:
            books = waiting.pop()
            state = found[books]
            costs = judge.costs(state)
            assert costs == naive.costs(books), (gold, str(state))
            assert judge.loss(state) == naive.loss(books) == true_loss(books.c), (gold, str(state))
            assert tuple(state.heads) == naive.system.heads(books.c)
            assert not costs or min(costs.values()) == 0
            for transition, cost in costs.items():
                after = naive.apply(books, transition)
                assert cost == true_loss(after.c) - true_loss(books.c), (gold, str(state), transition)
                checked["transitions of arc-hybrid-swap static-dynamic"] += 1
                if after not in found:
                    found[after] = state.copy()
                    judge.apply(found[after], transition)
                    waiting.append(after)


@either_root
@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_random_walks(single_root: bool, n: int) -> None:
    rng = Random(n)
    for _ in range(25):
        gold = random_derivable("arc-hybrid-swap", single_root, n, rng)
        judge = oracle("arc-hybrid-swap", "static-dynamic", gold, single_root=single_root)
        naive = naive_judge(gold, single_root)
        state, books = judge.start(), naive.start()
        while not state.is_terminal:
            costs = judge.costs(state)
            assert costs == naive.costs(books), (gold, str(state))
            assert judge.loss(state) == naive.loss(books), (gold, str(state))
            transition = rng.choice(list(costs))
            judge.apply(state, transition)
            books = naive.apply(books, transition)
            checked["transitions of arc-hybrid-swap static-dynamic"] += 1


def test_a_walk_that_swaps_against_the_oracle() -> None:
    """The books follow every transition, also a swap that the oracle would not have made."""
    gold = (0, 2, 0, 2)
    judge = oracle("arc-hybrid-swap", "static-dynamic", gold)
    naive = naive_judge(gold, False)
    state, books = judge.start(), naive.start()
    for transition in ("shift", "swap", "shift"):
        judge.apply(state, transition)
        books = naive.apply(books, transition)
        assert judge.costs(state) == naive.costs(books)
