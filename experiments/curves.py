"""Learning curves of small treebanks: the first N training sentences, for rearc's two models and UDPipe 1.

    python curves.py TREEBANKS RESULTS.json [--names tr_imst …] [--sizes 150 …] [--by perceptron bilstm udpipe]
    python curves.py TREEBANKS RESULTS.json --table

Dev is cut to its first 200 sentences, test is whole. Words and sentences are given, all tags are predicted. rearc is
what `rearc train` makes with no option but --no-segmenter and --model; UDPipe has 20 iterations of tagger and parser,
of which it takes the best on dev, and a beam of 5. Scores are the F1 of the CoNLL 2018 shared task on test, one seed.
What stands in RESULTS.json is not measured again.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from rearc.evaluation.conll18 import conll18
from rearc.treebank import Sentence, read, write

NAMES = ("tr_imst", "hu_szeged", "it_partut", "sl_sst")
SIZES = (150, 500, 1500)
DEV = 200
METRICS = ("UPOS", "UFeats", "UAS", "LAS")
TRAINED = ("perceptron", "bilstm", "udpipe")
PARSER = "transition_system=projective;transition_oracle=dynamic;structured_interval=8;iterations=20"


def run(*command: object) -> float:
    """The CPU seconds of a command."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin = spent()
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return spent() - begin


def by_rearc(model: str, folder: Path) -> tuple[float, Path]:
    made, out, rearc = folder / "model.rearc", folder / "found.conllu", [sys.executable, "-m", "rearc"]
    train = [folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", made, "--no-segmenter", "--model", model]
    seconds = run(*rearc, "train", *train)
    run(*rearc, "parse", folder / "bare.conllu", "-m", made, "-o", out, "--tags", "predict")
    return seconds, out


def by_udpipe(_: str, folder: Path) -> tuple[float, Path]:
    from ufal.udpipe import Model, Pipeline, ProcessingError

    made, out = folder / "model.udpipe", folder / "found.conllu"
    options = ["--tokenizer", "none", "--tagger", "iterations=20", "--parser", PARSER]
    seconds = run(sys.executable, Path(__file__).parent / "udpipe_train.py", folder, made, *options)
    model, error = Model.load(str(made)), ProcessingError()
    pipeline = Pipeline(model, "conllu", Pipeline.DEFAULT, "beam_search=5", "conllu")
    out.write_text(pipeline.process((folder / "bare.conllu").read_text("utf-8"), error), encoding="utf-8")
    return seconds, out


def bare(sentence: Sentence) -> Sentence:
    tokens = [m._replace(misc="_") for m in sentence.multiwords]
    return Sentence(sentence.forms, misc=sentence.misc, multiwords=tokens)


def measure(treebank: Path, size: int, by: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        test = list(read(treebank / "test.conllu"))
        train = list(islice(read(treebank / "train.conllu"), size))
        write(train, folder / "train.conllu")
        write(islice(read(treebank / "dev.conllu"), DEV), folder / "dev.conllu")
        write(map(bare, test), folder / "bare.conllu")
        seconds, out = (by_udpipe if by == "udpipe" else by_rearc)(by, folder)
        scores = conll18(test, list(read(out)))
    return {
        **{"treebank": treebank.name, "sentences": len(train), "by": by, "seconds": round(seconds, 1)},
        **{metric: round(scores[metric].f1, 2) for metric in METRICS},
    }


def table(rows: list[dict[str, Any]]) -> str:
    lines = ["| treebank | sentences | | UPOS | UFeats | UAS | LAS | training, CPU s |", "| --- |" + " ---: |" * 7]
    lines[1] = lines[1].replace(" ---: | ---: |", " ---: | --- |", 1)
    order = {by: k for k, by in enumerate(TRAINED)}
    for row in sorted(rows, key=lambda row: (row["treebank"], row["sentences"], order[row["by"]])):
        figures = " | ".join(f"{row[metric]:.2f}" for metric in METRICS)
        lines.append(f"| {row['treebank']} | {row['sentences']} | {row['by']} | {figures} | {row['seconds']:.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--names", nargs="+", default=NAMES)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--by", nargs="+", default=TRAINED, choices=TRAINED)
    parser.add_argument("--table", action="store_true", help="print what there is, and measure nothing")
    given = parser.parse_args()
    rows = json.loads(given.results.read_text()) if given.results.exists() else []
    if given.table:
        print(table(rows))
        return
    there = {(row["treebank"], row["sentences"], row["by"]) for row in rows}
    for by in given.by:
        for size in given.sizes:
            for name in given.names:
                size_of_it = sum(1 for _ in islice(read(given.treebanks / name / "train.conllu"), size))
                if (name, size_of_it, by) in there:
                    continue
                row = measure(given.treebanks / name, size, by)
                rows.append(row)
                given.results.parent.mkdir(parents=True, exist_ok=True)
                given.results.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
                print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
