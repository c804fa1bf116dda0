"""What all experiments share: runs that leave a JSON file each, so that one can stop and start them at will."""

import argparse
import base64
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from rearc.evaluation.significance import approximate_randomisation
from rearc.parser import Parser
from rearc.training.corpus import Corpus, read_corpus
from rearc.treebank import Sentence

Result = dict[str, Any]


class Command(argparse.ArgumentParser):
    """An experiment's command line: `run TREEBANKS`, `table`, and what else it can do with treebanks."""

    def __init__(self, doc: str | None, *others: str) -> None:
        super().__init__(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument("what", choices=("run", "table", *others))
        self.add_argument("treebanks", nargs="?", type=Path, help="folder with a folder for each treebank")

    def add_part(self) -> None:
        """For N processes side by side."""
        self.add_argument("--part", default="0/1", type=_part, help="K/N: only the runs K, K+N, …")

    def arguments(self) -> argparse.Namespace:
        args = self.parse_args()
        if args.what != "table" and args.treebanks is None:
            self.error(f"{args.what} needs the folder of treebanks")
        return args


def _part(text: str) -> slice:
    part, parts = map(int, text.split("/"))
    return slice(part, None, parts)


class Treebanks:
    """Train and dev of one treebank at a time: the next one takes the place of the last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._name = ""
        self._parts: tuple[Corpus, Corpus] | None = None

    def __getitem__(self, name: str) -> tuple[Corpus, Corpus]:
        if self._parts is None or name != self._name:
            train, dev = (read_corpus(self.folder / name / f"{part}.conllu") for part in ("train", "dev"))
            self._name, self._parts = name, (train, dev)
        return self._parts


def run_all(wanted: Iterable[tuple[Path, Callable[[], Result]]]) -> None:
    """Do what has left no file yet; a file is there only when its run is done."""
    todo = [(file, run) for file, run in wanted if not file.exists()]
    for number, (file, run) in enumerate(todo, 1):
        if file.exists():  # by another process in the meantime
            continue
        begin = time.process_time()
        result = run()
        result["cpu_seconds"] = round(time.process_time() - begin, 1)
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".part")
        half.write_text(json.dumps(result) + "\n", encoding="utf-8")
        half.replace(file)
        scores = f"UAS {result['uas']:.2f} LAS {result['las']:.2f}"
        print(f"{number}/{len(todo)} {file.stem} {scores}", file=sys.stderr, flush=True)


def score(parser: Parser, gold: list[Sentence]) -> Result:
    """UAS, LAS and, for significance tests, the right heads and right labelled heads of each sentence."""
    heads, labelled = [], []
    for sentence, parsed in zip(gold, parser.parse_many(gold, tags="given"), strict=True):
        right = [a == b for a, b in zip(sentence.heads, parsed.heads, strict=True)]
        heads.append(sum(right))
        labelled.append(sum(r and a == b for r, a, b in zip(right, sentence.deprels, parsed.deprels, strict=True)))
    words = sum(map(len, gold))
    return {
        "epoch": parser.header.epoch,
        "uas": 100 * sum(heads) / words,
        "las": 100 * sum(labelled) / words,
        "right_heads": _pack(heads),
        "right_labelled": _pack(labelled),
    }


def _pack(counts: list[int]) -> str:
    return base64.b64encode(np.array(counts, dtype="<u2").tobytes()).decode()


def unpack(text: str) -> np.ndarray:
    """The counts of right words, a number a sentence."""
    return np.frombuffer(base64.b64decode(text), dtype="<u2").astype(np.int64)


def load(folder: Path) -> list[Result]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]


def spread(results: list[Result], metric: str) -> str:
    """Mean and standard deviation."""
    values = [result[metric] for result in results]
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def compared(first: list[Result], second: list[Result]) -> list[str]:
    """UAS and LAS: how much more the first have, and p by Yeh's test over the sentences.

    A sentence counts once, with its right words under all seeds that both have: seeds do not make more sentences.
    """
    cells = []
    both = sorted({r["seed"] for r in first} & {r["seed"] for r in second})
    for metric, counts in (("uas", "right_heads"), ("las", "right_labelled")):
        a, b = (
            np.sum([unpack(next(r for r in results if r["seed"] == seed)[counts]) for seed in both], axis=0)
            for results in (first, second)
        )
        difference = mean(r[metric] for r in first) - mean(r[metric] for r in second)
        cells += [f"{difference:+.2f}", f"{approximate_randomisation(a, b):.4f}"]
    return cells
