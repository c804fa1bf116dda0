"""What known heads and rules do to a parser: python experiments/constraints.py MODEL TEST [SENTENCES]

For 10, 30 and 50 % of the heads given at random: the other words' heads when the given ones are known to the parser,
and when they are pasted over a free parse; then the rules of Universal Dependencies, and the time of each.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random

import rearc
from rearc import Constraints, Sentence
from rearc.treebank.rules import breaches


def right(trees: list[Sentence], gold: list[Sentence], asked: list[list[bool]]) -> tuple[float, float]:
    """UAS and LAS over the words that were asked for."""
    uas = las = words = 0
    for tree, true, own in zip(trees, gold, asked, strict=True):
        for t, g, wanted in zip(tree, true, own, strict=True):
            words += wanted
            uas += wanted and t.head == g.head
            las += wanted and t.head == g.head and t.deprel == g.deprel
    return 100 * uas / words, 100 * las / words


def timed(work: Callable[[], list[Sentence]]) -> tuple[list[Sentence], float]:
    begin = time.process_time()
    return work(), time.process_time() - begin


def main(model: str, file: str, most: str = "1000000") -> None:
    parser = rearc.load(model)
    gold = list(rearc.read(file))[: int(most)]
    bare = [s.replace(heads=None, deprels=None) for s in gold]
    free, base = timed(lambda: list(parser.parse_many(bare, tags="given")))
    every = [[True] * len(s) for s in gold]
    uas, las = right(free, gold, every)
    print(f"{len(gold)} sentences; free: UAS {uas:.2f} LAS {las:.2f}, {base:.2f} s")
    for share in (0.1, 0.3, 0.5):
        rng = Random(1)
        given = [[rng.random() < share for _ in s.heads] for s in gold]
        known = [
            s.replace(heads=[h if k else -1 for h, k in zip(t.heads, own, strict=True)])
            for s, t, own in zip(bare, gold, given, strict=True)
        ]
        constrained, seconds = timed(
            lambda k=known: list(parser.parse_many(k, tags="given", constraints=Constraints.of))
        )
        others = [[not k for k in own] for own in given]
        assert right(constrained, gold, given)[0] == 100
        pasted, told = right(free, gold, others), right(constrained, gold, others)
        print(
            f"{share:.0%} given; other words: pasted UAS {pasted[0]:.2f} LAS {pasted[1]:.2f}, "
            f"told to the parser UAS {told[0]:.2f} LAS {told[1]:.2f}; {seconds:.2f} s, {seconds / base:.2f} times"
        )
    rules = Constraints(rules="ud")
    ruled, seconds = timed(lambda: list(parser.parse_many(bare, tags="given", constraints=rules)))
    broken = [sum(any(breaches(tree)) for tree in trees) for trees in (gold, free, ruled)]
    uas, las = right(ruled, gold, every)
    print(
        f"ud: sentences that break a rule: gold {broken[0]}, free {broken[1]}, constrained {broken[2]}; "
        f"UAS {uas:.2f} LAS {las:.2f}; {seconds:.2f} s, {seconds / base:.2f} times"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
