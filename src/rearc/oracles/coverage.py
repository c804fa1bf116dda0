"""Which trees a system can derive, and at what price: the table to look at before choosing a system."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from rearc.oracles import oracle, oracles
from rearc.oracles.walk import Trees, derive
from rearc.systems import systems, traits
from rearc.treebank.pseudoprojective import projective_heads
from rearc.treebank.trees import is_projective


@dataclass(frozen=True)
class Coverage:
    """What one system makes of a treebank. The shares are of the sentences and arcs as they stand in it."""

    system: str
    oracle: str
    sentences: float  # percent of the trees rebuilt without an error
    arcs: float  # percent of the heads rebuilt
    transitions_per_word: float
    swaps_per_sentence: float
    longest: int  # transitions of the longest derivation

    def as_dict(self) -> dict[str, str | float | int]:
        return asdict(self)


def coverage(
    trees: Sequence[NDArray[np.intc]], names: Sequence[str] | None = None, *, single_root: bool = False
) -> Iterator[Coverage]:
    """Derive every tree with every system by its first oracle; one row a system.

    A system that derives projective trees alone is measured on the projectivised tree; one that derives some of the
    others, by the oracle that loses the fewest arcs.
    """
    gold = Trees(trees)
    projective = Trees(tree if is_projective(tree) else projective_heads(tree) for tree in trees)
    lengths = np.diff(gold.offsets) - 1
    for name in names or systems():
        kind = "dynamic" if traits(name).limited else oracles(name)[0]
        judge = oracle(name, kind, [0, 0], single_root=single_root)
        derived = derive(judge, projective if traits(name).projective else gold, gold)
        length, swaps, right = derived[:, 0], derived[:, 1], derived[:, 2]
        yield Coverage(
            system=name,
            oracle=judge.name,
            sentences=100 * float(np.mean(right == lengths)),
            arcs=100 * int(right.sum()) / gold.words,
            transitions_per_word=int(length.sum()) / gold.words,
            swaps_per_sentence=float(np.mean(swaps)),
            longest=int(length.max()),
        )
