"""BiLSTM parsers of the size `small` on treebanks with many non-projective sentences: systems, oracles and losses.

    python experiments/neural.py run TREEBANKS             train what is not trained yet; stop and start it at will
    python experiments/neural.py table                     the Markdown tables of docs/neural.md

Each run (treebank, row, seed) leaves a JSON file in experiments/results/neural, as those of oracles.py do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean

from runs import Command, Result, Treebanks, compared, load, run_all, score, spread

from rearc.training import Options
from rearc.training.loop import train_on

RESULTS = Path(__file__).parent / "results" / "neural"
TREEBANKS = ("eu_bdt", "grc_agdt", "tr_imst")
SEEDS = (1, 2)
EPOCHS = 12


@dataclass(frozen=True)
class Row:
    """What is trained."""

    system: str
    oracle: str
    non_projective: str | None = None
    loss: str | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.system, self.oracle, self.non_projective, self.loss) if part)


NL, NL_DYNAMIC = Row("nl-covington", "static"), Row("nl-covington", "dynamic")
COVINGTON, SWIFT = Row("covington", "static"), Row("arc-swift", "static", "lift")
SWAP, SWAP_STATIC = Row("arc-hybrid-swap", "static-dynamic"), Row("arc-hybrid-swap", "static")
PSEUDO, LIFTED = Row("arc-hybrid", "dynamic", "head"), Row("arc-hybrid", "dynamic", "lift")
PROJECTIVE = Row("arc-hybrid", "dynamic", "drop")  # the baseline of de Lhoneux, Stymne & Nivre 2017
NON_MONOTONIC = [Row("nl-covington-nonmonotonic", bound) for bound in ("upper", "lower")]
LOSSES = [Row("nl-covington", "dynamic", loss=loss) for loss in ("best", "margin")]  # the default is marginal
ON_ONE_TREEBANK = [*LOSSES, NON_MONOTONIC[1]]

QUESTIONS = {
    "Non-local transitions": [(NL, COVINGTON), (NL, SWIFT)],
    "A static-dynamic oracle for swap": [(SWAP, row) for row in (SWAP_STATIC, PSEUDO, PROJECTIVE, LIFTED)],
    "Dynamic oracles and non-monotonicity in batches": [
        (NL_DYNAMIC, NL),
        *((row, NL) for row in NON_MONOTONIC),
        *((row, NL_DYNAMIC) for row in NON_MONOTONIC),
    ],
    "Losses": [(NL_DYNAMIC, row) for row in LOSSES],
}
ROWS = list(dict.fromkeys(row for pairs in QUESTIONS.values() for pair in pairs for row in pair))


def runs() -> Iterator[tuple[str, Row, int]]:
    """All runs, the first seed of everything before the second of anything."""
    for seed in SEEDS:
        for treebank in TREEBANKS:
            for row in ROWS:
                if row not in ON_ONE_TREEBANK or treebank == TREEBANKS[0]:
                    yield treebank, row, seed


def train(treebank: str, row: Row, seed: int, treebanks: Treebanks) -> Result:
    learn, dev = treebanks[treebank]
    options = Options(model="bilstm", size="small", seed=seed, epochs=EPOCHS, **vars(row))
    about = {"treebank": treebank, "row": str(row), "seed": seed, "epochs": EPOCHS}
    return about | score(train_on(learn, dev, options), dev.sentences)


def train_all(folder: Path, part: slice) -> None:
    treebanks = Treebanks(folder)
    files = [
        (
            RESULTS / f"{treebank}-{str(row).replace(' ', '-')}-{seed}.json",
            partial(train, treebank, row, seed, treebanks),
        )
        for treebank, row, seed in runs()
    ]
    run_all(files[part])


def table() -> None:
    found: dict[tuple[str, str], list[Result]] = {}
    for result in load(RESULTS):
        found.setdefault((result["treebank"], result["row"]), []).append(result)
    print("| | treebank | UAS | LAS | seeds | CPU s |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for row in map(str, ROWS):
        for treebank in TREEBANKS:
            if (treebank, row) in found:
                results = found[treebank, row]
                seconds = mean(result["cpu_seconds"] for result in results)
                scores = f"{spread(results, 'uas')} | {spread(results, 'las')}"
                print(f"| {row} | {treebank} | {scores} | {len(results)} | {seconds:.0f} |")
    for question, pairs in QUESTIONS.items():
        print(f"\n### {question}\n")
        print("Difference of the means, and p by approximate randomisation over sentences.\n")
        print("| | treebank | UAS | p | LAS | p |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        for a, b in pairs:
            for treebank in TREEBANKS:
                if (treebank, str(a)) in found and (treebank, str(b)) in found:
                    cells = compared(found[treebank, str(a)], found[treebank, str(b)])
                    print(f"| {a} − {b} | {treebank} | {' | '.join(cells)} |")


def main() -> None:
    command = Command(__doc__)
    command.add_part()
    args = command.arguments()
    if args.what == "table":
        table()
    else:
        train_all(args.treebanks, args.part)


if __name__ == "__main__":
    main()
