"""The formats that vectors of words come in. Each is read row by row; what is not wanted is passed over."""

from __future__ import annotations

import gzip
import json
import mmap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rearc.errors import RearcError
from rearc.files.tensors import decode_tensors

LONGEST = 1 << 16  # bytes of a word of a binary file
MOST = 1 << 14  # numbers of a vector

Row = NDArray[np.float32]
Rows = Iterator[tuple[str, Row]]
Wanted = Callable[[str], bool]


class VectorError(RearcError):
    """A file of vectors cannot be used; the message says where, what was found, what was expected and what to do."""


def open_file(name: str) -> BinaryIO:
    return gzip.open(name, "rb") if name.endswith(".gz") else Path(name).open("rb")  # type: ignore[return-value]


# ---- text


def text_rows(name: str, wanted: Wanted) -> Rows:
    """A line has a word and its numbers; the first line may tell how many words and numbers there are."""
    size = 0
    with open_file(name) as stream:
        for number, line in enumerate(_lines(name, stream), 1):
            fields = line.rstrip().split(" ")
            if number == 1 and _counts(fields):
                size = int(fields[1])
                continue
            size = size or len(fields) - 1
            if size < 1 or len(fields) <= size:
                raise _broken(name, number, f"{len(fields) - 1} numbers", f"a word and {size or 'some'} numbers")
            form = " ".join(fields[:-size])  # a few of GloVe's words have spaces in them
            if wanted(form):
                yield form, _numbers(name, number, fields[-size:])
            else:
                _numbers(name, number, fields[-1:])


def _lines(name: str, stream: BinaryIO) -> Iterator[str]:
    for number, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise _broken(name, number, "bytes that are no UTF-8", "text in UTF-8") from None


def _counts(fields: list[str]) -> bool:
    return len(fields) == 2 and all(field.isdigit() for field in fields)


def _numbers(name: str, number: int, fields: list[str]) -> Row:
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


# ---- word2vec's binary files


def is_binary(stream: BinaryIO) -> bool:
    """Whether a file begins with two counts and then has bytes that no text has."""
    head = stream.readline(100)
    if not head.endswith(b"\n") or not _counts(head.decode("utf-8", "replace").split()):
        return False
    return any(byte < 32 and byte not in b"\t\n\r" for byte in stream.read(4096))


def binary_rows(name: str, wanted: Wanted) -> Rows:
    """Two counts in a line; then for each word its bytes, a space, and its numbers in 32 bits; mostly a line end behind
    them."""
    with open_file(name) as stream:
        count, size = (int(field) for field in stream.readline(100).split())
        if not 1 <= size <= MOST:
            raise VectorError(f"{name}: found vectors of {size} numbers, expected 1 to {MOST:,}; check the file")
        rest, at = b"", 0
        for number in range(1, count + 1):
            while (space := rest.find(b" ", at)) < 0 or len(rest) < space + 1 + 4 * size:
                if space < 0 and len(rest) - at > LONGEST:
                    raise _cut(name, number, "no end of the word")
                more = stream.read(1 << 20)
                if not more:
                    raise _cut(name, number, f"the end of the file where {count:,} words were to come")
                rest, at = rest[at:] + more, 0
            word, end = rest[at:space].lstrip(b"\n"), space + 1 + 4 * size
            row = np.frombuffer(rest, dtype="<f4", count=size, offset=space + 1)
            at = end
            try:
                form = word.decode("utf-8")
            except UnicodeDecodeError:
                continue  # word2vec cuts long words anywhere
            if wanted(form):
                yield form, _finite(name, form, row.astype(np.float32))


def _cut(name: str, number: int, found: str) -> VectorError:
    return VectorError(f"{name}: found {found} at word {number:,}, expected a word2vec file; copy it again")


def _finite(name: str, form: str, row: Row) -> Row:
    if not np.isfinite(row).all():
        raise VectorError(
            f"{name}: found a number that is not finite for {form[:40]!r}, expected finite numbers; mend it"
        )
    return row


# ---- a matrix and a list of words


def tensor_rows(name: str, wanted: Wanted) -> Rows:
    """Safetensors with one matrix; the words stand beside it, one a line, or as a list in JSON."""
    words = _words_beside(name)
    with Path(name).open("rb") as stream:
        try:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            matrices = [array for array in decode_tensors(memoryview(data)).values() if array.ndim == 2]
        except ValueError as error:
            raise VectorError(f"{name}: found {error}, expected safetensors; check the file") from None
        if len(matrices) != 1 or matrices[0].dtype.kind != "f":
            raise VectorError(f"{name}: found {len(matrices)} matrices, expected one of numbers; keep one of them")
        yield from _matrix_rows(name, words, matrices[0], wanted)


def _matrix_rows(name: str, words: list[str], matrix: NDArray[Any], wanted: Wanted) -> Rows:
    if len(words) != len(matrix) or not 1 <= matrix.shape[1] <= MOST:
        shape = " × ".join(f"{k:,}" for k in matrix.shape)
        raise VectorError(
            f"{name}: found {shape} numbers for {len(words):,} words, expected a row for each; check them"
        )
    for form, row in zip(words, matrix, strict=True):
        if wanted(form):
            yield form, _finite(name, form, np.array(row, dtype=np.float32))


def _words_beside(name: str) -> list[str]:
    for ending in (".txt", ".vocab", ".json"):
        beside = Path(name).with_suffix(ending)
        if beside.exists():
            try:
                text = beside.read_text(encoding="utf-8")
                words = json.loads(text) if ending == ".json" else text.removesuffix("\n").split("\n")
            except (ValueError, RecursionError):
                raise VectorError(f"{beside}: found no list of words, expected UTF-8, a word a line; mend it") from None
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise VectorError(f"{beside}: found no list of words, expected strings; mend it")
            return words
    beside = Path(name).with_suffix(".txt")
    raise VectorError(f"{name}: found no {beside.name} beside it, expected the words of its rows, one a line; add it")


# ---- spaCy's pipelines


def spacy_rows(name: str, wanted: Wanted) -> Rows:
    """The table of a pipeline's folder; of a table of hashes, as floret's, there are no words."""
    place = next((p for p in (Path(name, "vocab"), Path(name)) if (p / "vectors").exists()), None)
    if place is None:
        raise VectorError(f"{name}: found a directory, expected a file of vectors or a spaCy pipeline; check the name")
    try:
        from spacy.strings import StringStore
        from spacy.vectors import Vectors
    except ImportError:
        reason = 'found a spaCy pipeline and no spaCy, expected both; pip install "rearc[spacy]"'
        raise VectorError(f"{name}: {reason}") from None
    strings, vectors = StringStore(), Vectors()
    try:
        strings.from_disk(place / "strings.json")
        vectors.from_disk(place)
    except Exception as error:  # whatever spaCy and its readers raise for a damaged folder
        kind = type(error).__name__
        raise VectorError(
            f"{name}: found a damaged pipeline ({kind}), expected spaCy's vectors; copy it again"
        ) from None
    if vectors.mode != "default":
        raise VectorError(f"{name}: found vectors by {vectors.mode}, expected a table of words; choose other vectors")
    for key, row in vectors.key2row.items():
        if key in strings and 0 <= row < len(vectors.data):
            form = strings[key]
            if wanted(form):
                yield form, _finite(name, form, np.array(vectors.data[row], dtype=np.float32))
