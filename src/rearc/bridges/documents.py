"""Rows of a table that hold a text or the words of a sentence, parsed: what Ray's workers do, and Spark's.

A row of words has the columns that were kept of the document, and those of `to_arrow`. They tell where it belongs: the
documents in whatever order they come back can be sorted by what was kept, the words by `sentence` and `id`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rearc.bridges.needed import needed
from rearc.bridges.tables import EXTRA, to_arrow
from rearc.errors import RearcError
from rearc.parser import Parser, load
from rearc.parser.document import Numbering
from rearc.treebank import Sentence

if TYPE_CHECKING:
    import pyarrow

# Of a table that comes out. Dictionaries are strings here: each partition would have another one.
COLUMNS = {
    "sentence": "int64", "sent_id": "string", "id": "int32", "form": "string", "lemma": "string", "upos": "string",
    "xpos": "string", "feats": "string", "head": "int32", "deprel": "string", "deps": "string", "misc": "string",
}  # fmt: skip
PIECE = 200_000  # characters that are parsed together, more or less: what a worker has in memory at a time
MODEL = "a Parser, the path of a model or its name"


class RowError(RearcError):
    """A table whose rows cannot be parsed as they are."""


def parser_of(model: Parser | str | os.PathLike[str], tags: str) -> Parser:
    """The parser that is to travel: it pickles as a name if it comes with rearc, else as all that is in its file."""
    if not isinstance(model, (Parser, str, os.PathLike)):
        raise RowError(f"found {type(model).__name__} for a model, expected {MODEL}")
    parser = model if isinstance(model, Parser) else load(model)
    parser._check_tags(tags)
    return parser


def kept(names: Sequence[str], column: str, keep: Sequence[str] | None) -> list[str]:
    """The columns of documents that go with each word: those asked for, or all but the one that is parsed.

    >>> kept(["doc", "text"], "text", None)
    ['doc']
    """
    chosen = [name for name in names if name != column] if keep is None else list(keep)
    for name in (column, *chosen):
        if name not in names:
            raise RowError(f"found no column {name!r}, expected one of {', '.join(names)}")
    for name in chosen:
        if name in COLUMNS:
            raise RowError(
                f"found a column {name!r} to keep, expected another name: each word has {name!r} of its own; rename it"
            )
    return chosen


def check_segmenter(parser: Parser) -> None:
    """A model that cannot read text is refused where the work begins, not in a worker."""
    if parser.segmenter is None:
        raise RowError(
            "found texts, expected lists of words, as this model has no segmenter; "
            "give lists of words, or train a model with a segmenter"
        )


def parse_rows(
    parser: Parser, table: pyarrow.Table, column: str, keep: Sequence[str], tags: str = "auto"
) -> Iterator[pyarrow.Table]:
    """The words of each row that is not null: of a text as `parser(text)` finds them, or a list of words as given."""
    arrow = needed("pyarrow", EXTRA)
    values = table[column]
    start, size = 0, 0
    documents: list[list[Sentence]] = []
    for place in range(len(values)):
        value = values[place].as_py()
        documents.append(_sentences(parser, value, place, column))
        size += len(value) if isinstance(value, str) else sum(map(len, documents[-1])) * 5
        if size >= PIECE or place + 1 == len(values):
            yield _table(arrow, parser, documents, table.select(keep).slice(start, len(documents)), tags)
            start, size, documents = place + 1, 0, []


def _sentences(parser: Parser, value: Any, place: int, column: str) -> list[Sentence]:
    """Those of one document, not parsed yet."""
    if value is None:
        return []
    if isinstance(value, str):
        check_segmenter(parser)
        return list(Numbering().sentences(parser.segmenter.segment(value)))  # type: ignore[union-attr]
    words = list(value) if hasattr(value, "__iter__") else None
    if words is None or any(not isinstance(word, str) for word in words):
        found = shown(value)
        raise RowError(f"row {place + 1}, column {column!r}: found {found}, expected a text or a list of words")
    return [Sentence(words)] if words else []


def shown(value: Any) -> str:
    """The beginning of a value."""
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _table(arrow: Any, parser: Parser, documents: list[list[Sentence]], owners: Any, tags: str) -> Any:
    sizes = np.array([len(sentences) for sentences in documents], dtype=np.int64)
    first = np.cumsum(sizes) - sizes  # sentence of each document
    flat = [sentence for sentences in documents for sentence in sentences]
    words = to_arrow(parser.parse_many(flat, tags=tags))
    number = words["sentence"].to_numpy()
    owner = np.repeat(np.arange(len(documents)), sizes)[number]  # the document of each word
    columns = {name: column.combine_chunks() for name, column in zip(owners.column_names, owners.columns, strict=True)}
    result = {name: column.take(arrow.array(owner)) for name, column in columns.items()}
    result["sentence"] = arrow.array(number - first[owner])
    for name, kind in COLUMNS.items():
        result.setdefault(name, words[name].cast(arrow.type_for_alias(kind)))
    return arrow.table({name: result[name] for name in (*columns, *COLUMNS)})
