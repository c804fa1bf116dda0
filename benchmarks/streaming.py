"""How much memory and time it takes to convert a large file, or to parse a large text.

    python benchmarks/streaming.py [--megabytes 1000] [--text MODEL] [--json]

Makes the file from the sample treebank, repeated with other forms and comments each time so that it is not too easy,
in a temporary folder, and runs `rearc convert` over it in a fresh process. With --text it is the running text, which
`rearc parse` splits, tags and parses; what `rearc convert` then makes of the result should be the text again, byte for
byte. The peak is that of the whole process.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rearc.treebank import read, sample


def make(file: Path, megabytes: int, treebank: bool) -> None:
    """The sample again and again; some of the words are new each time."""
    if treebank:
        text = sample().read_text(encoding="utf-8").replace("sample-", "{n}-").replace("\tnight\t", "\tnight{n}\t")
    else:
        text = " ".join(s.text for s in read(sample())).replace("night", "night{n}") + "\n\n"
    size = number = 0
    with file.open("wb") as stream:
        while size < megabytes * 1_000_000:
            size += stream.write(text.replace("{n}", str(number)).encode())
            number += 1


def run(*arguments: str) -> tuple[float, float]:
    """The seconds of a command, and the peak of its memory in MB. It must be the largest so far."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "rearc", *arguments], check=True)
    unit = 1 if sys.platform == "darwin" else 1024
    return time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--text", metavar="MODEL", help="parse raw text with this model")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        end = "txt" if options.text else "conllu"
        source, parsed, again = (Path(folder, name) for name in (f"large.{end}", "parsed.conllu", f"again.{end}"))
        make(source, options.megabytes, not options.text)
        if options.text:
            seconds, peak = run("parse", str(source), "-m", options.text, "-o", str(parsed))
            run("convert", str(parsed), str(again))
        else:
            seconds, peak = run("convert", str(source), str(again))
        same = subprocess.run(["cmp", "-s", str(source), str(again)], check=False).returncode == 0
        megabytes = source.stat().st_size / 1e6
    figures = {"megabytes": megabytes, "seconds": seconds, "peak_megabytes": peak, "identical": same}
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        same_or_not = "byte for byte the same" if same else "NOT THE SAME"
        print(f"{megabytes:.0f} MB: {seconds:.1f} s, peak {peak:.0f} MB, {same_or_not}")


if __name__ == "__main__":
    main()
