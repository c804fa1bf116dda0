"""Sentences as tables with a row for each word: Arrow, pandas, and Polars through Arrow.

What a treebank leaves out (`_` in the file) is null. Columns with few different values (tags, features, labels) are
dictionaries, which pandas calls categories.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from rearc.bridges.needed import needed
from rearc.treebank import Sentence

if TYPE_CHECKING:
    import pandas
    import pyarrow

EXTRA = "tables"
PLAIN = ("lemma", "deps", "misc")
REPEATED = ("upos", "xpos", "feats", "deprel")
_OF_SENTENCES = {"lemma": "lemmas", "deprel": "deprels"}  # where the column has another name there


def to_arrow(sentences: Sentence | Iterable[Sentence]) -> pyarrow.Table:
    """The words of sentences as an Arrow table. Needs the extra `tables`.

    sentence counts from 0, id from 1; head is 0 at the root, and null where it is not known.

    >>> table = to_arrow([Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])])
    >>> table.select(["sentence", "id", "form", "head", "deprel"]).to_pylist()[0]
    {'sentence': 0, 'id': 1, 'form': 'Dogs', 'head': 2, 'deprel': 'nsubj'}
    """
    arrow = needed("pyarrow", EXTRA)
    given = [sentences] if isinstance(sentences, Sentence) else list(sentences)
    sizes = np.array([len(sentence) for sentence in given], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    place = np.repeat(np.arange(len(given), dtype=np.int64), sizes)
    names = arrow.array([sentence.sent_id for sentence in given], type=arrow.string())
    forms = _joined(given, "forms")
    columns: dict[str, Any] = {
        "sentence": place,
        "sent_id": names.take(arrow.array(place)).dictionary_encode(),
        "id": (np.arange(len(place)) - starts[place] + 1).astype(np.int32),
        "form": arrow.array(forms, type=arrow.string()),
    }
    for name in (*PLAIN, *REPEATED):
        values = _joined(given, _OF_SENTENCES.get(name, name))
        known = [
            None if value == "_" and not (name == "lemma" and form == "_") else value
            for value, form in zip(values, forms, strict=True)
        ]
        column = arrow.array(known, type=arrow.string())
        columns[name] = column.dictionary_encode() if name in REPEATED else column
    columns["head"] = _heads(arrow, given)
    order = ("sentence", "sent_id", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
    return arrow.table({name: columns[name] for name in order})


def to_pandas(sentences: Sentence | Iterable[Sentence]) -> pandas.DataFrame:
    """The words of sentences as a data frame, with the columns of `to_arrow`. Needs the extra `tables`.

    >>> frame = to_pandas([Sentence(["Dogs", "bark"], heads=[2, 0])])
    >>> frame["form"].tolist(), frame["head"].tolist()
    (['Dogs', 'bark'], [2, 0])
    """
    pandas = needed("pandas", EXTRA)
    table = to_arrow(sentences)
    return table.to_pandas(types_mapper={needed("pyarrow", EXTRA).int32(): pandas.Int32Dtype()}.get)


def _joined(sentences: list[Sentence], column: str) -> list[str]:
    return [value for sentence in sentences for value in getattr(sentence, column)]


def _heads(arrow: Any, sentences: list[Sentence]) -> Any:
    trees = [s.tree[1:] if s.has_tree else np.full(len(s), -1, dtype=np.int32) for s in sentences]
    heads = np.concatenate(trees) if trees else np.zeros(0, dtype=np.int32)
    return arrow.array(heads, mask=heads < 0) if (heads < 0).any() else arrow.array(heads)
