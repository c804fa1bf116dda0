"""What a part of the heads of a treebank teaches: all, random ones, and those of which a parser is least certain.

The least certain heads are found as an annotator would find them: 4 % of the sentences are annotated whole, a parser
of these parses the others, and of those the heads are annotated that it is least sure of, up to the share. All other
heads are unknown. The development data is used whole.

    python experiments/partial.py TREEBANKS/en_ewt [--epochs 10] [--seeds 1 2 3]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path
from statistics import mean, pstdev

import rearc
from rearc.parser import Parser
from rearc.treebank import Sentence

FIRST = 0.04  # of the sentences, annotated whole
OPTIONS = {"only": "parser", "system": "arc-hybrid", "oracle": "dynamic"}

Known = list[list[bool]]  # of each sentence, of each word: whether its head is


def at_random(train: list[Sentence], share: float, rng: random.Random) -> Known:
    return [[rng.random() < share for _ in range(len(sentence))] for sentence in train]


def least_certain(
    train: list[Sentence], share: float, rng: random.Random, learn: Callable[[list[Sentence]], Parser]
) -> Known:
    order = rng.sample(range(len(train)), len(train))
    first = set(order[: round(FIRST * len(train))])
    parser = learn([train[k] for k in sorted(first)])
    found = []
    for k, parsed in enumerate(parser.parse_many(train, tags="given", confidence=True)):
        if k not in first:
            found += [(word.confidence, k, i) for i, word in enumerate(parsed)]
    budget = round(share * sum(map(len, train))) - sum(len(train[k]) for k in first)
    known = [[k in first] * len(sentence) for k, sentence in enumerate(train)]
    for _, k, i in sorted(found)[:budget]:
        known[k][i] = True
    return known


def hide(sentence: Sentence, known: list[bool]) -> Sentence:
    heads = [head if seen else -1 for head, seen in zip(sentence.heads, known, strict=True)]
    labels = [label if seen else "_" for label, seen in zip(sentence.deprels, known, strict=True)]
    return sentence.replace(heads=heads, deprels=labels)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("treebank", type=Path)
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    chosen = options.parse_args()
    train, dev, test = (list(rearc.read(chosen.treebank / f"{part}.conllu")) for part in ("train", "dev", "test"))
    print("| heads known | share | UAS | LAS |\n| --- | ---: | ---: | ---: |", flush=True)
    rows = [("all", 1.0), ("random", 0.5), ("random", 0.2), ("least certain", 0.2)]
    for name, share in rows:
        scores = []
        for seed in chosen.seeds:

            def learn(sentences: list[Sentence], seed: int = seed) -> Parser:
                return rearc.train(sentences, dev=dev, epochs=chosen.epochs, seed=seed, **OPTIONS)

            rng = random.Random(seed)
            known = least_certain(train, share, rng, learn) if name == "least certain" else at_random(train, share, rng)
            parser = learn([hide(sentence, seen) for sentence, seen in zip(train, known, strict=True)])
            scores.append(rearc.evaluate(test, parser.parse_many(test, tags="given")))
        cells = [[getattr(score, metric) for score in scores] for metric in ("uas", "las")]
        shown = " | ".join(f"{mean(values):.2f} ± {pstdev(values):.2f}" for values in cells)
        print(f"| {name} | {share:.0%} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
