"""How much memory and time it takes to convert a large file.

    python benchmarks/streaming.py [--megabytes 1000] [--json]

Makes the file from the sample treebank, repeated with other forms and comments each time so that it is not too easy,
in a temporary folder, and converts it in a fresh process. The peak is that of the whole process.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from rearc.treebank import sample

PROGRAM = """
import resource, sys, time
from rearc.treebank import read, write
start = time.perf_counter()
count = write(read(sys.argv[1]), sys.argv[2])
unit = 1 if sys.platform == "darwin" else 1024
print(count, time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6)
"""


def make(file: Path, megabytes: int) -> None:
    """The sample again and again; some of the words are new each time."""
    text = sample().read_text(encoding="utf-8").replace("sample-", "{n}-").replace("\tnight\t", "\tnight{n}\t")
    size = number = 0
    with file.open("wb") as stream:
        while size < megabytes * 1_000_000:
            size += stream.write(text.replace("{n}", str(number)).encode())
            number += 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Converting a large file.")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "large.conllu"), Path(folder, "again.conllu")
        make(source, options.megabytes)
        command = [sys.executable, "-c", PROGRAM, str(source), str(target)]
        run = subprocess.run(command, capture_output=True, check=True, text=True)
        sentences, seconds, peak = run.stdout.split()
        same = subprocess.run(["cmp", "-s", str(source), str(target)], check=False).returncode == 0
        megabytes = source.stat().st_size / 1e6
    figures = {
        "megabytes": megabytes,
        "sentences": int(sentences),
        "seconds": float(seconds),
        "peak_megabytes": float(peak),
        "identical": same,
    }
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print(f"{megabytes:.0f} MB, {sentences} sentences: {float(seconds):.1f} s, peak {float(peak):.0f} MB, ", end="")
        print("byte for byte the same" if same else "NOT THE SAME")


if __name__ == "__main__":
    main()
