"""How long each measure of rearc.treebank.trees takes over a treebank, and on one sentence of 100,000 words.

python benchmarks/trees.py ../shared/treebanks/en_ewt/train.conllu
"""

import sys
from collections.abc import Callable
from time import process_time

import numpy as np

from rearc.treebank import read, trees
from rearc.treebank.generate import random_tree
from rearc.treebank.lifting import lift

MEASURES: list[Callable] = [
    trees.is_tree,
    trees.roots,
    trees.is_projective,
    trees.non_projective_arcs,
    trees.gap_degree,
    trees.edge_degree,
    trees.is_planar,
    trees.is_well_nested,
    trees.crossing_arcs,
    trees.crossings_per_arc,
    trees.projective_order,
    trees.maximal_projective_components,
    trees.depth,
    trees.root_distances,
    trees.arc_lengths,
]


def seconds(measure: Callable, sentences: list[np.ndarray]) -> float:
    """Processor time, the best of three: other work on the machine does not count."""
    times = []
    for _ in range(3):
        start = process_time()
        for heads in sentences:
            measure(heads)
        times.append(process_time() - start)
    return min(times)


def main(file: str) -> None:
    treebank = [sentence.tree for sentence in read(file, columns={"heads", "deprels"})]
    n = 100_000
    rng = np.random.default_rng(0)
    chain = np.arange(-1, n, dtype=np.int32)
    chain[0] = 0
    columns = {
        "treebank": treebank,
        "random projective": [np.array(random_tree(n, rng, projective=True), dtype=np.int32)],
        "random": [np.array(random_tree(n, rng), dtype=np.int32)],
        "chain": [chain],
    }
    words = sum(len(heads) - 1 for heads in treebank)
    print(f"treebank: {file}, {len(treebank):,} sentences, {words:,} words; the others: one sentence of {n:,} words")
    print("| milliseconds | " + " | ".join(columns) + " |")
    print("|---" + "|---:" * len(columns) + "|")
    for measure in [*MEASURES, lift]:
        row = [measure.__name__]
        for name, sentences in columns.items():
            out_of_reach = name == "random" and measure is trees.crossing_arcs  # more than 10⁹ pairs
            row.append("–" if out_of_reach else f"{1000 * seconds(measure, sentences):.1f}")
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"all measures over the treebank: {sum(seconds(measure, treebank) for measure in MEASURES):.2f} s")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/trees.py FILE")
    main(sys.argv[1])
