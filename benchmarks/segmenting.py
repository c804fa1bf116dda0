"""Tokens, words and sentences from running text, and characters a second, beside UDPipe 1 on the same text, one core.

    python benchmarks/segmenting.py TREEBANK … [--peers FOLDER] [--part dev] [--times 3]

TREEBANK is a folder with train.conllu, dev.conllu and test.conllu. The text is the sentences of the part, joined by
single spaces. FOLDER has UDPipe models, NAME-tok-tag.udpipe for a treebank NAME, as experiments/udpipe_train.py makes
them. F1 is that of the CoNLL 2018 shared task. The speed includes making the sentences: objects here, CoNLL-U text
there. Each prints a line of JSON.
"""

import argparse
import io
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rearc.evaluation.conll18 import conll18
from rearc.segment import Segmenter
from rearc.segment.gold import pieces_of
from rearc.treebank import Sentence, read

Row = dict[str, Any]


def running_text(sentences: Sequence[Sentence]) -> str:
    parts = ("".join(token + spaces for token, spaces in pieces).strip() for pieces in pieces_of(sentences))
    return " ".join(parts)


def scores(gold: Sequence[Sentence], found: Sequence[Sentence]) -> Row:
    """Segmentation does not depend on trees: both sides get the same flat ones, as the scorer wants some."""

    def flat(sentences: Sequence[Sentence]) -> list[Sentence]:
        return [s.replace(heads=[0, *[1] * (len(s) - 1)], deprels=["root", *["dep"] * (len(s) - 1)]) for s in sentences]

    result = conll18(flat(gold), flat(found))
    return {name: round(result[name].f1, 2) for name in ("Tokens", "Words", "Sentences")}


def timed(work: Callable[[], Any], times: int) -> tuple[Any, float]:
    """What it gives, and the median of its CPU seconds."""
    seconds = []
    for _ in range(times):
        begin = time.process_time()
        result = work()
        seconds.append(time.process_time() - begin)
    return result, statistics.median(seconds)


def rows(folder: Path, peers: Path | None, part: str, times: int) -> Iterator[Row]:
    train, dev, gold = (list(read(folder / f"{name}.conllu")) for name in ("train", "dev", part))
    text = running_text(gold)
    segmenter, seconds = timed(lambda: Segmenter.train(train, dev), 1)
    found, spent = timed(lambda: segmenter.segment(text), times)
    speed = len(text) / spent
    yield {
        "by": "rearc",
        **scores(gold, [s.sentence for s in found]),
        "chars/s": round(speed),
        "training": round(seconds, 1),
    }
    if peers is None:
        return
    from ufal.udpipe import Model, Pipeline, ProcessingError

    file = peers / f"{folder.name}-tok-tag.udpipe"
    model = Model.load(str(file))  # the pipeline does not keep it alive
    if model is None:
        raise SystemExit(f"{file}: no model of UDPipe; experiments/udpipe_train.py makes one")
    pipeline = Pipeline(model, "tokenize", Pipeline.NONE, Pipeline.NONE, "conllu")
    output, spent = timed(lambda: pipeline.process(text, ProcessingError()), times)
    yield {
        "by": "UDPipe",
        **scores(gold, list(read(io.BytesIO(output.encode())))),
        "chars/s": round(len(text) / spent),
        "rearc is faster by": round(speed / (len(text) / spent), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--part", default="dev")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    for folder in given.treebanks:
        for row in rows(folder, given.peers, given.part, given.times):
            print(json.dumps({"treebank": folder.name, "part": given.part, **row}), flush=True)


if __name__ == "__main__":
    main()
