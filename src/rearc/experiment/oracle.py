"""What an oracle makes of a treebank, without training: what its system can derive, and how tight its bounds are."""

from __future__ import annotations

from typing import Any

from rearc.experiment.results import Result
from rearc.experiment.tasks import Task
from rearc.oracles import oracles
from rearc.oracles.bounds import BOUNDS, bounds
from rearc.oracles.coverage import coverage
from rearc.treebank import read


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
        walked = bounds(trees, name, seed=task["seed"] or 1, **_walk(task))
        values |= {
            _named(bound): walked.average[bound] for bound in ("lower", "loss", "simulated", "pc-upper", "upper")
        }
        values |= {f"{_named(bound)}_difference": walked.relative[bound] for bound in BOUNDS}
        values |= {"configurations": walked.configurations, "undecided": walked.undecided}
    return {"values": values, "system": name, "oracle": options.get("oracle", "")}


def _walk(task: Task) -> dict[str, Any]:
    oracle = task["options"].get("oracle")
    return dict(task["walk"]) | ({"policy": oracle} if oracle else {})


def _named(bound: str) -> str:
    return bound.replace("-", "_")
