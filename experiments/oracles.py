"""Every system with every oracle on real treebanks: what dynamic oracles and non-monotonicity are worth.

    python experiments/oracles.py run TREEBANKS            train what is not trained yet; stop and start it at will
    python experiments/oracles.py table                    the Markdown tables of docs/oracles.md

Each run (treebank, system, oracle, seed) leaves a JSON file in experiments/results with its dev scores and, for the
significance tests, the right heads and right labelled heads of each dev sentence.
"""

import argparse
import base64
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from rearc.evaluation.significance import approximate_randomisation
from rearc.oracles import oracles
from rearc.systems import systems
from rearc.training import Options
from rearc.training.corpus import Corpus, read_corpus
from rearc.training.train import train_on

RESULTS = Path(__file__).parent / "results"
ALL = ("eu_bdt", "grc_agdt", "nl_lassysmall")  # more than a quarter of the sentences are non-projective
SOME = ("en_ewt", "pt_bosque")
EPOCHS = 10
SEEDS = (1, 2, 3)

Run = tuple[str, str, str, int]  # treebank, system, oracle, seed


def runs() -> Iterator[Run]:
    """All runs, the first seed of everything before the second of anything."""
    for seed in SEEDS:
        for treebank in ALL + SOME:
            for system in systems():
                if treebank in ALL or "covington" in system or system == "arc-hybrid-swap":
                    for oracle in oracles(system):
                        yield treebank, system, oracle, seed


def result_file(run: Run) -> Path:
    return RESULTS / "{}-{}-{}-{}.json".format(*run)


def train(run: Run, corpora: dict[str, tuple[Corpus, Corpus]], folder: Path) -> dict[str, Any]:
    treebank, system, oracle, seed = run
    if treebank not in corpora:
        corpora.clear()
        corpora[treebank] = tuple(read_corpus(folder / treebank / f"{part}.conllu") for part in ("train", "dev"))  # type: ignore[assignment]
    learn, dev = corpora[treebank]
    begin = time.process_time()
    parser = train_on(learn, dev, Options(system=system, oracle=oracle, seed=seed, epochs=EPOCHS))
    seconds = time.process_time() - begin
    heads, labelled = [], []
    for gold, parsed in zip(dev.sentences, parser.parse_many(dev.sentences, tags="given"), strict=True):
        right = [a == b for a, b in zip(gold.heads, parsed.heads, strict=True)]
        heads.append(sum(right))
        labelled.append(sum(r and a == b for r, a, b in zip(right, gold.deprels, parsed.deprels, strict=True)))
    words = sum(map(len, dev.sentences))
    return {
        "treebank": treebank,
        "system": system,
        "oracle": oracle,
        "seed": seed,
        "epochs": EPOCHS,
        "epoch": parser.header.epoch,
        "uas": 100 * sum(heads) / words,
        "las": 100 * sum(labelled) / words,
        "cpu_seconds": round(seconds, 1),
        "right_heads": pack(heads),
        "right_labelled": pack(labelled),
    }


def pack(counts: list[int]) -> str:
    return base64.b64encode(np.array(counts, dtype="<u2").tobytes()).decode()


