"""What a worker of Ray or Spark does with its rows, here without them."""

from collections.abc import Iterator
from typing import Any

import pytest

arrow = pytest.importorskip("pyarrow", reason="needs the extra tables")

from rearc.bridges import documents
from rearc.bridges.documents import RowError, kept, parse_rows, parser_of
from rearc.parser import Parser
from tests.bridges.documents import DOCUMENTS, SENTENCES, columns_are_right, on_one_machine, small


@pytest.fixture(scope="module")
def parser() -> Parser:
    return small()


def rows(tables: Iterator[Any]) -> list[dict[str, Any]]:
    return [row for table in tables for row in table.to_pylist()]


@pytest.mark.parametrize("piece", [1, 100, 1_000_000])
def test_pieces_of_any_size_say_the_same(piece: int, parser: Parser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(documents, "PIECE", piece)
    for given, column in ((DOCUMENTS, "text"), (SENTENCES, "words")):
        tables = list(parse_rows(parser, arrow.Table.from_pylist(given), column, ["doc"]))
        assert all(columns_are_right(table.schema) for table in tables)
        assert (len(tables) == 1) == (piece == 1_000_000)
        assert rows(iter(tables)) == on_one_machine(parser, given)


def test_what_is_kept_goes_with_each_word(parser: Parser):
    table = arrow.table(
        {
            "path": arrow.chunked_array([["a"], ["b"]]),
            "facts": [{"year": 1}, None],
            "text": ["Owls see. Bob snores.", "Why?"],
        }
    )
    words = rows(parse_rows(parser, table, "text", kept(table.column_names, "text", None)))
    assert {(row["path"], str(row["facts"])) for row in words} == {("a", "{'year': 1}"), ("b", "None")}
    assert {row["sentence"] for row in words if row["path"] == "b"} == {0}
    assert "text" not in words[0]
    assert rows(parse_rows(parser, table, "text", ["text"]))[-1]["text"] == "Why?"


def test_nothing(parser: Parser):
    empty = arrow.table({"text": arrow.array([], arrow.string())})
    assert rows(parse_rows(parser, empty, "text", [])) == []
    (table,) = parse_rows(parser, arrow.table({"doc": [1], "text": [""]}), "text", ["doc"])
    assert table.num_rows == 0
    assert columns_are_right(table.schema)


@pytest.mark.parametrize(
    ("value", "found"), [([["a", None]], r"\['a', None\]"), ([7], "7"), ([[["a"]]], r"\[\['a'\]\]")]
)
def test_rows_that_are_neither_text_nor_words(value: list[Any], found: str, parser: Parser):
    table = arrow.table({"words": value})
    with pytest.raises(RowError, match=f"row 1, column 'words': found {found}, expected a text or a list of words"):
        rows(parse_rows(parser, table, "words", []))


def test_models_that_cannot_be_sent(parser: Parser):
    with pytest.raises(RowError, match="found int for a model, expected a Parser, the path of a model or its name"):
        parser_of(3, "auto")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="found tags='never'"):
        parser_of(parser, "never")
