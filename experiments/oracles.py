"""Every system with every oracle on real treebanks: what dynamic oracles and non-monotonicity are worth.

    python experiments/oracles.py run TREEBANKS            train what is not trained yet; stop and start it at will
    python experiments/oracles.py table                    the Markdown tables of docs/oracles.md
    python experiments/oracles.py lengths TREEBANKS        non-monotonic against monotonic, by length of sentence

Each run (treebank, system, oracle, seed) leaves a JSON file in experiments/results with its dev scores and, for the
significance tests, the right heads and right labelled heads of each dev sentence.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean

import numpy as np
from runs import Command, Result, Treebanks, compared, load, run_all, score, spread, unpack

from rearc.oracles import oracles
from rearc.systems import systems
from rearc.training import Options
from rearc.training.loop import train_on
from rearc.treebank import read

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


def train(run: Run, treebanks: Treebanks) -> Result:
    treebank, system, oracle, seed = run
    learn, dev = treebanks[treebank]
    parser = train_on(learn, dev, Options(system=system, oracle=oracle, seed=seed, epochs=EPOCHS))
    about = {"treebank": treebank, "system": system, "oracle": oracle, "seed": seed, "epochs": EPOCHS}
    return about | score(parser, dev.sentences)


def train_all(folder: Path, part: slice) -> None:
    treebanks = Treebanks(folder)
    order = sorted(runs(), key=lambda run: ("nl-" in run[1], run[0] in SOME, run[3], run[0]))
    run_all((result_file(run), partial(train, run, treebanks)) for run in order[part])


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
    found: dict[tuple[str, str, str], list[Result]] = {}
    for result in load(RESULTS):
        found.setdefault((result["treebank"], result["system"], result["oracle"]), []).append(result)
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
        print("Difference of the means in points, and p by approximate randomisation over sentences.\n")
        print("| | treebank | UAS | p | LAS | p |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for a, b in pairs:
            for treebank in ALL + SOME:
                if (treebank, *a) in found and (treebank, *b) in found:
                    cells = compared(found[treebank, *a], found[treebank, *b])
                    print(f"| {' '.join(a)} − {' '.join(b)} | {treebank} | {' | '.join(cells)} |")
        print()


def lengths(folder: Path) -> None:
    """Where non-monotonic parsers gain and lose: difference in UAS, mean of the seeds."""
    found: dict[tuple[str, str, str], list[np.ndarray]] = {}
    for result in load(RESULTS):
        counts = unpack(result["right_heads"])
        found.setdefault((result["treebank"], result["system"], result["oracle"]), []).append(counts)
    bins = [(1, 9), (10, 19), (20, 29), (30, 10_000)]
    print("| | treebank | " + " | ".join(f"{a}–{b}" if b < 1000 else f"≥ {a}" for a, b in bins) + " | all |")
    print("| --- | --- |" + " ---: |" * (len(bins) + 1))
    for a, b in [
        (("covington-nonmonotonic", "upper"), ("covington", "dynamic")),
        (("nl-covington-nonmonotonic", "upper"), ("nl-covington", "dynamic")),
    ]:
        for treebank in ALL + SOME:
            if (treebank, *a) not in found or (treebank, *b) not in found:
                continue
            more = np.mean(found[treebank, *a], axis=0) - np.mean(found[treebank, *b], axis=0)
            sizes = np.array([len(s) for s in read(folder / treebank / "dev.conllu")])
            cells = []
            for low, high in [*bins, (1, 10_000)]:
                inside = (sizes >= low) & (sizes <= high)
                cells.append(f"{100 * more[inside].sum() / sizes[inside].sum():+.2f}")
            print(f"| {' '.join(a)} − {' '.join(b)} | {treebank} | {' | '.join(cells)} |")


def main() -> None:
    command = Command(__doc__, "lengths")
    command.add_part()
    args = command.arguments()
    if args.what == "table":
        table()
    elif args.what == "lengths":
        lengths(args.treebanks)
    else:
        train_all(args.treebanks, args.part)


if __name__ == "__main__":
    main()
