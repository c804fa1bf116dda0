"""Accuracy, size, speed and memory of taggers, one core.

    python benchmarks/tagging.py accuracy TREEBANK --columns upos,feats   three seeds, on dev, or with --test on test
    python benchmarks/tagging.py size TREEBANK                             what pruning costs, on dev
    python benchmarks/tagging.py speed TREEBANK                            words/s from bare sentences to tagged ones
    python benchmarks/tagging.py jackknife TREEBANK                        of train, by what the other nine parts teach

TREEBANK is a folder with train.conllu, dev.conllu and test.conllu. Each prints a line of JSON a result.
"""

import argparse
import json
import resource
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rearc.parser.model_tagger import members_of
from rearc.tagger.learning import jackknife, train
from rearc.tagger.tagger import Tagger
from rearc.treebank import Sentence, read

SEEDS = (1, 2, 3)
PRUNE = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0)

Row = dict[str, Any]


class Treebank:
    def __init__(self, folder: Path, columns: Sequence[str]) -> None:
        self.folder, self.columns = folder, columns
        self.train, self.dev = self.read("train"), self.read("dev")

    def read(self, part: str) -> list[Sentence]:
        return list(read(self.folder / f"{part}.conllu"))


def bare(sentences: Sequence[Sentence]) -> list[Sentence]:
    return [Sentence(sentence.forms) for sentence in sentences]


def right(gold: Sequence[Sentence], tagged: Sequence[Sentence], columns: Sequence[str]) -> Row:
    """Words with the right tag in each column, in percent."""
    shares = {}
    for name in columns:
        pairs = zip(gold, tagged, strict=True)
        same = [a == b for pair in pairs for a, b in zip(*(getattr(s, name) for s in pair), strict=True)]
        shares[name] = round(100 * sum(same) / len(same), 2)
    return shares


def size(tagger: Tagger) -> Row:
    data = [b"".join(pieces) for pieces in members_of(tagger).values()]
    return {"bytes": sum(map(len, data)), "packed": sum(len(zlib.compress(part, 9)) for part in data)}


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def accuracy(treebank: Treebank, test: bool) -> Iterator[Row]:
    gold = treebank.read("test") if test else treebank.dev
    forms = {form for sentence in treebank.train for form in sentence.forms}
    for seed in SEEDS:
        begin = time.process_time()
        tagger = train(treebank.train, treebank.dev, treebank.columns, seed=seed)
        seconds = time.process_time() - begin
        tagged = tagger.tag(bare(gold))
        unknown = [
            a == b
            for s, t in zip(gold, tagged, strict=True)
            for w, a, b in zip(s.forms, s.upos, t.upos, strict=True)
            if w not in forms
        ]
        yield {
            "seed": seed,
            **right(gold, tagged, treebank.columns),
            "upos of unknown words": round(100 * sum(unknown) / max(len(unknown), 1), 2),
            "training seconds": round(seconds, 1),
            "peak MB": peak(),
            **size(tagger),
        }


def sizes(treebank: Treebank) -> Iterator[Row]:
    for prune in PRUNE:
        tagger = train(treebank.train, treebank.dev, treebank.columns, prune=prune)
        tagged = tagger.tag(bare(treebank.dev))
        yield {"prune": prune, **right(treebank.dev, tagged, treebank.columns), **size(tagger)}


def speed(treebank: Treebank) -> Iterator[Row]:
    tagger = train(treebank.train, None, treebank.columns, epochs=6)
    sentences = bare(treebank.dev) * 4
    words = sum(map(len, sentences))
    before = peak()
    for _ in range(3):
        begin = time.process_time()
        count = sum(1 for _ in tagger.tag_many(sentences))
        seconds = time.process_time() - begin
        yield {"sentences": count, "words": words, "words/s": round(words / seconds), "more MB": peak() - before}


def parts(treebank: Treebank) -> Iterator[Row]:
    begin = time.process_time()
    tagged = jackknife(treebank.train, 10, treebank.columns)
    seconds = round(time.process_time() - begin, 1)
    yield {**right(treebank.train, tagged, treebank.columns), "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("accuracy", "size", "speed", "jackknife"))
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--columns", default="upos,feats")
    parser.add_argument("--test", action="store_true")
    given = parser.parse_args()
    treebank = Treebank(given.treebank, given.columns.split(","))
    jobs = {
        "accuracy": lambda: accuracy(treebank, given.test),
        "size": lambda: sizes(treebank),
        "speed": lambda: speed(treebank),
        "jackknife": lambda: parts(treebank),
    }
    for row in jobs[given.what]():
        print(json.dumps({"treebank": given.treebank.name, **row}), flush=True)


if __name__ == "__main__":
    main()
