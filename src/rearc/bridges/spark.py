"""Parsing on a Spark cluster: a data frame of texts becomes a data frame of words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rearc.bridges.documents import COLUMNS, RowError, check_segmenter, kept, parse_rows, parser_of
from rearc.bridges.needed import needed
from rearc.parser import Parser

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

EXTRA = "spark"
TYPES = {"int64": "LongType", "int32": "IntegerType", "string": "StringType"}  # Spark's names of Arrow's


def parse(
    frame: DataFrame,
    column: str = "text",
    model: Parser | str | os.PathLike[str] = "en",
    *,
    keep: Sequence[str] | None = None,
    tags: str = "auto",
) -> DataFrame:
    """A data frame with a row for each word: the columns kept of its document, then those of `to_arrow`.

    column: holds a text in each row, or the list of words of a sentence; null is no word.
    keep: columns that tell whose words these are; None keeps all but `column`.
    tags: as for `Parser.parse`.

    The model is sent to each executor once, by Spark's broadcast, and each Python process there loads it once. As many
    partitions are parsed at a time as there are cores; `frame.repartition(n)` makes more of them. Rows come back in any
    order: `.orderBy(…, "sentence", "id")` puts them in order.

    >>> texts = session.createDataFrame([(1, "Dogs bark. Why?")], ["doc", "text"])  # doctest: +SKIP
    >>> parse(texts, "text", "en").orderBy("doc", "sentence", "id").show()  # doctest: +SKIP
    """
    types = needed("pyspark.sql.types", EXTRA)
    needed("pyarrow", EXTRA)
    parser = parser_of(model, tags)
    chosen = kept(frame.columns, column, keep)
    kind = frame.schema[column].dataType
    if isinstance(kind, types.StringType):
        check_segmenter(parser)
    elif not (isinstance(kind, types.ArrayType) and isinstance(kind.elementType, types.StringType)):
        raise RowError(f"column {column!r}: found the type {kind.simpleString()}, expected string or array<string>")
    words = [types.StructField(name, getattr(types, TYPES[kind])()) for name, kind in COLUMNS.items()]
    schema = types.StructType([*(frame.schema[name] for name in chosen), *words])
    context = getattr(frame.sparkSession, "sparkContext", None)
    if context is None:
        raise RowError("found a session of Spark Connect, expected one with a SparkContext, to broadcast the model")
    names = ["`" + name.replace("`", "``") + "`" for name in dict.fromkeys([*chosen, column])]  # which may have dots
    return frame.select(*names).mapInArrow(Work(context.broadcast(parser), column, chosen, tags), schema)


class Work:
    """What is done with the batches of a partition, by a process that keeps what was broadcast."""

    def __init__(self, sent: Any, column: str, keep: Sequence[str], tags: str) -> None:
        self._sent, self._column, self._keep, self._tags = sent, column, keep, tags

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        parser: Parser = self._sent.value
        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            for words in parse_rows(parser, table, self._column, self._keep, self._tags):
                yield from words.combine_chunks().to_batches()
