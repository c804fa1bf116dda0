"""Checkpoints: all that a training needs to go on as if nothing had happened.

Before the first epoch there are trials alone to keep: their results, not their weights.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path
from typing import Any

from rearc.files.tensors import Tensors, decode_tensors, encode_tensors
from rearc.parser.container import read_container, write_container
from rearc.parser.errors import ModelError
from rearc.parser.header import Trial, decode_trials, refuse_constant
from rearc.parser.perceptron import below, under
from rearc.training.corpus import Corpus
from rearc.training.errors import TrainingError
from rearc.training.options import Options
from rearc.training.trainer import Best, Trainer, epoch_from
from rearc.version import __version__

FORMAT = "rearc checkpoint"
STATE, WEIGHTS = "state.json", "weights.safetensors"
EXPECTED = "a checkpoint of rearc train"
REMEDY = "train from the beginning, without --resume"
MOST = (1 << 63) - 1
_FALSE = (KeyError, TypeError, ValueError, OverflowError, IndexError, AttributeError, RuntimeError)  # PyTorch's too


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
    alone = {"alone": [trainer.plan.own, trainer.plan.alone]} if trainer.plan.alone else {}
    return dict(json.loads(json.dumps(content | alone | trainer.settings())))


def write_trials(file: str | os.PathLike[str], about: dict[str, Any], trials: Sequence[Trial]) -> None:
    """Write the trials that have been made. about: what they were made of, as by `trial_settings`."""
    state = {"format": FORMAT, "settings": about, "trials": [asdict(trial) for trial in trials]}
    write_container(file, {STATE: [json.dumps(state).encode()]})


def trial_settings(corpus: Corpus, dev: Corpus | None, options: Options) -> dict[str, Any]:
    """What must be the same for trials to go on."""
    content = {"rearc": __version__, "train": asdict(corpus.about), "dev": asdict(dev.about) if dev else None}
    return dict(json.loads(json.dumps(content | vars(options))))


def read_trials(file: str | os.PathLike[str], about: dict[str, Any]) -> tuple[tuple[Trial, ...], bool]:
    """The trials that a checkpoint keeps, and whether they were all."""
    name = os.fspath(file)
    state, _ = _read(name)
    complete = "trials" not in state
    if not complete:
        _compare(name, state["settings"], about)
    try:
        trials = decode_trials(state["settings"]["trials"] if complete else state["trials"])
    except (KeyError, ValueError):
        raise ModelError(name, "trials that cannot be read", EXPECTED, REMEDY) from None
    if complete and not trials:
        raise TrainingError(
            f"{name}: found a training without trials of systems, expected the same settings; repeat them "
            "(--system, or --quick), or train without --resume"
        )
    return trials, complete


def _read(name: str) -> tuple[dict[str, Any], Tensors]:
    members = read_container(name, EXPECTED)
    try:
        state = json.loads(bytes(members[STATE]), parse_constant=refuse_constant)
        if state["format"] != FORMAT or not isinstance(state["settings"], dict):
            raise ValueError
        return state, {} if "trials" in state else decode_tensors(members[WEIGHTS])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ModelError(name, "another kind of file", EXPECTED, REMEDY) from None


def read_checkpoint(file: str | os.PathLike[str], trainer: Trainer) -> bool:
    """Bring a new trainer to where the checkpoint was written; False where that was before the first epoch."""
    name = os.fspath(file)
    state, tensors = _read(name)
    if "trials" in state and trainer.header.trials:  # which were compared when they were read
        return False
    _compare(name, state["settings"], settings(trainer))
    try:
        _restore(trainer, state, tensors)
    except _FALSE as error:
        found = " ".join(str(error).split())[:200]
        raise ModelError(name, f"a state that cannot be restored ({found})", EXPECTED, REMEDY) from None
    return True


def _compare(name: str, before: dict[str, Any], now: dict[str, Any]) -> None:
    other = sorted(key for key in before.keys() | now.keys() if before.get(key) != now.get(key))
    if other:
        raise TrainingError(
            f"{name}: found a training with another {', '.join(other)}, expected the same settings and treebanks; "
            "repeat them, or train without --resume"
        )


def _restore(trainer: Trainer, state: dict[str, Any], tensors: Tensors) -> None:
    history = [epoch_from(record) for record in state["history"]]
    epochs = [_whole("epoch", record.epoch) for record in history]
    if epochs != list(range(1, len(history) + 1)) or _whole("epoch", state["epoch"]) != len(history):
        raise ValueError(f"epoch {str(state['epoch'])[:40]} behind a history of {len(history)}")
    if state["counts"].keys() != trainer.counts.keys():
        raise ValueError(f"counts of {', '.join(map(str, state['counts']))[:40]}")
    counts = {name: _number(name, count, MOST) for name, count in state["counts"].items()}
    trainer.restore(state["own"], tensors)
    trainer.epoch, trainer.position = len(history), _whole("position", state["position"])
    ends = accumulate((len(piece) for piece in trainer.pieces_now()), initial=0)
    if trainer.position not in ends or (trainer.position and trainer.position == trainer.sentences):
        raise ValueError(f"position {trainer.position:,} of {trainer.sentences:,} sentences")
    trainer.counts, trainer.seconds = counts, float(_number("seconds", state["seconds"], MOST))
    trainer.history = history
    if state["best"] is None:
        if history:
            raise ValueError("no best epoch")
        return
    scores = {name: _number(name, score, 100) for name, score in state["best"]["scores"].items()}
    if scores.keys() != ({"uas", "las"} if trainer.dev else set()):
        raise ValueError(f"scores of {', '.join(scores)[:40] or 'nothing'}")
    if not 1 <= _whole("epoch", state["best"]["epoch"]) <= len(history):
        raise ValueError(f"epoch {str(state['best']['epoch'])[:40]} as the best of {len(history)}")
    trainer.best = Best(state["best"]["epoch"], scores, below("best.", tensors))
    trainer.parser()  # which looks at the weights


def _whole(name: str, value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{name} = {str(value)[:40]}")
    return int(_number(name, value, MOST))


def _number(name: str, value: Any, most: int) -> Any:
    if type(value) not in (int, float) or not 0 <= value <= most:
        raise ValueError(f"{name} = {str(value)[:40]}")
    return value


def checkpoint_of(model: str | os.PathLike[str]) -> Path:
    """The file beside a model that keeps the state of its training."""
    return Path(f"{os.fspath(model)}.checkpoint")
