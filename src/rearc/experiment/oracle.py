"""What an oracle makes of a treebank: what its system can derive, and how tight its bounds are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.experiment.options import options_of
from rearc.experiment.results import Result
from rearc.experiment.setups import LEARNER
from rearc.experiment.tasks import Task
from rearc.oracles import oracles
from rearc.oracles.bounds import BOUNDS, Bounds, bounds, bounds_along
from rearc.oracles.coverage import coverage
from rearc.systems import State
from rearc.systems.base import transition_names
from rearc.training.corpus import read_corpus
from rearc.training.perceptron import PerceptronTrainer
from rearc.training.plan import plan
from rearc.treebank import read

SEARCHED = 2_000  # configurations at most for one true loss; a learner errs so often that more would take hours


def measure_oracle(task: Task) -> Result:
    """The table of `rearc oracle --coverage`, and of `--bounds` for a system that has bounds."""
    options = task["options"]
    name = options["system"]
    trees = [sentence.tree for sentence in read(task["files"]["train"]) if sentence.has_tree]
    (found,) = coverage(trees, [name], single_root=bool(options.get("single_root", False)))
    values: dict[str, Any] = {
        "derivable_sentences": found.sentences,
        "derivable_arcs": found.arcs,
        "transitions_per_word": found.transitions_per_word,
    }
    if "lower" in oracles(name):
        walked = _walked(task, trees)
        values |= {
            _named(bound): walked.average[bound] for bound in ("lower", "loss", "simulated", "pc-upper", "upper")
        }
        values |= {f"{_named(bound)}_difference": walked.relative[bound] for bound in BOUNDS}
        values |= {"configurations": walked.configurations, "undecided": walked.undecided}
    return {"values": values, "system": name, "oracle": options.get("oracle", "")}


def _walked(task: Task, trees: list[NDArray[np.intc]]) -> Bounds:
    """Along a learner's way, or along a walk at random."""
    system, oracle = task["options"]["system"], task["options"].get("oracle")
    walk = dict(task["walk"])
    if walk.get("follow") == LEARNER:
        return bounds_along(_training(task), system, walk.get("transitions", 100_000), SEARCHED)
    return bounds(trees, system, seed=task["seed"] or 1, **walk, **({"policy": oracle} if oracle else {}))


def _training(task: Task) -> Iterator[tuple[NDArray[np.intc], Callable[[State], str]]]:
    """Each tree in the order of training, and the transitions that the learner takes there, epoch after epoch.

    Only where it explores: before, it is led along optimal ways, on which there is no loss to measure.
    """
    trainer = PerceptronTrainer(
        plan(read_corpus(task["files"]["train"]), None, options_of(task), lambda note: None), None, 1
    )
    train = trainer.train
    after, probability = trainer.header.policy
    for epoch in count():
        for piece in trainer.pieces():
            if epoch < after:
                trainer.learn_piece(piece, 0.0)
                continue
            for number in piece:
                tree = train.heads[train.tree_offsets[number] : train.tree_offsets[number + 1]]
                taken = np.zeros(len(tree) ** 2 + len(tree), dtype=np.intc)  # more than there are pairs and words
                before = trainer.counts["transitions"]
                trainer.learn_piece(np.array([number]), probability, taken)
                names = iter(transition_names(taken[: trainer.counts["transitions"] - before]))
                yield tree, lambda state, names=names: next(names)  # type: ignore[misc]
        trainer.finish_epoch(look=False)


def _named(bound: str) -> str:
    return bound.replace("-", "_")
