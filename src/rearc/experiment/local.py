"""Runs on this machine, some at a time, each in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from rearc.experiment.results import Result
from rearc.experiment.tasks import Task

# One core a run: runs side by side do not disturb one another, and a network learns the same whatever the machine.
ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_here(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Result]]:
    """Do the runs, `jobs` at a time, and give the results as they come. Leaving early ends what is under way."""
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Task, Result] | Exception] = queue.SimpleQueue()
    if jobs < 1:
        raise ValueError(f"found {jobs} jobs, expected at least 1")
    for task in tasks:
        waiting.put(task)
    running: dict[int, subprocess.Popen[bytes]] = {}
    leaving = threading.Event()

    def work(number: int) -> None:
        while not leaving.is_set():
            try:
                task = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((task, _run(task, running, number)))
            except OSError as error:  # no process or folder could be made: one run less
                done.put((task, {"error": str(error)}))
            except Exception as error:  # whoever waits for the results has to know
                done.put(error)
                return

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(min(jobs, len(tasks)))]
    for thread in threads:
        thread.start()
    try:
        for _ in tasks:
            while True:
                try:
                    finished = done.get(timeout=0.5)  # so that Ctrl-C is noticed on every system
                    break
                except queue.Empty:
                    continue
            if isinstance(finished, Exception):
                raise finished
            yield finished
    finally:
        leaving.set()
        for process in list(running.values()):
            process.kill()
        for thread in threads:
            thread.join()


def checkpoint_of(task: Task) -> Path:
    """Where a long training keeps how far it is."""
    file = Path(task["result"])
    return file.with_name(f".{file.stem}-{task['key'][:12]}.checkpoint")


def _run(task: Task, running: dict[int, subprocess.Popen[bytes]], number: int) -> Result:
    checkpoint = checkpoint_of(task)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "rearc.experiment.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | ONE_CORE,
        start_new_session=True,  # Ctrl-C is for the experiment, which ends its runs itself
    )
    running[number] = process
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    said: list[bytes] = []
    listener = threading.Thread(target=lambda: said.append(process.stderr.read()), daemon=True)  # type: ignore[union-attr]
    listener.start()
    try:
        process.stdin.write(json.dumps({**task, "checkpoint": str(checkpoint)}).encode() + b"\n")
        process.stdin.flush()  # and stays open: its end would end the run
        found = process.stdout.read()
        code = process.wait()
    except OSError:
        found, code = b"", process.wait()
    finally:
        listener.join()
        process.stdout.close()
        process.stderr.close()
        with contextlib.suppress(OSError):
            process.stdin.close()
    if code == 0 and found:
        result: Result = json.loads(found)
        return result
    last = b"".join(said).decode(errors="replace").strip().split("\n")[-1]
    return {"error": _ended(code) + (f": {last}" if last else "")}


def _ended(code: int) -> str:
    if code < 0:
        try:
            return f"the run was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"the run was ended by the signal {-code}"
    return f"the run ended with the exit code {code}"
