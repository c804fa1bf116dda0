"""`python -m rearc.experiment.worker`: one run in a process of its own, so that its memory and its crash are its own.

It reads the task on standard input and writes the result to standard output. It ends when its standard input does: so
it never outlives the experiment, however that is ended.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path


def main() -> None:
    """Do the run that is given."""
    task = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints is no part of the result
    from rearc.experiment.run import run

    result = run(task, Path(task["checkpoint"]))
    out.write(json.dumps(result))
    out.flush()
    os._exit(0)  # nobody waits for the thread, nor for what libraries do at the end


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
