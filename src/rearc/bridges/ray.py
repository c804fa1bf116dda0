"""Parsing on a Ray cluster: a dataset of texts becomes a dataset of words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rearc.bridges.documents import RowError, check_segmenter, kept, parse_rows, parser_of
from rearc.bridges.needed import needed
from rearc.parser import Parser

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

EXTRA = "ray"
BATCH = 256  # rows that a worker is given at a time
SHARE = 0.5  # of a CPU, in Ray's books: beside as many workers as CPUs, reading and writing still find a place


def parse(
    dataset: Dataset,
    model: Parser | str | os.PathLike[str] = "en",
    *,
    column: str = "text",
    keep: Sequence[str] | None = None,
    tags: str = "auto",
    concurrency: int | tuple[int, int] | None = None,
    batch_size: int = BATCH,
    **remote: Any,
) -> Dataset:
    """A dataset with a row for each word: the columns kept of its document, then those of `to_arrow`.

    column: holds a text in each row, or the list of words of a sentence; null is no word.
    keep: columns that tell whose words these are; None keeps all but `column`.
    tags: as for `Parser.parse`.
    concurrency: workers, or the fewest and the most of them; None is from one to the CPUs of the cluster. Each loads
    the model once and keeps one core busy. A worker that dies is started anew, and what it had to do is done again.
    remote: further options of Ray for a worker, such as memory=2**30 or num_cpus=1.

    Rows come back in any order. `dataset.sort([…, "sentence", "id"])` puts them in order.

    >>> import ray  # doctest: +SKIP
    >>> texts = ray.data.from_items([{"doc": 1, "text": "Dogs bark. Why?"}])  # doctest: +SKIP
    >>> parse(texts).sort(["doc", "sentence", "id"]).take_all()  # doctest: +SKIP
    """
    needed("pyarrow", EXTRA)
    ray, data = needed("ray", EXTRA), needed("ray.data", EXTRA)
    parser = parser_of(model, tags)
    schema = dataset.schema(fetch_if_missing=False)  # which is known unless something is to be computed first
    if schema is not None:
        kept(schema.names, column, keep)
        if _is_text(dict(zip(schema.names, schema.types, strict=True))[column]):
            check_segmenter(parser)
    if concurrency is None:
        concurrency = 1, max(1, int(ray.cluster_resources().get("CPU", 1)))
    least, most = concurrency if isinstance(concurrency, tuple) else (concurrency, concurrency)
    return dataset.map_batches(
        Worker,
        fn_constructor_args=(ray.put(parser), column, keep, tags),  # once in the memory of each machine
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=data.ActorPoolStrategy(min_size=least, max_size=most),
        **{"num_cpus": SHARE, **remote},
    )


class Worker:
    """What a worker of Ray keeps: the parser."""

    def __init__(self, stored: Any, column: str, keep: Sequence[str] | None, tags: str) -> None:
        import ray

        if not ray.is_initialized():  # else Ray would start a cluster here
            raise RowError("found no Ray around this worker, expected it to be made by Ray; call parse")
        self._parser: Parser = ray.get(stored)
        self._column, self._keep, self._tags = column, keep, tags

    def __call__(self, table: pyarrow.Table) -> Iterator[pyarrow.Table]:
        keep = kept(table.column_names, self._column, self._keep)
        return parse_rows(self._parser, table, self._column, keep, self._tags)


def _is_text(kind: Any) -> bool:
    arrow = needed("pyarrow", EXTRA)
    return bool(arrow.types.is_string(kind) or arrow.types.is_large_string(kind))
