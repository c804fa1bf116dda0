"""Runs spread over a Ray cluster. Ray's own scheduler places them, and starts anew those whose worker died."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rearc.experiment.errors import ExperimentError
from rearc.experiment.local import ONE_CORE
from rearc.experiment.results import Result
from rearc.experiment.run import run
from rearc.experiment.tasks import Task

RETRIES = 5  # of a run whose worker died, not of one that failed by itself
LOCAL = "local"  # an address: a cluster on this machine, for as long as the experiment runs


def run_on_ray(tasks: Sequence[Task], address: str, jobs: int | None) -> Iterator[tuple[Task, Result]]:
    """Do the runs on a cluster and give the results as they come. Treebanks travel with them."""
    try:
        import ray
    except ImportError:
        raise ExperimentError(
            "found no Ray, expected it to spread the runs; install it with pip install 'rearc[ray]'"
        ) from None

    environment: dict[str, Any] = {"env_vars": ONE_CORE}
    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False, "runtime_env": environment}
    if address == LOCAL:
        options |= {"num_cpus": jobs, "include_dashboard": False} if jobs else {"include_dashboard": False}
    try:
        _knock(address)
        ray.init(address, **options)
    except (OSError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ExperimentError(f"--ray {address}: found no cluster there ({reason}), expected one; start it") from None
    try:
        # A worker does one run and ends: the memory that a run reports is its own.
        remote = ray.remote(num_cpus=1, max_calls=1, max_retries=RETRIES)(_with_files)
        stored = {
            name: ray.put(Path(name).read_bytes()) for name in sorted({f for t in tasks for f in t["files"].values()})
        }
        pending: dict[Any, Task] = {}
        for task in tasks:
            names = list(task["files"].values())
            pending[remote.remote(dict(task), names, *(stored[name] for name in names))] = task
        while pending:
            (ready, *_), _ = ray.wait(list(pending), num_returns=1)
            task = pending.pop(ready)
            try:
                yield task, ray.get(ready)
            except (ray.exceptions.RayError, ray.exceptions.RayTaskError) as error:
                yield task, {"error": " ".join(str(error).split())[:300]}
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """OSError at once where nobody answers; Ray would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        with socket.create_connection((host, int(port)), timeout=10):
            pass


def _with_files(task: dict[str, Any], names: list[str], *contents: bytes) -> Result:
    """A run on some machine, with the files that it needs."""
    with tempfile.TemporaryDirectory() as folder:
        places = {}
        for number, (name, content) in enumerate(zip(names, contents, strict=True)):
            place = Path(folder) / str(number) / Path(name).name  # the name says how it is to be read
            place.parent.mkdir()
            place.write_bytes(content)
            places[name] = str(place)
        moved: Any = task | {"files": {part: places[name] for part, name in task["files"].items()}}
        return run(moved)
