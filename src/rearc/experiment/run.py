"""Doing a run: from a task to its result."""

from __future__ import annotations

import platform
import time
from pathlib import Path

from rearc.errors import RearcError
from rearc.experiment.results import Result
from rearc.experiment.tasks import Task


def run(task: Task, checkpoint: Path | None = None) -> Result:
    """The result of a task; what goes wrong is a result too."""
    begin, cpu = time.monotonic(), _cpu_seconds()
    try:
        result = _measure(task, checkpoint)
    except RearcError as error:
        result = {"error": " ".join(str(error).split("\n"))}
    except Exception as error:  # whatever it is, the other runs go on
        result = {"error": f"{type(error).__name__}: {' '.join(str(error).split())}"}
    result["seconds"] = round(time.monotonic() - begin, 2)
    result["cpu_seconds"] = round(_cpu_seconds() - cpu, 2)
    result["memory_mb"] = memory_mb()
    result["versions"] = versions()
    return result


def _measure(task: Task, checkpoint: Path | None) -> Result:
    if task["measure"] == "oracle":
        from rearc.experiment.oracle import measure_oracle

        return measure_oracle(task)
    if task["command"]:
        from rearc.experiment.command import run_command

        return run_command(task)
    from rearc.experiment.trained import train_and_score

    return train_and_score(task, checkpoint)


def versions() -> dict[str, str]:
    """Of what a result may depend on."""
    import sys

    import numpy

    from rearc.version import __version__

    found = {"rearc": __version__, "python": platform.python_version(), "numpy": numpy.__version__}
    if "torch" in sys.modules:
        found["torch"] = str(sys.modules["torch"].__version__)
    return found | {"machine": platform.machine(), "system": platform.system()}


def _cpu_seconds() -> float:
    """Of this process and of commands that it has waited for."""
    import os

    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def memory_mb() -> float | None:
    """The most that this process had at a time."""
    try:
        import resource
    except ImportError:  # on Windows
        return None
    most: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1e6 if platform.system() == "Darwin" else 1e3), 1)
