"""Batches of calls in processes that may die; the call that one dies of is found and made alone once more.

python -m tests.api.batches --examples 100000 --seed 7
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BATCH = 2500
ASLEEP = 120  # seconds without a new call, where no processor time is used either
TRIES = 40  # processes that may be started to find a call


@dataclass(frozen=True)
class Failure:
    """A death, or an error that no call may end in."""

    what: str
    calls: list[list[str]]
    output: str

    def __str__(self) -> str:
        lines = "\n".join(json.dumps(call) for call in self.calls)
        again = "put these lines into FILE; python -m tests.api.worker --calls FILE"
        return f"{self.what}:\n{lines}\n(again: {again})\n{self.output}"


@dataclass
class Outcome:
    examples: int = 0
    raised: int = 0
    slow: list[list[str]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def fuzz(examples: int, seed: int, only: Sequence[str] = ("rearc",), most: int = 20) -> Outcome:
    """So many calls; goes on behind a failure with everything but what failed, until there are too many."""
    outcome = Outcome()
    without: list[str] = []
    while outcome.examples < examples and len(outcome.failures) < most:
        count = min(BATCH, examples - outcome.examples)
        with process("--seed", seed, "--examples", count, "--only", *only, "--without", *without) as run:
            end, records, output = finish(run)
        seed += 1
        calls = [record for record in records if isinstance(record, list)]
        outcome.examples += len(calls)
        for k, record in enumerate(records):
            if isinstance(record, dict) and "wrong" in record:
                last = [r for r in records[:k] if isinstance(r, list)][-1:]
                outcome.failures.append(Failure(record["wrong"], last, ""))
                without.append(target_of(last[0]) if last else "")
        done = records[-1] if records and isinstance(records[-1], dict) and "done" in records[-1] else None
        if done:
            outcome.raised += done["raised"]
            outcome.slow += done["slow"]
        else:
            culprits = reduced(calls) if calls else []
            outcome.failures.append(Failure(end, culprits, output))
            without.append(target_of(culprits[-1]) if culprits else "")
            if not calls:
                break
    return outcome


def reduced(calls: list[list[str]]) -> list[list[str]]:
    """The last call alone if that is enough, or else as few as are needed before it."""
    length = 1
    tries = 0
    while length < len(calls) and not dies(calls[-length:]):
        length *= 2
        tries += 1
    kept = calls[-length:]
    if length == 1:
        return [fewest_steps(kept[0])]
    size = len(kept) // 2
    while size and tries < TRIES:
        k = 0
        while k < len(kept) - 1 and tries < TRIES:
            fewer = kept[:k] + kept[min(k + size, len(kept) - 1) :]
            tries += 1
            if dies(fewer):
                kept = fewer
            else:
                k += size
        size //= 2
    return kept


def fewest_steps(call: list[str]) -> list[str]:
    for k in range(len(call) - 1, 0, -1):
        fewer = call[:k] + call[k + 1 :]
        if dies([fewer]):
            call = fewer
    return call


def dies(calls: list[list[str]]) -> bool:
    with tempfile.NamedTemporaryFile("w", suffix=".calls") as file:
        file.writelines(json.dumps(call) + "\n" for call in calls)
        file.flush()
        with process("--calls", file.name) as run:
            _, records, _ = finish(run)
    return not (records and isinstance(records[-1], dict) and "done" in records[-1])


def target_of(call: list[str]) -> str:
    """The name of what a call calls, where it says so."""
    for step in call:
        if "at('" in step:
            module, _, rest = step.partition("at('")[2].partition("').")
            name = rest
            for stop in "(), ":
                name = name.split(stop)[0]
            return f"{module}.{name}"
    return ""


@contextmanager
def process(*arguments: object) -> Iterator[Any]:
    """A worker in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="rearc-api-") as folder:
        log, errors = Path(folder, "log"), Path(folder, "errors")
        (work := Path(folder, "work")).mkdir()
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        }
        environment |= {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
        command = [sys.executable, "-m", "tests.api.worker", "--log", str(log), *map(str, arguments)]
        with errors.open("wb") as output:
            run = subprocess.Popen(
                command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
            try:
                yield run, log, errors
            finally:
                if run.poll() is None:
                    run.kill()
                    run.wait()


def finish(started: Any) -> tuple[str, list[Any], str]:
    """How it ended, what it wrote down, and the end of what it said."""
    run, log, errors = started
    size, since = -1, time.monotonic()
    while run.poll() is None:
        time.sleep(0.05)
        now = log.stat().st_size if log.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > ASLEEP * float(os.environ.get("REARC_API_PATIENCE", "1")):
            run.kill()
    code = run.wait()
    end = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
    if code == -signal.SIGVTALRM:
        end += " (it did not come back)"
    if code == -signal.SIGKILL:
        end += " (asleep, or out of memory)"
    lines = log.read_text().split("\n")[:-1] if log.exists() else []
    said = errors.read_text(errors="replace").partition("Extension modules:")[0]  # which are many
    said = "\n".join(line for line in said.split("\n") if "hypothesis" not in line)
    return end, [json.loads(line) for line in lines], said[-3000:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=["rearc"], help="modules whose names begin so")
    options = parser.parse_args()
    outcome = fuzz(options.examples, options.seed, options.only)
    for failure in outcome.failures:
        print(failure, end="\n\n")
    for call in outcome.slow:
        print(f"slow: {json.dumps(call)}")
    counts = f"{outcome.raised:,} refused, {len(outcome.slow)} slow, {len(outcome.failures)} failures"
    print(f"{outcome.examples:,} calls, {counts}")
    raise SystemExit(bool(outcome.failures))


if __name__ == "__main__":
    main()
