"""Vectors of words from outside, as people have them.

- text of GloVe, word2vec and fastText: a word and its numbers a line, plain or packed by gzip;
- word2vec's binary files, plain or packed by gzip;
- safetensors with one matrix, and beside it the words, one a line, in a file of the same name with `.txt` or `.vocab`;
- the folder of a spaCy pipeline with vectors.

Of any of them only what is needed stays in memory.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Container, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rearc.files.names import refused
from rearc.neural.vector_files import VectorError, binary_rows, is_binary, open_file, spacy_rows, tensor_rows, text_rows
from rearc.neural.vocabulary import word_of

FREQUENT = 50_000  # words that come first; their vectors are kept in any case

Row = NDArray[np.float32]


class Wanted:
    """Whether the vector of a form is kept: the first of its word, if the word is needed or among the frequent ones."""

    def __init__(self, needed: Container[str], frequent: int) -> None:
        self.needed = needed
        self.frequent = frequent
        self.count = 0
        self.seen: set[str] = set()

    def __call__(self, form: str) -> bool:
        self.count += 1
        word = word_of(form)
        if word in self.seen or (self.count > self.frequent and word not in self.needed):
            return False
        self.seen.add(word)
        return True


def read_vectors(
    file: str | os.PathLike[str], needed: Container[str], frequent: int = FREQUENT
) -> tuple[list[str], NDArray[np.float32]]:
    """The words of a file that are needed or frequent, and a row of numbers for each.

    frequent: of how many words that come first vectors are kept although they are not needed.
    """
    name = os.fspath(file)
    words: list[str] = []
    rows: list[Row] = []
    try:
        for form, row in _rows(name, Wanted(needed, frequent)):
            words.append(word_of(form))
            rows.append(row)
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            reason = refused(name, error, "a file of vectors")
            raise VectorError(f"{name}: found {reason.found}, expected a file of vectors; {reason.remedy}") from None
        raise VectorError(f"{name}: found a damaged gzip file, expected a file of vectors; copy it again") from None
    if not words:
        raise VectorError(f"{name}: found no vectors, expected a line for each word; check the file")
    return words, np.stack(rows)


def _rows(name: str, wanted: Wanted) -> Iterator[tuple[str, Row]]:
    if Path(name).is_dir():
        return spacy_rows(name, wanted)
    if name.endswith(".safetensors"):
        return tensor_rows(name, wanted)
    with open_file(name) as stream:
        binary = is_binary(stream)
    return binary_rows(name, wanted) if binary else text_rows(name, wanted)
