"""Setups that are outside commands, which read and write CoNLL-U."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

from rearc.experiment.errors import ExperimentError
from rearc.experiment.results import Result
from rearc.experiment.scoring import scored
from rearc.experiment.tasks import Task
from rearc.treebank import read, write


def run_command(task: Task) -> Result:
    """Train it, if it says how, let it parse words and tags without their trees, and score what comes out."""
    files = task["files"]
    gold = list(read(files["gold"]))
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder) / "input.conllu", Path(folder) / "output.conllu"
        write([sentence.replace(heads=None, deprels=None) for sentence in gold], given, format="conllu")
        places = {
            "input": str(given),
            "output": str(out),
            "model": str(Path(folder) / "model"),
            "train": files.get("train", ""),
            "dev": files.get("dev", ""),
            "seed": str(task["seed"]),
            "treebank": task["treebank"],
            "spec": task["folder"],
        }
        if task["train_command"]:
            _run(task["train_command"], places, Path(folder), None, Path(folder) / "training.log")
        begin = time.monotonic()
        takes_file = any("{input}" in word for word in task["command"])
        _run(task["command"], places, Path(folder), None if takes_file else given, out)
        seconds = max(time.monotonic() - begin, 1e-6)
        result = scored(task, gold, str(out))
    words = sum(map(len, gold))
    result["values"] |= {"sentences_per_second": len(gold) / seconds, "words_per_second": words / seconds}
    return result


def _run(command: list[str], places: dict[str, str], folder: Path, given: Path | None, out: Path) -> None:
    """Run a command; its standard output goes to a file unless it writes `{output}` itself."""
    words = [word.format_map(places) for word in command]
    writes = any("{output}" in word for word in command)
    errors = folder / "errors.log"
    with (
        (given or Path(os.devnull)).open("rb") as source,
        (folder / "printed.log" if writes else out).open("wb") as target,
        errors.open("wb") as said,
    ):
        try:
            done = subprocess.run(words, stdin=source, stdout=target, stderr=said, cwd=places["spec"], check=False)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ExperimentError(f"{words[0]}: {reason}; install the command, or give its whole path") from None
    if done.returncode:
        last = errors.read_text(encoding="utf-8", errors="replace").strip().split("\n")[-1]
        raise ExperimentError(f"{words[0]} ended with the exit code {done.returncode}: {last or 'it said nothing'}")
    if not out.exists():
        raise ExperimentError(f"{words[0]} wrote no output, expected CoNLL-U in {{output}} or on standard output")
