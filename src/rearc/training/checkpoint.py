"""Checkpoints: all that a training needs to go on as if nothing had happened."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from rearc.parser.container import read_container, write_container
from rearc.parser.errors import ModelError
from rearc.parser.perceptron import below, under
from rearc.parser.tensors import Tensors, decode_tensors, encode_tensors
from rearc.training.errors import TrainingError
from rearc.training.trainer import Best, Trainer, epoch_from

FORMAT = "rearc checkpoint"
STATE, WEIGHTS = "state.json", "weights.safetensors"
EXPECTED = "a checkpoint of rearc train"
REMEDY = "train from the beginning, without --resume"


def write_checkpoint(file: str | os.PathLike[str], trainer: Trainer) -> None:
    """Write a trainer's state; a checkpoint that is there already stays until the new one is complete."""
    own, tensors = trainer.state()
    best = trainer.best
    if best is not None:
        tensors |= under("best.", best.weights)
    state = {
        "format": FORMAT,
        "settings": settings(trainer),
        "epoch": trainer.epoch,
        "position": trainer.position,
        "counts": trainer.counts,
        "seconds": trainer.seconds,
        "own": own,
        "history": [record.as_dict() for record in trainer.history],
        "best": best and {"epoch": best.epoch, "scores": best.scores},
    }
    write_container(file, {STATE: [json.dumps(state).encode()], WEIGHTS: encode_tensors(tensors)})


def settings(trainer: Trainer) -> dict[str, Any]:
    """What must be the same for a training to go on: all but how long it takes and what comes out."""
    results = ("epochs", "epoch", "scores")
    content = {name: value for name, value in trainer.header.as_dict().items() if name not in results}
    return dict(json.loads(json.dumps(content | trainer.settings())))


def read_checkpoint(file: str | os.PathLike[str], trainer: Trainer) -> None:
    """Bring a new trainer to where the checkpoint was written."""
    name = os.fspath(file)
    members = read_container(name, EXPECTED)
    try:
        state = json.loads(bytes(members[STATE]))
        if state["format"] != FORMAT:
            raise ValueError
        tensors = decode_tensors(members[WEIGHTS])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ModelError(name, "another kind of file", EXPECTED, REMEDY) from None
    _compare(name, state["settings"], settings(trainer))
    try:
        _restore(trainer, state, tensors)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(name, f"a state that cannot be restored ({error})", EXPECTED, REMEDY) from None


def _compare(name: str, before: dict[str, Any], now: dict[str, Any]) -> None:
    other = sorted(key for key in before.keys() | now.keys() if before.get(key) != now.get(key))
    if other:
        raise TrainingError(
            f"{name}: found a training with another {', '.join(other)}, expected the same settings and treebanks; "
            "repeat them, or train without --resume"
        )


def _restore(trainer: Trainer, state: dict[str, Any], tensors: Tensors) -> None:
    trainer.restore(state["own"], tensors)
    trainer.epoch, trainer.position = state["epoch"], state["position"]
    trainer.counts, trainer.seconds = state["counts"], state["seconds"]
    trainer.history = [epoch_from(record) for record in state["history"]]
    if state["best"] is not None:
        trainer.best = Best(state["best"]["epoch"], state["best"]["scores"], below("best.", tensors))


def checkpoint_of(model: str | os.PathLike[str]) -> Path:
    """The file beside a model that keeps the state of its training."""
    return Path(f"{os.fspath(model)}.checkpoint")
