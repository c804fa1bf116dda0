"""The options of `rearc train` out of a task."""

from __future__ import annotations

from typing import Any

from rearc.experiment.tasks import Task
from rearc.training.options import Options


def options_of(task: Task) -> Options:
    """With its seed; files are named where they are now."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in task["options"].items()
    }
    files = {name: task["files"][name] for name in given if name in task["files"]}
    return Options(**given | files, seed=task["seed"] or 0)
