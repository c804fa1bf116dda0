"""Cost vectors of attardi's dynamic oracle by the length of the sentence, beside those of other systems, one core.

    python benchmarks/attardi.py treebank/train.conllu ...

Microseconds a cost vector on walks that follow the oracle with 0.9, and the share of attardi's vectors for which the
search was given up, so that they are estimates; trees as they stand in the treebank, those too that attardi does not
derive.
"""

import argparse
import time
from pathlib import Path
from random import Random

from rearc.oracles import oracle
from rearc.oracles.policy import RandomWalk
from rearc.oracles.walk import Trees, walk
from rearc.treebank import read

LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 60), (61, 100), (101, 500))
OTHERS = ("arc-hybrid", "covington")
FOLLOW = 0.9
Tree = list[int]


def microseconds(system: str, trees: list[Tree]) -> float:
    """The best of three."""
    judge, gold = oracle(system, "dynamic", [0, 0]), Trees(trees)
    times = []
    for _ in range(3):
        begin = time.process_time()
        visited, _ = walk(judge, gold, follow=FOLLOW, seed=1)
        times.append((time.process_time() - begin) / visited)
    return 1e6 * min(times)


def estimates(trees: list[Tree]) -> tuple[int, int]:
    """Of the sets of optimal transitions on such walks: how many were not known in the end, and how many there were."""
    judge, policy = oracle("attardi", "dynamic", [0, 0]), RandomWalk(FOLLOW, 1)
    given_up = asked = 0
    for tree in trees:
        judge.set_gold(tree)
        state = judge.start()
        while not state.is_terminal:
            before = judge.estimates  # type: ignore[attr-defined]
            judge.optimal(state)
            given_up += judge.estimates > before  # type: ignore[attr-defined]
            asked += 1
            judge.apply(state, policy.choose(judge, state))
    return given_up, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=200, help="of each length in each treebank, at most")
    args = parser.parse_args()
    print(f"| words | sentences | attardi µs | estimated % | {' | '.join(f'{name} µs' for name in OTHERS)} |")
    print("| --- |" + " ---: |" * (3 + len(OTHERS)))
    treebanks = [[s.tree.tolist() for s in read(file, columns={"heads"})] for file in args.treebanks]
    for low, high in LENGTHS:
        chosen: list[Tree] = []
        for trees in treebanks:
            fitting = [tree for tree in trees if low <= len(tree) - 1 <= high]
            chosen += Random(1).sample(fitting, min(args.sentences, len(fitting)))
        if not chosen:
            continue
        given_up, asked = estimates(chosen)
        cells = [f"{low}–{high}", f"{len(chosen):,}", f"{microseconds('attardi', chosen):.1f}"]
        cells += [f"{100 * given_up / asked:.2f}", *(f"{microseconds(name, chosen):.1f}" for name in OTHERS)]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
