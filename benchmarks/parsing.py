"""Parsing beside UDPipe 1 and spaCy on the same words and tags, one core, one run after the other.

    python benchmarks/parsing.py GOLD.conllu --udpipe MODEL.udpipe --spacy FOLDER --rearc MODEL.rearc [MODEL.rearc …]
    python benchmarks/parsing.py GOLD.conllu --spacy FOLDER --bare MODEL.rearc [MODEL.rearc …]

For each model: words/s of parsing alone (sentences in memory before and after) and with reading and writing, the best
of --repeat runs, peak memory of its process, UAS and LAS over all words. UDPipe parses greedily and with a beam of 5.
FOLDER is a pipeline of spaCy (`spacy convert`, `spacy init config -p parser`, `spacy train`), or a package with one;
what it has beside taggers and a parser does not run. It sees bare words; so do the models behind --bare, which predict
all tags that they can, while those behind --rearc get the tags in the file.
Seconds are CPU time, which others on the machine disturb least, or those of the clock with several threads.
Pin it to one core: `OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/parsing.py …`; --threads 2 wants two.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SPACY = ("tok2vec", "transformer", "tagger", "morphologizer", "parser")  # of a pipeline: what tags and parses


def measure_udpipe(model: str, gold: str, output: str, beam: int, repeat: int) -> dict[str, Any]:
    """model: a parser, or a tagger and a parser separated by a comma, which see bare words."""
    import ufal.udpipe as ud

    *taggers, loaded = (ud.Model.load(name) for name in model.split(","))
    if not loaded or not all(taggers):
        raise SystemExit(f"cannot load {model}")

    def read() -> list[Any]:
        reader, error, sentences = ud.InputFormat.newConlluInputFormat(), ud.ProcessingError(), []
        reader.setText(Path(gold).read_text(encoding="utf-8"))
        sentence = ud.Sentence()
        while reader.nextSentence(sentence, error):
            sentence.unlinkAllNodes()
            sentences.append(sentence)
            sentence = ud.Sentence()
        return sentences

    def parse(sentences: list[Any]) -> None:
        error = ud.ProcessingError()
        for sentence in sentences:
            for tagger in taggers:
                tagger.tag(sentence, ud.Model.DEFAULT, error)
            loaded.parse(sentence, f"beam_search={beam}", error)
        if error.occurred():
            raise SystemExit(error.message)

    def write(sentences: list[Any]) -> None:
        writer = ud.OutputFormat.newConlluOutputFormat()
        with Path(output).open("w", encoding="utf-8") as stream:
            for sentence in sentences:
                stream.write(writer.writeSentence(sentence))

    return timed(
        read, parse, write, lambda sentences: sum(len(s.words) - 1 for s in sentences), repeat, time.process_time
    )


def measure_spacy(pipeline: str, gold: str, output: str, _: int, repeat: int) -> dict[str, Any]:
    import spacy

    import rearc
    from rearc.treebank import Sentence

    nlp = spacy.load(pipeline)
    nlp.select_pipes(enable=[name for name in nlp.pipe_names if name in SPACY])
    parsed: list[Any] = []

    def parse(docs: list[Any]) -> None:
        parsed[:] = nlp.pipe(docs)

    def write(_: list[Any]) -> None:
        rearc.write(map(sentence, parsed), output)

    def sentence(doc: Any) -> Sentence:
        heads = [0 if token.head.i == token.i else token.head.i + 1 for token in doc]
        return Sentence(
            [token.text for token in doc],
            heads=heads,
            deprels=["root" if not head else token.dep_ for head, token in zip(heads, doc, strict=True)],
        )

    return timed(
        lambda: [spacy.tokens.Doc(nlp.vocab, words=s.forms) for s in rearc.read(gold)],
        parse,
        write,
        lambda docs: sum(map(len, docs)),
        repeat,
        time.process_time,
    )


def measure_rearc(model: str, gold: str, output: str, threads: int, repeat: int, tags: str = "given") -> dict[str, Any]:
    import rearc

    parser = rearc.load(model)
    parsed: list[Any] = []

    def parse(sentences: list[Any]) -> None:
        parsed[:] = parser.parse_many(sentences, threads=threads, tags=tags)

    return timed(
        lambda: [s if tags == "given" else rearc.Sentence(s.forms) for s in rearc.read(gold)],
        parse,
        lambda _: rearc.write(parsed, output),
        lambda sentences: sum(map(len, sentences)),
        repeat,
        time.process_time if threads == 1 else time.perf_counter,
    )


def measure_bare(model: str, gold: str, output: str, threads: int, repeat: int) -> dict[str, Any]:
    return measure_rearc(model, gold, output, threads, repeat, "predict")


def timed(read: Any, parse: Any, write: Any, count: Any, repeat: int, clock: Callable[[], float]) -> dict[str, Any]:
    parse(read()[:5])  # what is built lazily is built now
    alone, whole = [], []
    for _ in range(repeat):
        begin = clock()
        sentences = read()
        middle = clock()
        parse(sentences)
        alone.append(clock() - middle)
        write(sentences)
        whole.append(clock() - begin)
    words = count(sentences)
    return {
        "words_per_second": round(words / min(alone)),
        "with_reading_and_writing": round(words / min(whole)),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


MEASURES = {"udpipe": measure_udpipe, "spacy": measure_spacy, "rearc": measure_rearc, "bare": measure_bare}
Job = tuple[str, str, int]  # what measures it, the model, and the beam or the threads


def measured(gold: str, jobs: list[Job], repeat: int, subtypes: bool = True) -> list[dict[str, Any]]:
    """Each job in a process of its own, one after the other."""
    from rearc import evaluate

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, model, option in jobs:
            output = str(Path(folder) / "out.conllu")
            job = json.dumps([kind, model, option, output])
            command = [sys.executable, __file__, gold, "--repeat", str(repeat), "--only", job]
            row = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            scores = evaluate(gold, output, subtypes=subtypes)
            name = f"{Path(model).name}, {f'beam {option}' if kind == 'udpipe' else f'{option} thread(s)'}"
            rows.append({"parser": name, **row, "uas": round(scores.uas, 2), "las": round(scores.las, 2)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold")
    parser.add_argument("--udpipe", action="append", default=[])
    parser.add_argument("--spacy", action="append", default=[])
    parser.add_argument("--rearc", nargs="+", default=[])
    parser.add_argument("--bare", nargs="+", default=[])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", help=argparse.SUPPRESS)  # a job, in a process of its own
    args = parser.parse_args()
    if args.only:
        kind, model, option, output = json.loads(args.only)
        print(json.dumps(MEASURES[kind](model, args.gold, output, option, args.repeat)))
        return
    jobs = [("udpipe", model, beam) for model in args.udpipe for beam in (1, 5)]
    jobs += [("spacy", pipeline, 1) for pipeline in args.spacy]
    jobs += [("rearc", model, args.threads) for model in args.rearc]
    jobs += [("bare", model, args.threads) for model in args.bare]
    rows = measured(args.gold, jobs, args.repeat)
    base = rows[0]["words_per_second"]
    for row in rows:
        row["ratio"] = round(row["words_per_second"] / base, 2)
    if args.json:
        print(json.dumps(rows, indent=2))
        return
    widths = {key: max(len(key), *(len(str(row[key])) for row in rows)) for key in rows[0]}
    for row in [dict(zip(widths, widths, strict=True)), *rows]:
        print("  ".join(f"{row[key]!s:<{width}}" for key, width in widths.items()))


if __name__ == "__main__":
    main()
