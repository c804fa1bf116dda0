"""Ray and Spark on two local workers beside `parse_many(threads=2)`, on the same texts, one after the other.

    python benchmarks/bridges.py TREEBANK.conllu [--model MODEL] [--words 1000000] [--only spark]

The texts are those of the treebank, again and again, in documents of ten sentences, until there are enough words. Each
way goes from Parquet with texts to Parquet with a row for each word. Two figures a way: words/s of all of it, from the
start of the engine, and without what a job of ten sentences takes on the engine that runs already. The ratios are to
threads. Without a model a perceptron is trained on the treebank first, in about a minute. Spark needs Java; --only
leaves the other out.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

import rearc
from rearc.parser import Parser
from rearc.treebank import read

SENTENCES = 10  # of a document
BLOCK = 200  # documents that threads parse before they write
Job = Callable[[Path, Path], None]


def write_texts(treebank: str, words: int, file: Path, files: int = 16) -> int:
    """Documents in Parquet files, as many words in each; returns how many words there are."""
    texts = [(sentence.text, len(sentence)) for sentence in read(treebank)]
    documents, count, at = [], 0, 0
    while count < words:
        part = [texts[(at + k) % len(texts)] for k in range(SENTENCES)]
        documents.append(" ".join(text for text, _ in part))
        count += sum(size for _, size in part)
        at += SENTENCES
    file.mkdir()
    for k in range(files):
        rows = range(k, len(documents), files)
        table = pyarrow.table({"doc": list(rows), "text": [documents[n] for n in rows]})
        if len(rows):
            pyarrow.parquet.write_table(table, file / f"{k}.parquet")
    return count


def threads(parser: Parser) -> Job:
    """One process, two threads: segmented, parsed and written in blocks."""
    from rearc.bridges.documents import COLUMNS
    from rearc.parser.document import Numbering

    def run(given: Path, made: Path) -> None:
        assert parser.segmenter is not None
        made.mkdir()
        table = pyarrow.parquet.read_table(given)
        schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in COLUMNS.items()])

        def sentences() -> Iterator[Any]:
            for text in table["text"]:
                yield from Numbering().sentences(parser.segmenter.segment(text.as_py()))

        with pyarrow.parquet.ParquetWriter(made / "words.parquet", schema) as writer:
            for block in blocks(parser.parse_many(sentences(), threads=2), SENTENCES * BLOCK):
                writer.write_table(rearc.to_arrow(block).cast(schema))

    return run


def blocks(sentences: Iterable[Any], size: int) -> Iterator[list[Any]]:
    block: list[Any] = []
    for sentence in sentences:
        block.append(sentence)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block


def on_ray(parser: Parser) -> tuple[Job, Callable[[], None]]:
    import ray

    import rearc.bridges.ray

    # two workers parse; the other CPUs, which are only in Ray's books, are for those that read and write
    ray.init("local", num_cpus=4, include_dashboard=False, log_to_driver=False, configure_logging=False)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def run(given: Path, made: Path) -> None:
        # a block for each file; Ray's reader would make one of all these small files, for one worker
        blocks = [pyarrow.parquet.read_table(file) for file in sorted(given.iterdir())]
        rearc.bridges.ray.parse(ray.data.from_arrow(blocks), parser, concurrency=2).write_parquet(str(made))

    return run, ray.shutdown


def on_spark(parser: Parser) -> tuple[Job, Callable[[], None]]:
    import pyspark
    from pyspark.sql import SparkSession

    import rearc.bridges.spark

    os.environ |= {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": tempfile.gettempdir(),
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executor.memory", "1g").config("spark.log.level", "ERROR")
    builder = builder.config("spark.sql.files.maxPartitionBytes", "4m").config("spark.sql.files.openCostInBytes", "4m")
    session = builder.getOrCreate()

    def run(given: Path, made: Path) -> None:
        rearc.bridges.spark.parse(session.read.parquet(str(given)), "text", parser).write.parquet(str(made))

    return run, session.stop


def rows_of(folder: Path) -> int:
    return sum(pyarrow.parquet.read_metadata(file).num_rows for file in folder.rglob("*.parquet"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", help="a treebank of CoNLL-U")
    parser.add_argument("--model", help="a model with a segmenter")
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["ray", "spark"], help="beside threads")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    model = (
        rearc.load(arguments.model)
        if arguments.model
        else rearc.train(arguments.treebank, epochs=3, system="arc-hybrid")
    )
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_texts(arguments.treebank, 1, folder / "few", files=2)
        write_texts(arguments.treebank, arguments.words, folder / "texts")
        for way, make in (("threads", None), ("ray", on_ray), ("spark", on_spark)):
            if way != "threads" and arguments.only not in (None, way):
                continue
            begin = time.perf_counter()
            job, end = (threads(model), None) if make is None else make(model)
            job(folder / "few", folder / f"{way}-few")
            start = time.perf_counter() - begin
            begin = time.perf_counter()
            job(folder / "few", folder / f"{way}-again")
            again = time.perf_counter() - begin
            begin = time.perf_counter()
            job(folder / "texts", folder / way)
            seconds = time.perf_counter() - begin
            if end is not None:
                end()
            words = rows_of(folder / way)
            rows.append({"way": way, "words": words, "start, s": round(start, 1)})
            rows[-1] |= {"small job, s": round(again, 1), "seconds": round(seconds, 1)}
            rows[-1]["words/s with start"] = round(words / (start + seconds))
            rows[-1]["words/s"] = round(words / (seconds - again))
    assert len({row["words"] for row in rows}) == 1, rows
    for row in rows:
        row["ratio with start"] = round(row["words/s with start"] / rows[0]["words/s with start"], 2)
        row["ratio"] = round(row["words/s"] / rows[0]["words/s"], 2)
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    print("| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]))
    for row in rows:
        print(
            "| " + " | ".join(f"{value:,}" if isinstance(value, int) else str(value) for value in row.values()) + " |"
        )


if __name__ == "__main__":
    main()
