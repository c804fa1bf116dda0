"""How long reading a treebank takes and how much memory, beside other readers.

    python benchmarks/reading.py FILE.conllu [--runs 3] [--json]

Each reader runs in a fresh process on one core, and keeps all sentences; the best of the runs counts. Time is CPU
time of reading alone, without imports; memory is the peak of the process less what it had before reading.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

READERS = {
    "rearc": "from rearc.treebank import read\ndef run(): return list(read(file))",
    "rearc, heads and deprels": (
        "from rearc.treebank import read\ndef run(): return list(read(file, columns={'heads', 'deprels'}))"
    ),
    "udapi": "from udapi.core.document import Document\ndef run(): return Document(file)",
    "conllu": "import conllu\ndef run():\n    with open(file, encoding='utf-8') as f: return conllu.parse(f.read())",
    "pyconll": "import pyconll\ndef run(): return pyconll.load_from_file(file)",
}

PROGRAM = """
import os, resource, sys, time
file = sys.argv[1]
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
{reader}
def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
before, start = peak(), time.process_time()
kept = run()
print(time.process_time() - start, peak() - before)
sys.stdout.flush()
os._exit(0)
"""


def measure(reader: str, file: str) -> tuple[float, float]:
    program = PROGRAM.replace("{reader}", READERS[reader])
    run = subprocess.run([sys.executable, "-c", program, file], capture_output=True, check=True, text=True)
    seconds, memory = run.stdout.split()
    return float(seconds), float(memory) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Reading a treebank, beside other readers.")
    parser.add_argument("file")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {}
    for reader in READERS:
        runs = [measure(reader, options.file) for _ in range(options.runs)]
        figures[reader] = {"seconds": min(s for s, _ in runs), "megabytes": min(m for _, m in runs)}
    for figure in figures.values():
        figure["time_to_udapi"] = figure["seconds"] / figures["udapi"]["seconds"]
        figure["memory_to_udapi"] = figure["megabytes"] / figures["udapi"]["megabytes"]
    if options.json:
        print(
            json.dumps({"file": options.file, "bytes": Path(options.file).stat().st_size, "readers": figures}, indent=2)
        )
        return
    print(f"{'reader':26} {'seconds':>8} {'MB':>8} {'time/udapi':>11} {'memory/udapi':>13}")
    for reader, f in figures.items():
        row = f"{f['seconds']:8.3f} {f['megabytes']:8.1f} {f['time_to_udapi']:11.3f} {f['memory_to_udapi']:13.3f}"
        print(f"{reader:26} {row}")


if __name__ == "__main__":
    main()
