"""Parsing over a real Spark of two executors, in which a task fails once."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pyspark = pytest.importorskip("pyspark", reason="no Spark here: pip install 'rearc[spark]'")
pytest.importorskip("pyarrow", reason="no Arrow here: pip install 'rearc[spark]'")
pytest.importorskip("pandas", reason="no pandas here: pip install 'rearc[spark]'")

import rearc.bridges.spark
from rearc.bridges.documents import RowError
from rearc.parser import Parser
from tests.bridges.documents import DOCUMENTS, ORDER, SENTENCES, Fragile, loaded_once, on_one_machine, small

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(shutil.which("java") is None, reason="no Java here, which Spark needs"),
    pytest.mark.filterwarnings("ignore:distutils Version classes are deprecated:DeprecationWarning"),  # Spark's own
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # those to Java, which Spark leaves open
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return small()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two executors of one core each, in processes of their own."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_WORKER_DIR", str(folder))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
        settings = {
            "spark.ui.enabled": "false",
            "spark.executor.memory": "1g",
            "spark.local.dir": str(folder),
            "spark.sql.warehouse.dir": str(folder),
            "spark.sql.shuffle.partitions": "2",
            "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
            "spark.log.level": "ERROR",
        }
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        interrupt = signal.getsignal(signal.SIGINT)
        session = builder.getOrCreate()
        yield session
        session.stop()
        signal.signal(signal.SIGINT, interrupt)  # Spark leaves its own behind, which fails without a session


def words(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict() for row in frame.orderBy(*ORDER).collect()]


def test_texts_in_words_out_with_a_task_that_fails(session: Any, parser: Parser, tmp_path: Path):
    frame = session.createDataFrame(DOCUMENTS, "doc long, text string").repartition(6)
    fragile = Fragile.of(parser, tmp_path / "mark", "Bob", deadly=False)
    parsed = rearc.bridges.spark.parse(frame, "text", fragile)
    assert words(parsed) == on_one_machine(parser, DOCUMENTS)
    assert (tmp_path / "mark").read_text().isdecimal()  # a task has failed
    assert loaded_once(tmp_path / "mark")


def test_words_in_and_a_model_of_a_file(session: Any, parser: Parser, tmp_path: Path):
    parser.save(tmp_path / "small.rearc")
    frame = session.createDataFrame(SENTENCES, "doc long, words array<string>")
    parsed = rearc.bridges.spark.parse(frame, "words", tmp_path / "small.rearc", keep=["doc"])
    assert words(parsed) == on_one_machine(parser, SENTENCES)


def test_what_cannot_be_parsed_is_said_before_the_work_begins(session: Any, parser: Parser):
    frame = session.createDataFrame([(1, "Dogs bark.")], ["id", "text"])
    with pytest.raises(RowError, match="found a column 'id' to keep, expected another name"):
        rearc.bridges.spark.parse(frame, "text", parser)
    with pytest.raises(RowError, match="found no column 'words', expected one of id, text"):
        rearc.bridges.spark.parse(frame, "words", parser)
    with pytest.raises(RowError, match=r"column 'id': found the type bigint, expected string or array<string>"):
        rearc.bridges.spark.parse(frame, "id", parser, keep=["text"])
    bare = Parser(parser._model, parser.tagger)
    with pytest.raises(RowError, match="expected lists of words, as this model has no segmenter"):
        rearc.bridges.spark.parse(frame, "text", bare, keep=[])
