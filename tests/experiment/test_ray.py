"""Runs over a real Ray of two workers, one of which is killed on the way."""

import json
import sys
from pathlib import Path

import pytest

from tests.experiment.test_going_on import cells, experiment

pytest.importorskip("ray", reason="no Ray here: pip install 'rearc[ray]' to test runs on a cluster")
pytestmark = pytest.mark.ray

# Kills the worker that runs it, once; the next time it parses as a chain.
DEADLY = """
import os, signal, sys
from pathlib import Path

mark = Path(sys.argv[1])
if not mark.exists():
    mark.write_text(str(os.getppid()))
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(1)
for line in sys.stdin:
    parts = line.rstrip("\\n").split("\\t")
    if len(parts) == 10 and parts[0].isdecimal():
        parts[6:8] = str(int(parts[0]) - 1), "dep"
    print("\\t".join(parts))
"""

SPEC = """
treebanks = "treebanks"
seeds = [1]
rounds = 100
[setups.deadly]
command = ["{python}", "{{spec}}/deadly.py", "{{spec}}/mark"]
treebanks = ["one"]
[setups.trained]
system = "arc-hybrid"
epochs = 1
"""


def test_a_killed_worker_costs_nothing_but_time(folder: Path):
    (folder / "deadly.py").write_text(DEADLY, encoding="utf-8")
    spec = folder / "spec.toml"
    spec.write_text(SPEC.format(python=sys.executable), encoding="utf-8")
    done = experiment(spec, "--ray", "--jobs", 2, "--report", folder / "ray.json")
    assert done.returncode == 0, done.stderr
    assert (folder / "mark").read_text().isdecimal()  # a worker has been killed
    assert json.loads((folder / "ray.json").read_text("utf-8"))["facts"]["runs"] == "3 of 3"
    here = experiment(spec, "--results", folder / "here", "--report", folder / "here.json")
    assert here.returncode == 0, here.stderr
    assert cells(folder / "ray.json") == cells(folder / "here.json")


def test_no_cluster_at_the_address(folder: Path):
    done = experiment(folder / "spec.toml", "--ray", "127.0.0.1:1")
    assert done.returncode == 1
    assert "--ray 127.0.0.1:1: found no cluster there" in done.stderr
    assert "Traceback" not in done.stderr
