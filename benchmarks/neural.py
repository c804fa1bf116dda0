"""Words per second of CPU time of BiLSTM models, without reading and writing, and where the time goes.

OPENBLAS_NUM_THREADS=1 taskset -c 0 python benchmarks/neural.py test.conllu --rearc base.rearc --rearc small.rearc
"""

import argparse
import time
from pathlib import Path

import rearc
from rearc.neural.numpy_model import Network
from rearc.parser import Parser
from rearc.treebank import Sentence


def seconds(parser: Parser, sentences: list[Sentence], tags: str) -> float:
    begin = time.process_time()
    for _ in parser.parse_many(sentences, tags=tags):
        pass
    return time.process_time() - begin


class Clock:
    """Adds up the time in methods of an object."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def watch(self, owner: object, name: str, title: str) -> None:
        method = getattr(owner, name)

        def timed(*args: object, **named: object) -> object:
            begin = time.process_time()
            result = method(*args, **named)
            self.seconds[title] = self.seconds.get(title, 0) + time.process_time() - begin
            return result

        setattr(owner, name, timed)


class Watched:
    """A decoder with a clock; compiled objects take no new methods."""

    def __init__(self, decoder: object) -> None:
        self.parse = decoder.parse  # type: ignore[attr-defined]


def profile(parser: Parser, sentences: list[Sentence], tags: str) -> dict[str, float]:
    """Shares of the time of parsing."""
    network = parser._engine
    assert isinstance(network, Network)
    clock = Clock()
    network.decoder = Watched(network.decoder)  # type: ignore[assignment]
    clock.watch(network.decoder, "parse", "decoding")
    clock.watch(network, "_forms", "words and their spelling")
    clock.watch(network, "_tag" if network.has_tagger else "_given_tags", "tags")
    clock.watch(network, "_pair_sheets" if network._pairs else "_stack_sheets", "scores")
    clock.watch(network, "_label", "labels")
    clock.watch(network._layers, "run", "BiLSTM")
    if network._tagger:
        clock.watch(network._tagger, "run", "BiLSTM of the tagger")
    total = seconds(parser, sentences, tags)
    return {name: spent / total for name, spent in clock.seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--rearc", type=Path, action="append", required=True, help="a model file; may be repeated")
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    sentences = list(rearc.read(args.treebank))
    words = sum(map(len, sentences))
    for file in args.rearc:
        model = rearc.load(file)
        first = seconds(model, sentences, "given")
        best = min(seconds(model, sentences, "given") for _ in range(args.repeat))
        gold = [(h, d) for s in sentences for h, d in zip(s.heads, s.deprels, strict=True)]
        parsed = [
            (h, d) for s in model.parse_many(sentences, tags="given") for h, d in zip(s.heads, s.deprels, strict=True)
        ]
        right = 100 * sum(a == b for a, b in zip(gold, parsed, strict=True)) / words
        print(f"{file.name}: {words / best:,.0f} words/s ({words / first:,.0f} the first time), LAS {right:.2f}")
        for name, share in sorted(profile(model, sentences, "given").items(), key=lambda item: -item[1]):
            print(f"    {100 * share:5.1f} %  {name}")


if __name__ == "__main__":
    main()
