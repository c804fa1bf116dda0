"""Attardi's system beside others on three treebanks: dev scores of perceptrons.

    python experiments/attardi.py run TREEBANKS            train what is not trained yet; stop and start it at will
    python experiments/attardi.py table                    the Markdown table of docs/oracles.md

Each run (treebank, system, oracle, seed) leaves a JSON file in experiments/results/attardi.
"""

from functools import partial
from pathlib import Path
from statistics import mean

from runs import Command, Result, Treebanks, compared, load, run_all, score, spread

from rearc.training import Options
from rearc.training.loop import train_on

RESULTS = Path(__file__).parent / "results" / "attardi"
TREEBANKS = ("hu_szeged", "tr_imst", "el_gdt")
ROWS = (
    ("attardi", "dynamic"),
    ("attardi", "static"),
    ("arc-hybrid", "dynamic"),
    ("covington", "dynamic"),
)
EPOCHS = 6
SEEDS = (1, 2)

Run = tuple[str, str, str, int]  # treebank, system, oracle, seed


def train(run: Run, treebanks: Treebanks) -> Result:
    treebank, system, oracle, seed = run
    learn, dev = treebanks[treebank]
    options = Options(system=system, oracle=oracle, seed=seed, epochs=EPOCHS, segmenter=False, tagger=False)
    parser = train_on(learn, dev, options)
    about = {"treebank": treebank, "system": system, "oracle": oracle, "seed": seed, "epochs": EPOCHS}
    return about | score(parser, dev.sentences)


def train_all(folder: Path) -> None:
    treebanks = Treebanks(folder)
    wanted = [(treebank, *row, seed) for seed in SEEDS for treebank in TREEBANKS for row in ROWS]
    run_all((RESULTS / "{}-{}-{}-{}.json".format(*run), partial(train, run, treebanks)) for run in wanted)


def table() -> None:
    found: dict[tuple[str, str, str], list[Result]] = {}
    for result in load(RESULTS):
        found.setdefault((result["treebank"], result["system"], result["oracle"]), []).append(result)
    print("| treebank | system | oracle | UAS | LAS | seeds | CPU s |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for treebank in TREEBANKS:
        for row in ROWS:
            if results := found.get((treebank, *row)):
                seconds = mean(result["cpu_seconds"] for result in results)
                scores = f"{spread(results, 'uas')} | {spread(results, 'las')} | {len(results)} | {seconds:.0f}"
                print(f"| {treebank} | {' | '.join(row)} | {scores} |")
    print("\n| | treebank | UAS | p | LAS | p |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for other in ROWS[1:]:
        for treebank in TREEBANKS:
            if (treebank, *ROWS[0]) in found and (treebank, *other) in found:
                cells = compared(found[treebank, *ROWS[0]], found[treebank, *other])
                print(f"| {' '.join(ROWS[0])} − {' '.join(other)} | {treebank} | {' | '.join(cells)} |")


def main() -> None:
    args = Command(__doc__).arguments()
    if args.what == "table":
        table()
    else:
        train_all(args.treebanks)


if __name__ == "__main__":
    main()
