"""From raw text, and from gold words, to trees: beside UDPipe 1 on the same text, one core, one after the other.

    python benchmarks/pipeline.py GOLD.conllu --rearc MODEL.rearc … --udpipe TAGGER.udpipe [--parser PARSER.udpipe]

Raw text is the sentences of GOLD joined by single spaces, as `# text` or SpaceAfter have them; a treebank that says
nothing of spaces is written as its script usually is. For each model: all metrics of the CoNLL 2018 shared
task (F1), and words/s of the whole way from text to CoNLL-U, in CPU seconds, the best of --repeat runs. UDPipe's model
splits and tags; --parser is the one that parses behind it. Without it, UDPipe's scores of attachment mean nothing.
Pin it to one core: `OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/pipeline.py …`.
"""

import argparse
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from segmenting import running_text

import rearc
from rearc.evaluation.conll18 import conll18
from rearc.parser.document import Numbering
from rearc.treebank import Sentence, read, write

Job = Callable[[], str]


def bare(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The words alone, with the tokens they are in."""
    return [
        Sentence(s.forms, misc=s.misc, multiwords=[m._replace(misc="_") for m in s.multiwords], comments=s.comments)
        for s in sentences
    ]


def rearc_jobs(model: str, text: str, words: list[Sentence]) -> dict[str, Job]:
    parser = rearc.load(model)

    def run(sentences: Iterable[Sentence]) -> str:
        out = io.BytesIO()
        write(parser.parse_many(sentences, tags="predict"), out, format="conllu")
        return out.getvalue().decode()

    def raw() -> str:
        assert parser.segmenter is not None
        return run(Numbering().sentences(parser.segmenter.segment_blocks([text])))

    return {"raw": raw, "gold words": lambda: run(words)} if parser.segmenter else {"gold words": lambda: run(words)}


def udpipe_jobs(model: str, parser: str | None, text: str, words: list[Sentence]) -> dict[str, Job]:
    from ufal.udpipe import Model, Pipeline, ProcessingError

    out = io.BytesIO()
    write(words, out, format="conllu")
    conllu = out.getvalue().decode()
    first, second = Model.load(model), Model.load(parser) if parser else None

    def run(kind: str, data: str) -> str:
        error = ProcessingError()
        data = Pipeline(first, kind, Pipeline.DEFAULT, Pipeline.NONE, "conllu").process(data, error)
        if second:
            data = Pipeline(second, "conllu", Pipeline.NONE, Pipeline.DEFAULT, "conllu").process(data, error)
        if error.occurred():
            raise SystemExit(error.message)
        return data

    return {"raw": lambda: run("tokenize", text), "gold words": lambda: run("conllu", conllu)}


def measure(name: str, start: str, job: Job, gold: str, repeat: int) -> dict[str, Any]:
    seconds = []
    for _ in range(repeat):
        begin = time.process_time()
        data = job()
        seconds.append(time.process_time() - begin)
    words = sum(line.split("\t", 1)[0].isdigit() for line in data.split("\n"))
    row: dict[str, Any] = {"model": name, "from": start, "words/s": round(words / min(seconds))}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predicted.conllu"
        file.write_text(data if "\t0\t" in data else rooted(data), encoding="utf-8")
        scores = conll18(gold, file)
    return row | {metric: round(value.f1, 2) for metric, value in scores.items()}


def rooted(data: str) -> str:
    """UDPipe's words without trees, each hung on the first: scores of attachment then mean nothing, the others do."""
    lines = []
    for line in data.split("\n"):
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdigit():
            fields[6:8] = ["0", "root"] if fields[0] == "1" else ["1", "dep"]
        lines.append("\t".join(fields))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", help="a treebank of CoNLL-U")
    parser.add_argument("--rearc", nargs="+", default=[], metavar="MODEL")
    parser.add_argument("--udpipe", metavar="MODEL", help="tokenizer and tagger")
    parser.add_argument("--parser", metavar="MODEL", help="UDPipe's parser")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    sentences = list(read(arguments.gold))
    text = running_text(sentences)
    words = bare(sentences)
    rows = []
    jobs = {Path(model).name: rearc_jobs(model, text, words) for model in arguments.rearc}
    if arguments.udpipe:
        jobs[Path(arguments.udpipe).name] = udpipe_jobs(arguments.udpipe, arguments.parser, text, words)
    for name, ways in jobs.items():
        for start, job in ways.items():
            rows.append(measure(name, start, job, arguments.gold, arguments.repeat))
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    names = list(rows[0])
    print("| " + " | ".join(names) + " |\n|" + " --- |" * len(names))
    for row in rows:
        print("| " + " | ".join(f"{row[name]:,}" if name == "words/s" else str(row[name]) for name in names) + " |")


if __name__ == "__main__":
    main()
