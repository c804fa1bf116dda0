"""The transitions that a learner takes, as it tells of them."""

import numpy as np
import pytest

from rearc.oracles import oracle
from rearc.systems import system
from rearc.systems.base import transition_names
from rearc.training.corpus import read_corpus
from rearc.training.options import Options
from rearc.training.perceptron import PerceptronTrainer
from rearc.training.plan import plan
from rearc.treebank import sample

SETUPS = [
    ("arc-hybrid", "dynamic"),
    ("arc-hybrid", "static"),
    ("arc-eager-unshift", "dynamic"),
    ("arc-swift", "dynamic"),
    ("covington-nonmonotonic", "upper"),
    ("nl-covington", "dynamic"),
]


def trainer_of(name: str, oracle_name: str) -> PerceptronTrainer:
    corpus = read_corpus(sample())
    options = Options(system=name, oracle=oracle_name, only="parser")
    return PerceptronTrainer(plan(corpus, None, options, lambda note: None), None, 1)


@pytest.mark.parametrize(
    ("name", "oracle_name", "explore"),
    [(*setup, explore) for setup in SETUPS for explore in (0.0, 1.0) if not (setup[1] == "static" and explore)],
)
def test_they_lead_through_each_sentence(name: str, oracle_name: str, explore: float):
    """Legal from the first to the last, as many as the learner counts; optimal ones alone where it does not explore."""
    trainer = trainer_of(name, oracle_name)
    made, strayed = system(name, single_root=trainer.header.single_root), 0
    train = trainer.train
    for number in range(trainer.sentences):
        tree = train.heads[train.tree_offsets[number] : train.tree_offsets[number + 1]]
        judge = oracle(name, oracle_name, tree, single_root=trainer.header.single_root)
        taken = np.full(5000, -1, dtype=np.intc)
        before = trainer.counts["transitions"]
        trainer.learn_piece(np.array([number]), explore, taken)
        count = trainer.counts["transitions"] - before
        assert (taken[count:] == -1).all()
        state = made.start(len(tree) - 1)
        for transition in transition_names(taken[:count]):
            assert transition in made.legal(state)
            strayed += transition not in judge.optimal(state)
            made.apply(state, transition)
        assert state.is_terminal
    assert (strayed > 0) == (explore > 0)


def test_a_short_list_gets_the_first_ones():
    """And learning goes on as without it."""
    long, short, none = (trainer_of("covington", "dynamic") for _ in range(3))
    both = np.array([0, 1])
    all_taken, first = np.zeros(1000, dtype=np.intc), np.zeros(7, dtype=np.intc)
    long.learn_piece(both, 1.0, all_taken)
    short.learn_piece(both, 1.0, first)
    none.learn_piece(both, 1.0)
    assert list(first) == list(all_taken[:7])
    assert long.counts == short.counts == none.counts
    short.learner.epoch(
        short.judge, short.train.values, short.train.offsets, short.train.heads, short.train.labels,
        short.train.tree_offsets, both, 1.0, taken=np.zeros(0, dtype=np.intc),
    )  # fmt: skip


@pytest.mark.parametrize("taken", [np.zeros(5), np.zeros((2, 2), dtype=np.intc), "x", np.zeros(6, dtype=np.intc)[::2]])
def test_what_is_no_list_of_numbers(taken):
    with pytest.raises((TypeError, ValueError)):
        trainer_of("covington", "dynamic").learn_piece(np.array([0]), 1.0, taken)
