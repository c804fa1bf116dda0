"""Parsing over a real Ray of two workers, one of which is killed on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="no Ray here: pip install 'rearc[ray]' to test parsing on a cluster")
pytest.importorskip("pyarrow", reason="no Arrow here: pip install 'rearc[ray]'")
pytest.importorskip("pandas", reason="no pandas here: pip install 'rearc[ray]'")

import rearc.bridges.ray
from rearc.bridges.documents import RowError
from rearc.parser import Parser
from tests.bridges.documents import (
    DOCUMENTS,
    SENTENCES,
    Fragile,
    columns_are_right,
    in_order,
    loaded_once,
    on_one_machine,
    small,
)

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),  # of Ray, for its own settings
]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return small()


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For two workers, and for what Ray does beside them. Sockets need a short folder, so Ray chooses its own."""
    ray.init("local", num_cpus=4, include_dashboard=False, log_to_driver=False, configure_logging=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def rows(dataset: Any) -> list[dict[str, Any]]:
    tables = [ray.get(reference) for reference in dataset.to_arrow_refs()]
    filled = [table for table in tables if table.num_rows]
    assert all(columns_are_right(table.schema) for table in filled)
    return [row for table in filled for row in table.to_pylist()]


def test_texts_in_words_out_with_a_worker_killed(parser: Parser, tmp_path: Path):
    dataset = ray.data.from_items(DOCUMENTS, override_num_blocks=8)
    fragile = Fragile.of(parser, tmp_path / "mark", "Bob", deadly=True)
    parsed = rearc.bridges.ray.parse(dataset, fragile, concurrency=2, batch_size=2)
    found = rows(parsed)
    assert (tmp_path / "mark").read_text().isdecimal()  # a worker has been killed
    assert loaded_once(tmp_path / "mark")
    assert in_order(found) == on_one_machine(parser, DOCUMENTS)


def test_words_in_and_a_model_of_a_file(parser: Parser, tmp_path: Path):
    parser.save(tmp_path / "small.rearc")
    dataset = ray.data.from_items(SENTENCES, override_num_blocks=3)
    model = tmp_path / "small.rearc"
    parsed = rearc.bridges.ray.parse(dataset, model, column="words", keep=["doc"], concurrency=(1, 2))
    assert in_order(rows(parsed)) == on_one_machine(parser, SENTENCES)


def test_what_cannot_be_parsed_is_said_before_the_work_begins(parser: Parser):
    dataset = ray.data.from_items([{"id": 1, "text": "Dogs bark."}])
    with pytest.raises(RowError, match="found a column 'id' to keep, expected another name"):
        rearc.bridges.ray.parse(dataset, parser)
    with pytest.raises(RowError, match="found no column 'words', expected one of id, text"):
        rearc.bridges.ray.parse(dataset, parser, column="words")
    bare = Parser(parser._model, parser.tagger)
    with pytest.raises(RowError, match="expected lists of words, as this model has no segmenter"):
        rearc.bridges.ray.parse(dataset, bare, keep=[])
