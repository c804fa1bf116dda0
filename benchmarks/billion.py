"""What a billion words cost: words a second on one core from raw text to trees, and the arithmetic to a cluster.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/billion.py TREEBANK.conllu --rearc en my.rearc \\
        --udpipe TAGGER.udpipe --parser PARSER.udpipe --spacy --price 0.05

Raw text is the `# text` lines of the treebank joined by single spaces. CPU seconds, the best of --repeat runs, one
after the other in one process. UDPipe 1 splits and tags with one model and parses with another, greedily and with its
usual beam of 5. spaCy's parser, tagger, morphologizer and lemmatizer have weights as they are before training: this
tells how fast they are, and nothing else. --price is that of a core for an hour.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline import bare, rearc_jobs

from rearc.treebank import Sentence, read

HOUR = 3600
BILLION = 1_000_000_000
Job = Callable[[], int]  # how many words there were


def rearc_job(model: str, text: str, words: list[Sentence]) -> Job:
    raw = rearc_jobs(model, text, words)["raw"]
    return lambda: _rows(raw())


def udpipe_job(model: str, parser: str, beam: str, text: str) -> Job:
    from ufal.udpipe import Model, Pipeline, ProcessingError

    first, second = Model.load(model), Model.load(parser)

    def run() -> int:
        error = ProcessingError()
        data = Pipeline(first, "tokenize", Pipeline.DEFAULT, Pipeline.NONE, "conllu").process(text, error)
        data = Pipeline(second, "conllu", Pipeline.NONE, beam, "conllu").process(data, error)
        if error.occurred():
            raise SystemExit(error.message)
        return _rows(data)

    return run


def spacy_job(sentences: list[Sentence]) -> Job:
    import spacy
    from spacy.training import Example

    from rearc.bridges.spacy import to_doc

    nlp = spacy.blank("en")
    for pipe in ("tok2vec", "tagger", "morphologizer", "trainable_lemmatizer", "parser"):
        shared = {"model": {"tok2vec": {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}}}
        nlp.add_pipe(pipe, config={} if pipe == "tok2vec" else shared)
    docs = [to_doc([sentence], nlp.vocab) for sentence in sentences if sentence.heads.count(0) == 1]
    nlp.initialize(lambda: [Example(nlp.make_doc(doc.text), doc) for doc in docs[:500]])
    texts = [" ".join(s.text for s in sentences[k : k + 20]) for k in range(0, len(sentences), 20)]
    return lambda: sum(len(doc) for doc in nlp.pipe(texts, batch_size=64))


def _rows(conllu: str) -> int:
    return sum(line.split("\t", 1)[0].isdigit() for line in conllu.split("\n"))


def measure(name: str, job: Job, repeat: int, price: float) -> dict[str, Any]:
    speeds = []
    for _ in range(repeat):
        begin = time.process_time()
        words = job()
        speeds.append(words / (time.process_time() - begin))
    hours = BILLION / max(speeds) / HOUR
    row = {"parser": name, "words/s": f"{max(speeds):,.0f}", "core hours": f"{hours:,.1f}"}
    return row | {"hours on 100 cores": f"{hours / 100:.2f}", "cost": f"{hours * price:,.2f}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", help="a treebank of CoNLL-U")
    parser.add_argument("--rearc", nargs="+", default=["en"], metavar="MODEL")
    parser.add_argument("--udpipe", metavar="MODEL", help="tokenizer and tagger")
    parser.add_argument("--parser", metavar="MODEL", help="UDPipe's parser")
    parser.add_argument("--spacy", action="store_true")
    parser.add_argument("--price", type=float, default=0.05, help="of a core for an hour")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    sentences = list(read(arguments.treebank))
    text, words = " ".join(s.text for s in sentences), bare(sentences)
    jobs: dict[str, Job] = {}
    for model in arguments.rearc:
        jobs[f"rearc, {Path(model).name}"] = rearc_job(model, text, words)
    if arguments.udpipe:
        jobs["UDPipe 1, greedy"] = udpipe_job(arguments.udpipe, arguments.parser, "beam_search=1", text)
        jobs["UDPipe 1, beam 5"] = udpipe_job(arguments.udpipe, arguments.parser, "beam_search=5", text)
    if arguments.spacy:
        jobs["spaCy, speed only"] = spacy_job(sentences)
    rows = [measure(name, job, arguments.repeat, arguments.price) for name, job in jobs.items()]
    print("| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(row.values()) + " |")


if __name__ == "__main__":
    main()
