"""How often the static-dynamic oracle of arc-hybrid-swap is optimal when swap is free.

    python experiments/free_swap.py TREEBANKS

The oracle forces a swap or forbids it, and its costs are exact among what it allows (docs/systems.md). Here its answers
are set against the exact loss of the whole system, in which every legal swap may be taken: on walks through sentences
of all treebanks, where now and then any transition is taken, as when training explores. The first table is of walks
that take what the oracle allows, as training does; the second of walks that take anything legal, swaps too.
"""

import argparse
from collections import Counter
from pathlib import Path
from random import Random

from rearc.oracles import Oracle, oracle, searcher
from rearc.oracles.exact import Search, SearchLimit
from rearc.systems import State, system
from rearc.treebank import read
from rearc.treebank.trees import is_projective

SYSTEM = "arc-hybrid-swap"
VISITED = 20_000  # configurations of one search; then the loss stays unknown


def sentences(folder: Path, count: int, longest: int) -> list[list[int]]:
    """Training trees, as many of each treebank, at random."""
    files = sorted(folder.glob("*/train.conllu"))
    chosen: list[list[int]] = []
    for number, file in enumerate(files):
        trees = [s.tree.tolist() for s in read(file, columns={"heads"}) if 2 <= len(s) <= longest]
        share = count * (number + 1) // len(files) - len(chosen)
        chosen += Random(file.parent.name).sample(trees, share)
    return chosen


def losses(search: Search, state: State) -> dict[str, int]:
    """The exact loss after each legal transition."""
    found = {}
    for transition in state.system.legal(state):
        after = state.copy()
        state.system.apply(after, transition)
        found[transition] = search.loss(after, VISITED)
    return found


def look(judge: Oracle, search: Search, state: State, counts: Counter[str]) -> None:
    """Set the oracle's answer against the truth."""
    said, loss = set(judge.optimal(state)), judge.loss(state)
    counts["all"] += 1
    counts["loss above 0"] += loss > 0
    try:
        after = losses(search, state)
    except SearchLimit:
        counts["unknown"] += 1
        return
    least = min(after.values())
    best = {transition for transition, value in after.items() if value == least}
    right = bool(said & best)
    for kind in ("known", *(["lossy"] if loss > 0 else []), *(["choice"] if len(best) < len(after) else [])):
        counts[kind] += 1
        counts[f"{kind}: loss exact"] += loss == least
        counts[f"{kind}: all optimal"] += said <= best
        counts[f"{kind}: one optimal"] += right
        counts[f"{kind}: swap alone"] += best == {"swap"} and "swap" not in said
    counts["lost for nothing"] += loss - least


def walk(gold: list[int], follow: float, any_legal: bool, rng: Random, counts: Counter[str]) -> None:
    judge = oracle(SYSTEM, "static-dynamic", gold)
    search = searcher(system(SYSTEM), gold)
    state = judge.start()
    while not state.is_terminal:
        look(judge, search, state, counts)
        allowed = judge.system.legal(state) if any_legal else list(judge.costs(state))
        judge.apply(state, rng.choice(judge.optimal(state) if rng.random() < follow else allowed))


def row(follow: float, counts: Counter[str]) -> str:
    def share(kind: str, what: str) -> str:
        return f"{100 * counts[f'{kind}: {what}'] / max(counts[kind], 1):.2f}"

    cells = [
        f"{follow:g}",
        f"{counts['all']:,}",
        f"{counts['unknown']:,}",
        f"{100 * counts['lossy'] / counts['known']:.1f}",
    ]
    cells += [share("known", what) for what in ("loss exact", "all optimal", "one optimal", "swap alone")]
    cells += [share("lossy", what) for what in ("loss exact", "all optimal", "one optimal", "swap alone")]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, help="folder with a folder for each treebank")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--longest", type=int, default=40, help="words of a sentence")
    parser.add_argument("--follow", type=float, nargs="+", default=[0.95, 0.9, 0.8, 0.6])
    args = parser.parse_args()
    golds = sentences(args.treebanks, args.sentences, args.longest)
    crossing = sum(not is_projective(gold) for gold in golds)
    print(f"{len(golds):,} sentences of 2 to {args.longest} words, {crossing} non-projective\n")
    for any_legal in (False, True):
        print("Walks that take what is legal\n" if any_legal else "Walks that take what the oracle allows\n")
        print(
            "| follows | configurations | unknown | with a loss % | loss exact % | all optimal % | one optimal % "
            "| swap alone % | with a loss: loss exact % | all optimal % | one optimal % | swap alone % |"
        )
        print("|" + " ---: |" * 12)
        for follow in args.follow:
            counts: Counter[str] = Counter()
            rng = Random(f"{follow} {any_legal}")
            for gold in golds:
                walk(gold, follow, any_legal, rng, counts)
            print(row(follow, counts), flush=True)
        print()


if __name__ == "__main__":
    main()
