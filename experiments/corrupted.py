"""How many of the words that `rearc rank` suspects are really wrong: a treebank with 1 % of its heads corrupted.

The treebank is cut in two. A parser of one half, with its mistakes in it, ranks the words of the other; so it never
saw the sentences that it judges.

    python experiments/corrupted.py TRAIN DEV [--share 0.01] [--top 500] [--system arc-hybrid]
"""

from __future__ import annotations

import argparse
import random

import rearc
from rearc.evaluation.ranking import Ranking
from rearc.treebank import Sentence


def corrupt(sentence: Sentence, share: float, rng: random.Random) -> tuple[Sentence, set[int]]:
    """The sentence with some heads replaced by others, and which words these are; it stays a tree."""
    heads = sentence.heads
    wrong = set()
    for word in range(1, len(heads) + 1):
        if rng.random() < share:
            below = {word}
            for _ in heads:
                below |= {d for d, h in enumerate(heads, 1) if h in below}
            others = [h for h in range(len(heads) + 1) if h not in below and h != heads[word - 1]]
            if others:
                heads[word - 1] = rng.choice(others)
                wrong.add(word)
    return sentence.replace(heads=heads), wrong


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("train")
    options.add_argument("dev")
    options.add_argument("--share", type=float, default=0.01)
    options.add_argument("--top", type=int, default=500)
    options.add_argument("--system", default="arc-hybrid")
    options.add_argument("--epochs", type=int, default=5)
    chosen = options.parse_args()
    rng = random.Random(1)
    pairs = [corrupt(sentence, chosen.share, rng) for sentence in rearc.read(chosen.train)]
    rng.shuffle(pairs)
    half = len(pairs) // 2
    ranking = Ranking()
    wrong: set[tuple[str, int]] = set()
    for own, other in ((pairs[:half], pairs[half:]), (pairs[half:], pairs[:half])):
        teaching = [sentence for sentence, _ in own]
        parser = rearc.train(
            teaching, dev=chosen.dev, only="parser", system=chosen.system, epochs=chosen.epochs, seed=1
        )
        judged = [sentence.replace(comments=[f"# sent_id = {id(sentence)}"]) for sentence, _ in other]
        wrong |= {(str(id(sentence)), word) for sentence, words in other for word in words}
        for given, parsed in zip(judged, parser.parse_many(judged, confidence=True), strict=True):
            ranking.add(given, parsed)
    count = sum(len(sentence) for sentence, _ in pairs)
    print(f"{len(wrong):,} of {count:,} heads corrupted; {len(ranking.words):,} words are parsed otherwise", flush=True)
    _, suspects = ranking.best(chosen.top)
    for top in (50, 100, 200, 500, 1000, 2000):
        if top <= chosen.top:
            found = sum((entry.sent_id, entry.word) in wrong for entry in suspects[:top])
            print(f"top {top}: {100 * found / top:.1f} % corrupted, {100 * found / len(wrong):.1f} % of all that are")


if __name__ == "__main__":
    main()
