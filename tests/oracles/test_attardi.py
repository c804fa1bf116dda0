"""The dynamic oracle of Attardi's system where much has to be given up, and where it is given up itself."""

from random import Random

import pytest

from rearc.oracles import exact_loss, oracle
from rearc.oracles.exact import SearchLimit
from rearc.systems import system

from ..naive import naive_oracle, naive_system
from ..naive.gold import random_tree
from ..naive.tally import checked

either_root = pytest.mark.parametrize("single_root", [False, True], ids=["roots", "one-root"])


@either_root
def test_trees_that_it_does_not_derive(single_root: bool) -> None:
    """Random trees, of which hardly one can be derived: several arcs have to be given up at a time.

    They may have several roots where one is asked for.
    """
    rng, deepest = Random(7), 0
    slow, compiled = naive_system("attardi", single_root), system("attardi", single_root=single_root)
    for _ in range(6):
        gold = random_tree(8, rng)
        judge = oracle("attardi", "dynamic", gold, single_root=single_root)
        naive = naive_oracle("attardi", "dynamic", gold, single_root=single_root)
        state, c = compiled.start(8), slow.start(8)
        while not slow.is_terminal(c):
            assert judge.costs(state) == naive.costs(c), (gold, str(state))
            assert judge.loss(state) == naive.loss(c), (gold, str(state))
            assert set(judge.optimal(state)) == naive.optimal(c), (gold, str(state))
            deepest = max(deepest, naive.ahead(c))
            checked["cost vectors of trees that attardi does not derive"] += 1
            transition = rng.choice(slow.legal(c) if rng.random() < 0.4 else judge.optimal(state))
            compiled.apply(state, transition)
            c = slow.apply(c, transition)
        assert judge.estimates == 0
    assert deepest >= 2


def test_a_hopeless_sentence_is_estimated() -> None:
    """Of 60 words at random most arcs are lost; no search finds out which: costs are estimates, the loss unknown."""
    gold = random_tree(60, Random(1))
    judge = oracle("attardi", "dynamic", gold)
    state = judge.start()
    for _ in range(40):
        judge.system.apply(state, "shift")
    assert min(judge.costs(state).values()) == 0
    assert judge.optimal(state)
    assert judge.optimal(state) == judge.optimal(state)
    assert judge.estimates > 0
    with pytest.raises(SearchLimit, match="or more, and at most"):
        exact_loss("attardi", state, gold)
