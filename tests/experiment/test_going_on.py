"""The verb as a user runs it: stopped, killed and taken up again, with runs that fail."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import command

SLOW = """
import os, sys, time
from pathlib import Path

seed, log = sys.argv[1], Path(sys.argv[2])
with log.open("a") as file:
    file.write(seed + "\\n")
if seed == os.environ.get("STUCK"):
    time.sleep(60)
for line in sys.stdin:
    parts = line.rstrip("\\n").split("\\t")
    if len(parts) == 10 and parts[0].isdecimal():
        parts[6:8] = (str((int(parts[0]) - int(seed)) if int(parts[0]) > int(seed) else 0), "dep")
    print("\\t".join(parts))
"""

SPEC = """
treebanks = "treebanks"
seeds = [1, 2, 3]
rounds = 100
[setups.outside]
command = ["{python}", "{{spec}}/slow.py", "{{seed}}", "{{spec}}/log"]
[setups.trained]
system = "arc-hybrid"
epochs = 1
treebanks = ["one"]
seeds = [1]
"""


@pytest.fixture
def spec(folder: Path) -> Path:
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    (folder / "spec.toml").write_text(SPEC.format(python=sys.executable), encoding="utf-8")
    return folder / "spec.toml"


def experiment(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("experiment", *arguments), capture_output=True, text=True, check=False, timeout=600,
        env=os.environ | environment,
    )  # fmt: skip


def cells(report: Path) -> list[dict[str, object]]:
    return json.loads(report.read_text("utf-8"))["cells"]


def started(log: Path) -> list[str]:
    return log.read_text("utf-8").split() if log.exists() else []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
@pytest.mark.parametrize("number", ["SIGKILL", "SIGINT"])
def test_a_stopped_experiment_goes_on_to_the_same_scores(spec, number):
    process = subprocess.Popen(command("experiment", spec), stderr=subprocess.PIPE, env=os.environ | {"STUCK": "2"})
    for _ in range(3000):  # until a run of the second seed is under way
        if "2" in started(spec.parent / "log"):
            break
        time.sleep(0.1)
    process.send_signal(getattr(signal, number))
    said = process.communicate(timeout=300)[1].decode()
    assert process.returncode == (-9 if number == "SIGKILL" else 130)
    assert number == "SIGKILL" or "stopped; the same command goes on from here" in said
    kept = {file: file.read_bytes() for file in (spec.parent / "results").rglob("*.json")}
    assert len(kept) == 3  # the first seed
    report = spec.parent / "report.json"
    again = experiment(spec, "--report", report)
    assert again.returncode == 0, again.stderr
    assert "already there: 3 runs of 7" in again.stderr
    assert all(file.read_bytes() == content for file, content in kept.items())
    assert sorted(started(spec.parent / "log")) == ["1", "1", "2", "2", "2", "3", "3"]
    if number == "SIGKILL":
        whole = spec.parent / "whole.json"
        done = experiment(spec, "--jobs", 2, "--results", spec.parent / "other", "--report", whole)
        assert done.returncode == 0, done.stderr
        assert cells(report) == cells(whole)
        assert "already there" not in experiment(spec, "--report", report).stderr  # nothing to do


def test_a_failed_run_does_not_end_the_others_and_is_tried_again(spec):
    slow = spec.parent / "slow.py"
    slow.write_text(SLOW.replace("for line", "assert seed != '2', 'not the second'\nfor line", 1), encoding="utf-8")
    report = spec.parent / "report.md"
    done = experiment(spec, "--report", report)
    assert done.returncode == 1
    assert "2 runs failed, such as" in done.stderr
    text = report.read_text("utf-8")
    assert "## Failed runs" in text
    assert "AssertionError: not the second" in text
    assert "- runs: 5 of 7; 2 failed" in text
    slow.write_text(SLOW, encoding="utf-8")
    done = experiment(spec, "--report", report)
    assert done.returncode == 0, done.stderr
    assert "already there: 5 runs of 7" in done.stderr
    assert "Failed" not in report.read_text("utf-8")


def test_a_changed_treebank_is_run_again(spec):
    assert experiment(spec).returncode == 0
    with (spec.parent / "treebanks" / "two" / "test.conllu").open("a", encoding="utf-8") as file:
        file.write("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    done = experiment(spec)
    assert done.returncode == 0, done.stderr
    assert "already there: 4 runs of 7" in done.stderr


def test_jobs_0_reports_what_is_there(spec):
    report = spec.parent / "report.csv"
    done = experiment(spec, "--jobs", 0, "--report", report)
    assert done.returncode == 0, done.stderr
    assert report.read_text("utf-8").count("\n") == 1
    assert not (spec.parent / "log").exists()


def test_mistakes_are_said_before_anything_runs(spec):
    for arguments, said in (
        (("nowhere.toml",), "nowhere.toml: found no such file"),
        ((spec, "--report", "x.doc"), "expected one of .md, .tex, .csv, .html, .json"),
        ((spec, "--report", "no/where.md"), "expected one to write to"),
        ((spec, "--treebanks", "nowhere"), "expected a folder with a folder for each treebank"),
    ):
        done = experiment(*arguments)
        assert done.returncode == 1
        assert done.stderr.startswith("rearc: ")
        assert said in done.stderr
        assert "Traceback" not in done.stderr
    assert not (spec.parent / "log").exists()


def test_a_result_that_is_none_is_named(spec):
    place = spec.parent / "results" / "spec" / "one"
    place.mkdir(parents=True)
    (place / "trained.1.json").write_text("{", encoding="utf-8")
    done = experiment(spec, "--jobs", 0)
    assert done.returncode == 1
    assert "trained.1.json: found no result of a run" in done.stderr
