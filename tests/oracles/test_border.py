"""What Python can do to oracles: nothing can be made half, nothing false is taken, and one question has one answer."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

from rearc.oracles import Oracle, exact_loss, oracle, oracles, searcher
from rearc.oracles.base import _remade
from rearc.oracles.exact import Search, SearchLimit
from rearc.oracles.table import oracle_class
from rearc.oracles.walk import Derivations, Trees, derive, replay, walk
from rearc.systems import IllegalTransition, State, system

from ..lockstep import random_derivable
from ..naive import NAMES

ArcEagerDynamic, CovingtonDynamic = oracle_class("arc-eager", "dynamic"), oracle_class("covington", "dynamic")
StackOracle = import_module("rearc.oracles.stack").StackOracle
PAIRS = [(name, kind) for name in NAMES for kind in oracles(name)]
every_oracle = pytest.mark.parametrize(("name", "kind"), PAIRS)
LABELS = [None, "nsubj", "root", "obj"]


def answers(judge: Oracle, state: State) -> tuple[Any, ...]:
    """All that a judge says of a state."""
    costs = judge.costs(state)
    labels = [judge.label(state, transition) for transition in costs]
    each = [judge.cost(state, transition, label) for transition in costs for label in ("nsubj", "new", None)]
    return judge.loss(state), costs, judge.optimal(state), labels, each


# ---- nothing is made half


def test_an_abstract_oracle():
    state = system("arc-eager").start(2)
    for cls in (Oracle, StackOracle, ArcEagerDynamic):
        with pytest.raises(TypeError):
            cls.__new__(cls).loss(state)
        with pytest.raises(TypeError):
            cls()  # type: ignore[call-arg]
    for cls in (Oracle, StackOracle):
        with pytest.raises(TypeError, match=r"expected ArcEagerDynamic: use rearc.oracles.oracle"):
            cls(state.system, "dynamic", [0, 2, 0])


def test_an_oracle_without_a_tree():
    made = system("arc-eager")
    half = ArcEagerDynamic.__new__(ArcEagerDynamic, made, "dynamic", [0, 2, 0])
    state = made.start(2)
    for ask in (half.loss, half.costs, half.optimal):
        with pytest.raises(ValueError, match="without a gold tree"):
            ask(state)
    for act in (half.start, half.derivation, half.__reduce__):
        with pytest.raises(ValueError, match="without a gold tree"):
            act()
    with pytest.raises(ValueError, match="without a gold tree"):
        half.cost(state, "shift")
    half.set_gold([0, 2, 0])
    assert half.derivation() == oracle("arc-eager", "dynamic", [0, 2, 0]).derivation()


def test_an_oracle_of_a_class_of_ones_own():
    class Mine(ArcEagerDynamic):
        def __init__(self, *arguments: Any) -> None:
            pass

    for arguments in ((), (system("arc-eager"), "dynamic", [0, 2, 0])):
        with pytest.raises(TypeError):
            Mine(*arguments).loss(system("arc-eager").start(2))


def test_the_oracle_of_another_family():
    with pytest.raises(TypeError, match="found the class CovingtonDynamic for the oracle dynamic of arc-eager"):
        CovingtonDynamic(system("arc-eager"), "dynamic", [0, 2, 0])
    with pytest.raises(ValueError, match="found oracle 'best'"):
        CovingtonDynamic(system("covington"), "best", [0, 2, 0])
    with pytest.raises(TypeError):
        CovingtonDynamic(None, "dynamic", [0, 2, 0])  # type: ignore[arg-type]


def test_a_judge_keeps_its_system():
    judge = oracle("covington", "dynamic", [0, 2, 0])
    with pytest.raises(ValueError, match="a judge keeps them"):
        judge.__init__(system("nl-covington"), "dynamic", [0, 2, 0])  # type: ignore[misc]
    assert judge.system.name == "covington"


def test_a_search_needs_its_oracles():
    made, judge = system("arc-eager"), oracle("arc-eager", "dynamic", [0, 2, 0])
    with pytest.raises(TypeError):
        Search.__new__(Search)
    with pytest.raises(TypeError):
        Search(made, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected an oracle of system"):
        Search(made, oracle("covington", "dynamic", [0, 2, 0]))
    with pytest.raises(ValueError, match="expected an oracle of system"):
        Search(made, judge, oracle("arc-eager", "dynamic", [0, 2, 0], single_root=True))
    assert Search(made, judge).loss(judge.start()) == 0


def test_a_search_stops():
    state = system("arc-standard").start(12)
    with pytest.raises(SearchLimit, match="visited 10 configurations"):
        searcher(state.system, [0, *[12] * 11, 0]).loss(state, 10)


# ---- nothing false is taken


@pytest.mark.parametrize(
    "heads",
    [
        [0, 0.5],
        [0, 0.0],
        [0, "0"],
        "00",
        [0, 2, False],
        [None, 0],
        np.array([0.0, 0.0]),
        np.array([False, False]),
    ],
    ids=str,
)
def test_heads_are_whole_numbers(heads: Any):
    judge = oracle("arc-eager", "dynamic", [0, 2, 0])
    for take in (lambda: oracle("arc-eager", "dynamic", heads), lambda: judge.set_gold(heads), lambda: Trees([heads])):
        with pytest.raises((TypeError, ValueError), match=r"heads|head"):
            take()
    assert judge.derivation() == oracle("arc-eager", "dynamic", [0, 2, 0]).derivation()


@pytest.mark.parametrize(
    "heads", [[], [0], [1, 0], [0, 2, 1], [0, 10**8, 0], [0, -1], [0, 3], [0, 10**30], [[0, 0]], 5, None], ids=str
)
def test_heads_are_a_tree(heads: Any):
    for take in (lambda: oracle("arc-swift", "static", heads), lambda: Trees([[0, 0], heads])):
        with pytest.raises((TypeError, ValueError)):
            take()


@pytest.mark.parametrize(
    "heads", [(0, 2, 0), np.array([0, 2, 0]), [0, np.int64(2), np.int8(0)], np.array([0, 2, 0], "u1")]
)
def test_whole_numbers_of_any_kind(heads: Any):
    assert oracle("arc-eager", "dynamic", heads).derivation() == ["shift", "left-arc", "shift", "left-arc"]


def test_a_refused_tree_changes_nothing():
    judge = oracle("covington", "dynamic", [0, 2, 0], gold_labels=[None, "nsubj", "root"])
    before = answers(judge, judge.start())
    for heads, labels in (([0, 1], None), ([0, 2, 0], ["a"]), ([0, 2, 0], [None, 1, "a"]), ([0, 2, 0], "abc")):
        with pytest.raises((TypeError, ValueError)):
            judge.set_gold(heads, labels)
        assert answers(judge, judge.start()) == before


@pytest.mark.parametrize("single_root", [False, True])
@every_oracle
def test_the_label_of_what_is_not_legal(name: str, kind: str, single_root: bool):
    judge = oracle(name, kind, [0, 2, 0], gold_labels=[None, "nsubj", "root"], single_root=single_root)
    state = judge.start()
    for transition in ("left-arc", "left-arc:134217727", "right-arc:2", "reduce", "swap"):
        for ask in (judge.label, judge.cost, judge.apply):
            with pytest.raises(IllegalTransition):
                ask(state, transition)
    with pytest.raises(ValueError, match="expected 2 as in the gold tree"):
        judge.label(judge.system.start(3), "shift")


@every_oracle
def test_the_state_of_others(name: str, kind: str):
    judge = oracle(name, kind, [0, 2, 0])
    for state in (judge.system.start(3), system(name, single_root=True).start(2)):
        for ask in (judge.loss, judge.costs, judge.optimal):
            with pytest.raises(ValueError, match="expected"):
                ask(state)


# ---- one question has one answer


@pytest.mark.parametrize("single_root", [False, True])
@every_oracle
def test_the_same_answer_again(name: str, kind: str, single_root: bool):
    """From a judge that has been asked other things, about other states, by other functions; and from a new judge."""
    rng = Random(f"{name} {kind}")
    gold = random_derivable(name, single_root, 5, rng)
    labels = [None, *rng.choices(LABELS[1:], k=5)]
    judge = oracle(name, kind, gold, gold_labels=labels, single_root=single_root)
    state, found = judge.start(), []
    while not state.is_terminal:
        found.append((state.copy(), answers(judge, state)))
        transition = rng.choice(judge.system.legal(state))
        judge.system.apply(state, transition, label=rng.choice(LABELS))
    found.append((state, answers(judge, state)))
    rng.shuffle(found)
    trees = Trees([random_derivable(name, single_root, n, rng) for n in (3, 5, 9)])
    for k, (state, before) in enumerate(found):
        if k % 3 == 0:
            derive(judge, trees)
            walk(judge, trees)
            judge.derivation()
        judge.cost(state, judge.optimal(state)[0], f"label {k}") if not state.is_terminal else None
        assert answers(judge, state) == before
        fresh = oracle(name, kind, gold, gold_labels=labels, single_root=single_root)
        assert answers(fresh, state) == before
        fresh.set_gold([0, 0])
        fresh.set_gold(gold, labels)
        assert answers(fresh, pickle.loads(pickle.dumps(state))) == before


def test_asking_gives_no_label_a_number():
    judge = oracle("arc-hybrid", "dynamic", [0, 2, 0], gold_labels=[None, "nsubj", "root"])
    state = judge.start()
    judge.apply(state, "shift")
    assert judge.cost(state, "left-arc", "never seen") == 1
    assert judge.system.labels.names == ["nsubj", "root"]


def test_whoever_moves_the_state():
    """A path-dependent judge looks at the past of the state, not at who moved it."""
    gold = [0, 3, 0, 2, 2]
    first, second = (oracle("arc-hybrid-swap", "static-dynamic", gold) for _ in range(2))
    other = oracle("arc-hybrid-swap", "static-dynamic", [0, 0, 1, 2, 3])
    state = first.start()
    for transition in ("shift", "swap", "shift", "shift"):
        other.apply(state, transition)
        assert answers(first, state) == answers(second, state)
    assert answers(other, state) != answers(first, state)
    other.set_gold(gold)
    assert answers(other, state) == answers(first, state)


@every_oracle
def test_an_oracle_travels(name: str, kind: str):
    rng = Random(name)
    gold = random_derivable(name, True, 4, rng)
    judge = oracle(name, kind, gold, gold_labels=[None, "a", "b", None, "c"], single_root=True)
    state = judge.start()
    for _ in range(4):
        judge.apply(state, rng.choice(judge.system.legal(state)), label="a")
    for other in (pickle.loads(pickle.dumps(judge)), copy.deepcopy(judge), copy.copy(judge)):
        assert repr(other) == repr(judge)
        assert answers(other, state) == answers(judge, state)
        assert other.derivation() == judge.derivation()
    other, moved = pickle.loads(pickle.dumps((judge, state)))
    assert moved.system is other.system
    assert answers(other, moved) == answers(judge, state)
    search = pickle.loads(pickle.dumps(searcher(judge.system, gold)))
    assert search.loss(state) == exact_loss(name, state, gold)


def test_a_false_oracle():
    made = system("arc-eager")
    for bad in ((made, "best", [0, 0], None), (made, "dynamic", [0, 9], None), (made, "dynamic", [0, 0], ["a"])):
        with pytest.raises(ValueError, match=r"found|no tree"):
            _remade(*bad)
    with pytest.raises(TypeError):
        _remade(None, "dynamic", [0, 0], None)  # type: ignore[arg-type]


# ---- whole treebanks


@every_oracle
def test_the_judge_keeps_its_tree(name: str, kind: str):
    judge = oracle(name, kind, [0, 2, 0], gold_labels=[None, "nsubj", "root"])
    state = judge.start()
    before = answers(judge, state)
    trees = Trees([[0, 0], [0, 2, 3, 0]])
    derive(judge, trees)
    walk(judge, trees, follow=0.5)
    assert replay(Derivations(judge, trees)) == 4
    assert answers(judge, state) == before


def test_trees_are_sealed():
    heads = np.array([0, 2, 0], dtype=np.intc)
    trees = Trees([heads])
    heads[1] = 10**8
    assert derive(oracle("arc-eager", "static", [0, 0]), trees)[0, 2] == 2
    for array in (trees.heads, trees.offsets, Derivations(oracle("arc-eager", "static", [0, 0]), trees).offsets):
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE|writeable"):
            array[0] = 1
        with pytest.raises(ValueError, match=r"WRITEABLE|writeable"):
            array.flags.writeable = True
    trees.__init__([[0, 0]])  # type: ignore[misc]
    assert trees.heads.tolist() == [0, 2, 0]
    with pytest.raises(TypeError):
        Trees.__new__(Trees)


def test_no_trees():
    judge, none = oracle("arc-eager", "static", [0, 0]), Trees([])
    assert (len(none), none.words, none.longest) == (0, 0, 0)
    assert derive(judge, none).shape == (0, 3)
    assert walk(judge, none) == (0, 0)
    assert replay(Derivations(judge, none)) == 0


def test_the_best_of_some():
    """Gold 2→1, 0→2; 1 and 2 are in focus, and 1 has no head."""
    judge = oracle("covington-nonmonotonic", "upper-monotonic", [0, 2, 0])
    state = judge.start()
    judge.apply(state, "shift")
    assert judge.optimal(state) == judge.optimal(state, among=["shift", "left-arc"]) == ["left-arc"]
    assert set(judge.optimal(state, among=("no-arc", "shift"))) == {"no-arc", "shift"}
    assert judge.optimal(state, among={"right-arc"}) == ["right-arc"]
    for some in ([], ["swap"], ["shift", "reduce"], ["left-arc:1"]):
        with pytest.raises(IllegalTransition, match="expected some that are allowed"):
            judge.optimal(state, among=some)
    static = oracle("covington", "static", [0, 2, 0])
    with pytest.raises(ValueError, match="knows one alone"):
        static.optimal(static.start(), among=["shift"])


def test_a_walk_among_optimal_transitions():
    """On the straight way there is one derivation of a gold tree: a shift a word and an arc a word that is no root."""
    trees = Trees([[0, 3, 0, 2, 3, 1], [0, 2, 0]])
    straight, plain = (oracle("nl-covington-nonmonotonic", kind, [0, 0]) for kind in ("upper-monotonic", "upper"))
    assert {walk(straight, trees, follow=1, seed=seed, optimal=True) for seed in range(20)} == {(7 + 5, 0)}
    assert len({walk(plain, trees, follow=1, seed=seed, optimal=True) for seed in range(20)}) > 1


@pytest.mark.parametrize(("start", "stop"), [(-1, None), (0, 3), (2, 1), (3, None), (0, 2**40), (-(2**70), None)])
def test_a_part_that_is_none(start: int, stop: int | None):
    judge, trees = oracle("arc-eager", "static", [0, 0]), Trees([[0, 0], [0, 2, 0]])
    for run in (derive, walk):
        with pytest.raises(ValueError, match="expected a part of 0 to 2"):
            run(judge, trees, start=start, stop=stop)
        with pytest.raises(TypeError):
            run(judge, trees, start=0.5)  # type: ignore[arg-type]
    assert derive(judge, trees, start=1).tolist() == derive(judge, trees).tolist()[1:]
    with pytest.raises(ValueError, match="expected the same sentences"):
        derive(judge, trees, Trees([[0, 0]]))


def test_only_recorded_derivations_are_replayed():
    judge, trees = oracle("arc-eager", "static", [0, 0]), Trees([[0, 2, 0]])
    with pytest.raises(TypeError):
        replay(np.array([7, 134217727], dtype=np.intc))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        replay(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Derivations.__new__(Derivations)
    recorded = Derivations(judge, trees)
    with pytest.raises(TypeError):
        pickle.dumps(recorded)
    assert replay(recorded) == 2


@pytest.mark.parametrize("name", NAMES)
def test_one_judge_in_many_threads(name: str):
    rng = Random(name)
    judge = oracle(name, oracles(name)[-1], random_derivable(name, True, 6, rng))
    trees = [random_derivable(name, True, n, rng) for n in (4, 5, 6, 7, 2)] + [(0, *range(30))]
    packed, state = Trees(trees * 20), judge.start()
    expected = walk(judge, packed), derive(judge, packed).tolist(), answers(judge, state)

    def work(k: int) -> tuple[Any, ...]:
        return walk(judge, packed), derive(judge, packed).tolist(), answers(judge, state)

    with ThreadPoolExecutor(6) as pool:
        assert all(found == expected for found in pool.map(work, range(24)))
