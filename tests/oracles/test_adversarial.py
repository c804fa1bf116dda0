"""Trees with as many cycles as there are Fibonacci numbers (SPEC 1.3): every oracle still answers."""

from random import Random

import pytest

from rearc.oracles import oracle
from rearc.oracles.exact import SearchLimit
from rearc.systems import State, system

from ..lockstep import NON_PROJECTIVE
from ..naive import NAMES, ORACLES, naive_oracle, naive_system
from ..naive.covington_oracles import Upper, elementary_cycles
from ..naive.tally import checked

BOUNDED = ["covington-nonmonotonic", "nl-covington-nonmonotonic"]


def fibonacci_gold(n: int) -> list[int]:
    """k → m+k → k+2 and 2m → 1 for n = 2m, m even; 2 is the root."""
    m = n // 2
    heads = [0] * (n + 1)
    heads[1] = n
    for k in range(1, m + 1):
        heads[m + k] = k
        if k + 2 <= m:
            heads[k + 2] = m + k
    return heads


def chain(name: str, m: int) -> list[str]:
    """The transitions that build 1 → 2 → … → m and shift m."""
    arc = "right-arc:1" if name.startswith("nl") else "right-arc"
    return ["shift", *[arc, "shift"] * (m - 1)]


def test_the_cycles_are_fibonacci_numbers() -> None:
    """1, 3, 8, 21: every second Fibonacci number."""
    for n, cycles in ((4, 1), (8, 3), (12, 8), (16, 21)):
        slow = naive_system("covington-nonmonotonic")
        c = slow.start(n)
        for transition in chain("covington-nonmonotonic", n // 2):
            c = slow.apply(c, transition)
        judge = Upper(slow, tuple(fibonacci_gold(n)))
        assert len(elementary_cycles(judge.built(c) | judge.word_arcs)) == cycles


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("kind", ["lower", "simulated", "pc-upper", "upper"])
@pytest.mark.parametrize("n", [8, 12])
def test_short_ones_to_the_letter(name: str, kind: str, n: int) -> None:
    gold = fibonacci_gold(n)
    judge, naive = oracle(name, kind, gold), naive_oracle(name, kind, tuple(gold))
    compiled, slow = system(name), naive_system(name)
    state, c = compiled.start(n), slow.start(n)
    for transition in chain(name, n // 2):
        compiled.apply(state, transition)
        c = slow.apply(c, transition)
        assert judge.costs(state) == naive.costs(c)
        assert judge.loss(state) == naive.loss(c)


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in NAMES if name in NON_PROJECTIVE for kind in ORACLES[name]]
)
@pytest.mark.parametrize("n", [40, 80, 200])
def test_every_oracle_answers(name: str, kind: str, n: int) -> None:
    """After the chain of wrong arcs where the system has one, then on a walk off the best way and back."""
    gold = fibonacci_gold(n)
    judge = oracle(name, kind, gold)
    compiled, state, rng = system(name), judge.start(), Random(n)
    if name in BOUNDED:
        for transition in chain(name, n // 2):
            judge.apply(state, transition)
    asked = 0
    while not state.is_terminal and asked < 200:
        optimal = judge.optimal(state)
        assert optimal
        if not kind.startswith("static") or kind == "static-dynamic":
            assert set(judge.costs(state)) <= set(compiled.legal(state))
            if name == "attardi":  # it builds few of these arcs: its search for the rest ends and says how far it came
                if not asked:
                    with pytest.raises(SearchLimit, match=r"or more, and at most \d+$"):
                        judge.loss(state)
            else:
                assert 0 <= judge.loss(state) <= n
        allowed = optimal if kind.startswith("static") or rng.random() < 0.9 else compiled.legal(state)
        judge.apply(state, rng.choice(allowed))
        asked += 1
    checked["configurations with Fibonacci cycles"] += asked


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("n", [40, 80, 200])
def test_the_bounds_keep_their_order(name: str, n: int) -> None:
    gold = fibonacci_gold(n)
    state: State = system(name).start(n)
    for transition in chain(name, n // 2):
        state.system.apply(state, transition)
    lower, simulated, pc_upper, upper = (
        oracle(name, kind, gold).loss(state) for kind in ("lower", "simulated", "pc-upper", "upper")
    )
    assert lower <= simulated <= pc_upper <= upper <= n