def unpack(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<u2").astype(np.int64)


def run_all(folder: Path, part: int, parts: int) -> None:
    RESULTS.mkdir(exist_ok=True)
    corpora: dict[str, tuple[Corpus, Corpus]] = {}
    wanted = [
        run
        for k, run in enumerate(sorted(runs(), key=lambda r: ("nl-" in r[1], r[0] in SOME, r[3], r[0])))
        if k % parts == part
    ]
    for number, run in enumerate(wanted, 1):
        file = result_file(run)
        if file.exists():
            continue
        result = train(run, corpora, folder)
        half = file.with_suffix(".part")
        half.write_text(json.dumps(result) + "\n", encoding="utf-8")
        half.replace(file)
        print(
            f"{number}/{len(wanted)} {run} UAS {result['uas']:.2f} LAS {result['las']:.2f}", file=sys.stderr, flush=True
        )


def load() -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for file in sorted(RESULTS.glob("*.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        found.setdefault((result["treebank"], result["system"], result["oracle"]), []).append(result)
    return found


def spread(results: list[dict[str, Any]], metric: str) -> str:
    values = [result[metric] for result in results]
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def p_value(a: list[dict[str, Any]], b: list[dict[str, Any]], metric: str) -> float:
    """Yeh's test over the sentences of all seeds that both have."""
    both = sorted({r["seed"] for r in a} & {r["seed"] for r in b})
    first, second = (
        np.concatenate([unpack(next(r for r in results if r["seed"] == seed)[metric]) for seed in both])
        for results in (a, b)
    )
    return approximate_randomisation(first, second)


# what is set against what: (system, oracle) is better than (system, oracle)?
QUESTIONS = {
    "dynamic over static": [
        (("covington", "dynamic"), ("covington", "static")),
        (("nl-covington", "dynamic"), ("nl-covington", "static")),
        (("arc-hybrid", "dynamic"), ("arc-hybrid", "static")),
        (("arc-hybrid-swap", "static-dynamic"), ("arc-hybrid-swap", "static")),
        (("arc-eager", "dynamic"), ("arc-eager", "static")),
        (("arc-eager-tree", "dynamic"), ("arc-eager-tree", "static")),
        (("arc-swift", "dynamic"), ("arc-swift", "static")),
    ],
    "non-monotonic over monotonic": [
        *((("covington-nonmonotonic", bound), ("covington", "dynamic")) for bound in oracles("covington-nonmonotonic")),
        *(
            (("nl-covington-nonmonotonic", bound), ("nl-covington", "dynamic"))
            for bound in oracles("covington-nonmonotonic")
        ),
        (("arc-eager-nonmonotonic", "dynamic"), ("arc-eager", "dynamic")),
        (("arc-eager-unshift", "dynamic"), ("arc-eager-tree", "dynamic")),
    ],
}


def table() -> None:
    found = load()
    for treebank in ALL + SOME:
        rows = [
            (system, oracle)
            for system in systems()
            for oracle in oracles(system)
            if (treebank, system, oracle) in found
        ]
        if not rows:
            continue
        print(f"### {treebank}, dev\n")
        print("| system | oracle | UAS | LAS | seeds | CPU s |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for system, oracle in rows:
            results = found[treebank, system, oracle]
            seconds = mean(result["cpu_seconds"] for result in results)
            scores = f"{spread(results, 'uas')} | {spread(results, 'las')}"
            print(f"| {system} | {oracle} | {scores} | {len(results)} | {seconds:.0f} |")
        print()
    for question, pairs in QUESTIONS.items():
        print(f"### {question}\n")
        print(
            "Difference of the means in points, and p by approximate randomisation over the sentences of all seeds.\n"
        )
        print("| | treebank | UAS | p | LAS | p |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for a, b in pairs:
            for treebank in ALL + SOME:
                if (treebank, *a) in found and (treebank, *b) in found:
                    first, second = found[treebank, *a], found[treebank, *b]
                    cells = []
                    for metric, counts in (("uas", "right_heads"), ("las", "right_labelled")):
                        difference = mean(r[metric] for r in first) - mean(r[metric] for r in second)
                        cells += [f"{difference:+.2f}", f"{p_value(first, second, counts):.4f}"]
                    print(f"| {' '.join(a)} − {' '.join(b)} | {treebank} | {' | '.join(cells)} |")
        print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "table"))
    parser.add_argument("treebanks", nargs="?", type=Path, help="folder with a folder for each treebank")
    parser.add_argument("--part", default="0/1", help="K/N: only the runs K, K+N, … for N processes side by side")
    args = parser.parse_args()
    if args.what == "table":
        table()
    elif args.treebanks is None:
        parser.error("run needs the folder of treebanks")
    else:
        part, parts = map(int, args.part.split("/"))
        run_all(args.treebanks, part, parts)


if __name__ == "__main__":
    main()
