"""Runs to be done: all that a run depends on, in a form that travels to other processes and machines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from rearc.experiment.setups import Setup
from rearc.experiment.spec import Spec, Treebank


class Task(TypedDict):
    """One run. Nothing but what JSON can say."""

    treebank: str
    setup: str
    seed: int | None
    measure: str
    options: dict[str, Any]
    command: list[str]
    train_command: list[str]
    walk: dict[str, Any]
    tags: str
    punctuation: str
    subtypes: bool
    words: bool  # keep what is right word by word, for McNemar's test
    folder: str  # of the spec, where commands are run
    files: dict[str, str]  # train, dev, gold, and files that options name
    hashes: dict[str, str]  # of these files
    key: str  # of all that the result depends on
    result: str  # the file to be written
    size: int  # bytes to learn from: how long it will take


def tasks_of(spec: Spec) -> Iterator[Task]:
    """All runs of a spec."""
    sha256 = cache(_sha256)
    for treebank, setup, seed in spec.runs():
        yield _task(spec, treebank, setup, seed, sha256)


def _task(spec: Spec, treebank: Treebank, setup: Setup, seed: int | None, sha256: Callable[[Path], str]) -> Task:
    files = _files(spec, treebank, setup)
    hashes = {name: sha256(file) for name, file in files.items()}
    task: Task = {
        "treebank": treebank.name,
        "setup": setup.name,
        "seed": seed,
        "measure": setup.measure,
        "options": dict(setup.options),
        "command": list(setup.command),
        "train_command": list(setup.train_command),
        "walk": dict(setup.walk),
        "tags": setup.tags,
        "punctuation": spec.punctuation,
        "subtypes": spec.subtypes,
        "words": spec.test == "mcnemar",
        "folder": str(spec.file.parent.absolute()),
        "files": {name: str(file.absolute()) for name, file in files.items()},
        "hashes": hashes,
        "key": "",
        "result": str(spec.results / treebank.name / f"{setup.name}.{0 if seed is None else seed}.json"),
        "size": treebank.size(),
    }
    task["key"] = _key(task)
    return task


def _files(spec: Spec, treebank: Treebank, setup: Setup) -> dict[str, Path]:
    """What a run reads."""
    if setup.measure == "oracle":
        return {"train": treebank.parts["train"]} | dict(setup.files)
    files = {"train": treebank.parts["train"], "gold": treebank.parts[spec.score]}
    if "dev" in treebank.parts and (setup.command or setup.epoch == "best"):
        files["dev"] = treebank.parts["dev"]
    if setup.command and not any(
        "{train}" in word or "{dev}" in word for word in (*setup.command, *setup.train_command)
    ):
        files = {"gold": files["gold"]}
    return files | dict(setup.files)


def _key(task: Task) -> str:
    """The hash of all that the result depends on, but the version of rearc: neither where files are nor their names."""
    options = {name: value for name, value in task["options"].items() if name not in task["hashes"]}
    content = [
        task["seed"], task["measure"], options, task["command"], task["train_command"], task["walk"], task["tags"],
        task["punctuation"], task["subtypes"], task["words"], task["hashes"],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
