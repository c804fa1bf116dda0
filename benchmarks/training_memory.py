"""How much memory and time it takes to train perceptron models, and how good they are.

    python benchmarks/training_memory.py TREEBANKS [--python PYTHON …] [--case NAME …] [--epochs 15] [--json]

TREEBANKS is a folder with a folder for each treebank, in which there are train.conllu and dev.conllu. Each case is
trained in a fresh process by the rearc of each PYTHON (that of this script if none is given), one after the other; the
peak is that of the whole process. With several, ratios to the first are printed, so what is to be compared is measured
in one run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TEN = (
    "el_gdt", "en_ewt", "eu_bdt", "fr_sequoia", "it_partut", "nl_lassysmall", "pt_bosque", "sv_talbanken", "tr_imst",
    "zh_gsd",
)  # fmt: skip
HYBRID = ("--system", "arc-hybrid")
# name: treebanks, words to take of all of them together, options
CASES = {
    "en_ewt": (("en_ewt",), 10**9, HYBRID),
    "ten, 213,000 words": (TEN, 213_000, HYBRID),
    "ten, 427,000 words": (TEN, 427_000, HYBRID),
    "grc head+path, 50,000 words": (("grc_agdt",), 50_000, (*HYBRID, "--non-projective", "head+path")),
    "upos and feats of sv": (("sv_talbanken",), 10**9, (*HYBRID, "--tagger")),
}


def blocks(file: Path) -> Iterator[tuple[str, int]]:
    """The sentences of a file, with their numbers of words."""
    for block in file.read_text(encoding="utf-8").split("\n\n"):
        if block.strip():
            yield block + "\n\n", sum(line.split("\t")[0].isdigit() for line in block.split("\n"))


def join(folder: Path, names: tuple[str, ...], part: str, words: int, target: Path) -> None:
    """The first sentences of the treebanks: of each as many words as of the others, if it has them."""
    with target.open("w", encoding="utf-8") as stream:
        for left, name in zip(range(len(names), 0, -1), names, strict=True):
            share = words / left
            for block, size in blocks(folder / name / f"{part}.conllu"):
                if share <= 0:
                    break
                stream.write(block)
                share -= size
                words -= size


def measure(python: str, train: Path, dev: Path, options: list[str]) -> dict[str, float]:
    """One training by the command, with its checkpoints."""
    model, log = train.with_name("model.rearc"), train.with_name("log.json")
    command = [python, "-m", "rearc", "train", train, "--dev", dev, "-o", model, "--log", log, *options]
    run = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    epochs = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "megabytes": usage.ru_maxrss * unit / 1e6,
        "seconds": usage.ru_utime + usage.ru_stime,
        "las": max(epoch["las"] for epoch in epochs),
        "features": epochs[-1]["features"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Memory and time of training.")
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--case", action="append", choices=CASES, default=[])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        train, dev = Path(folder, "train.conllu"), Path(folder, "dev.conllu")
        for case in options.case or CASES:
            names, words, settings = CASES[case]
            join(options.treebanks, names, "train", words, train)
            join(options.treebanks, names, "dev", 30_000, dev)
            rows = figures[case] = []
            for python in options.python or [sys.executable]:
                row = measure(python, train, dev, [*settings, "--epochs", str(options.epochs)])
                rows.append(row)
                if not options.json:
                    ratios = [row[name] / rows[0][name] for name in ("megabytes", "seconds")]
                    print(
                        f"{case:28} {row['features']:9,} features {row['megabytes']:6.0f} MB ({ratios[0]:.2f}) "
                        f"{row['seconds']:6.1f} CPU s ({ratios[1]:.2f}) LAS {row['las']:.2f}",
                        flush=True,
                    )
    if options.json:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
