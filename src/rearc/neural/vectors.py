"""Vectors of words from outside: the text files of GloVe, word2vec and fastText, plain or packed by gzip."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Container, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from rearc.errors import RearcError
from rearc.files.names import refused
from rearc.neural.vocabulary import word_of

FREQUENT = 50_000  # of the words that come first, which are the frequent ones, vectors are kept in any case


class VectorError(RearcError):
    """A file of vectors cannot be used; the message says where, what was found, what was expected and what to do."""


def read_vectors(file: str | os.PathLike[str], needed: Container[str]) -> tuple[list[str], NDArray[np.float32]]:
    """The words of a file that are needed or frequent, and a row of numbers for each.

    A line has a word and its numbers; the first line may tell how many words and numbers there are.
    """
    name = os.fspath(file)
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    seen: set[str] = set()
    size = 0
    try:
        with _open(name) as stream:
            for number, line in enumerate(_lines(name, stream), 1):
                fields = line.rstrip().split(" ")
                if number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
                    size = int(fields[1])
                    continue
                size = size or len(fields) - 1
                if size < 1 or len(fields) <= size:
                    raise _broken(name, number, f"{len(fields) - 1} numbers", f"a word and {size or 'some'} numbers")
                form = " ".join(fields[:-size])  # a few of GloVe's words have spaces in them
                word = word_of(form)
                if word in seen or (number > FREQUENT and word not in needed):
                    _check_numbers(name, number, fields[-1:])
                    continue
                seen.add(word)
                words.append(word)
                rows.append(_check_numbers(name, number, fields[-size:]))
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            reason = refused(name, error, "a file of vectors")
            raise VectorError(f"{name}: found {reason.found}, expected a file of vectors; {reason.remedy}") from None
        raise VectorError(f"{name}: found a damaged gzip file, expected a file of vectors; copy it again") from None
    if not words:
        raise VectorError(f"{name}: found no vectors, expected a line for each word; check the file")
    return words, np.stack(rows)


def _open(name: str) -> BinaryIO:
    return gzip.open(name, "rb") if name.endswith(".gz") else Path(name).open("rb")  # type: ignore[return-value]


def _lines(name: str, stream: BinaryIO) -> Iterator[str]:
    for number, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise _broken(name, number, "bytes that are no UTF-8", "text in UTF-8") from None


def _check_numbers(name: str, number: int, fields: list[str]) -> NDArray[np.float32]:
    try:
        with np.errstate(over="ignore"):  # which is infinite then
            row = np.array(fields, dtype=np.float32)
    except ValueError:
        wrong = next(field for field in fields if not _is_number(field))
        raise _broken(name, number, repr(wrong[:20]), "a number") from None
    if not np.isfinite(row).all():
        raise _broken(name, number, "a number that is not finite", "finite numbers")
    return row


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _broken(name: str, line: int, found: str, wanted: str) -> VectorError:
    return VectorError(f"{name}:{line}: found {found}, expected {wanted}; mend or remove the line")
