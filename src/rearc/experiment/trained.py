"""Setups that are options of `rearc train`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rearc.experiment.errors import ExperimentError
from rearc.experiment.options import options_of
from rearc.experiment.results import Result
from rearc.experiment.scoring import scored
from rearc.experiment.tasks import Task
from rearc.parser import Parser
from rearc.parser.errors import ModelError
from rearc.training.corpus import Corpus, read_corpus
from rearc.training.loop import train_on
from rearc.training.options import Options
from rearc.training.trainer import Epoch
from rearc.training.watcher import Watcher
from rearc.treebank import Sentence, read


class _Curve(Watcher):
    """The learning curve."""

    def __init__(self) -> None:
        self.epochs: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def note(self, message: str) -> None:
        self.notes.append(message)

    def epoch(self, record: Epoch) -> None:
        wrong = 100 * record.mistakes / max(1, record.transitions)
        self.epochs.append({"epoch": record.epoch, "mistakes": wrong, "uas": record.uas, "las": record.las})


def train_and_score(task: Task, checkpoint: Path | None = None) -> Result:
    """Train, parse, score; and what else the task measures. A checkpoint lets a long training go on."""
    files, curve = task["files"], _Curve()
    options = options_of(task)
    train = read_corpus(files["train"])
    dev = read_corpus(files["dev"]) if "dev" in files else None
    long = checkpoint if options.model == "bilstm" else None
    parser = _train(train, dev, options, long, curve)
    gold = list(read(files["gold"]))
    begin = time.process_time()
    parsed = list(parser.parse_many(gold, tags=task["tags"]))
    seconds = time.process_time() - begin
    result = scored(task, gold, parsed)
    header = parser.header
    result["values"] |= _speed(gold, seconds)
    result |= {"system": header.system, "oracle": header.oracle, "epoch": header.epoch, "epochs": header.epochs}
    result |= {"curve": curve.epochs, "notes": curve.notes}
    if task["measure"] == "parse":
        result["values"] |= _measured_apart(parser, task)
    elif task["measure"] == "derivation":
        from rearc.experiment.derivation import derivations

        result["values"] |= derivations(parser, gold, task["tags"])
    if long is not None:
        long.unlink(missing_ok=True)
    return result


def _train(train: Corpus, dev: Corpus | None, options: Options, checkpoint: Path | None, curve: _Curve) -> Parser:
    """Train, from the checkpoint if there is one, or anew if it is of no use, as one of another version of rearc."""
    if checkpoint is not None and checkpoint.exists():
        try:
            return train_on(train, dev, options, checkpoint, True, curve)
        except ModelError:
            checkpoint.unlink()
            curve.epochs.clear()
    return train_on(train, dev, options, checkpoint, False, curve)


def _speed(sentences: list[Sentence], seconds: float) -> dict[str, float | None]:
    if seconds <= 0:  # too fast for the clock
        return {"sentences_per_second": None, "words_per_second": None}
    words = sum(map(len, sentences))
    return {"sentences_per_second": len(sentences) / seconds, "words_per_second": words / seconds}


def _measured_apart(parser: Parser, task: Task) -> dict[str, Any]:
    """Speed and memory of parsing, on one core, in a process that has done nothing but that."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.rearc"
        parser.save(model)
        done = subprocess.run(
            [sys.executable, "-m", "rearc.experiment.speed", str(model), task["files"]["gold"], task["tags"]],
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise ExperimentError(f"measuring the speed failed: {done.stderr.decode(errors='replace').strip()[-200:]}")
        found: dict[str, Any] = json.loads(done.stdout)
        return found | {"model_mb": model.stat().st_size / 1e6}
