"""Damaged files: never anything but TreebankError, nothing good lost, nothing repaired."""

import io
import re
from collections.abc import Callable
from contextlib import nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.treebank import Sentence, TreebankError, read, sample, write
from tests.naive.treebank import closed_blocks, good_blocks, tidied, written

BLOCKS = [block + b"\n\n" for block in sample().read_bytes().split(b"\n\n")[:-1]]
INTERESTING = [
    b"\t", b"\n", b"\n\n", b"\r", b"\r\n", b"\0", b"#", b"_", b" ", b"0", b"1", b"-", b".", b"99999999999999999999",
    b"\xef\xbb\xbf", b"\xff", b"\xc3", "é".encode(), b"1\t_", b"\n# c\n", b"1-2", b"0.1",
    b"\n1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n",
]  # fmt: skip

Change = Callable[[bytes, int], bytes]

changes: st.SearchStrategy[Change] = st.one_of(
    st.integers(0, 255).map(lambda byte: lambda data, at: data[:at] + bytes([byte]) + data[at + 1 :]),
    st.sampled_from(INTERESTING).map(lambda piece: lambda data, at: data[:at] + piece + data[at:]),
    st.integers(1, 200).map(lambda size: lambda data, at: data[:at] + data[at + size :]),
    st.integers(1, 200).map(lambda size: lambda data, at: data[:at] + data[at : at + size] * 2 + data[at + size :]),
    st.just(lambda data, at: data[:at]),
    st.just(lambda data, at: data[at:] + data[:at]),
    st.just(lambda data, at: data[:at] + data[at:].replace(b"\n", b"\r\n", 3)),
    st.just(lambda data, at: data[:at] + data[at:].replace(b"\t", b"", 1)),
    st.just(lambda data, at: b"\n".join(sorted(data[:at].split(b"\n"))) + data[at:]),
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = b"".join(draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=6)))
    for change in draw(st.lists(changes, max_size=4)):
        data = change(data, draw(st.integers(0, len(data))))
    return data


@settings(max_examples=600, deadline=None)
@given(damaged())
def test_nothing_good_is_lost_and_nothing_repaired(data: bytes) -> None:
    errors: list[TreebankError] = []
    kept = [written(s) for s in read(io.BytesIO(data), on_invalid=errors.append, strict=True)]
    good = good_blocks(data)
    assert kept == good
    assert [block for block in good if block in BLOCKS] == [b for b in closed_blocks(data) if b in BLOCKS]
    assert errors or b"".join(kept) == data
    for error in errors:
        assert 1 <= error.line <= data.count(b"\n") + 1
        assert error.found
        assert error.expected
        assert error.remedy
    assert [e.line for e in errors] == sorted(e.line for e in errors)


@settings(max_examples=200, deadline=None)
@given(damaged())
def test_the_first_error_is_raised_after_the_sentences_before_it(data: bytes) -> None:
    errors: list[TreebankError] = []
    kept = list(read(io.BytesIO(data), on_invalid=errors.append, strict=True))
    strict: list[Sentence] = []
    with pytest.raises(TreebankError, match=re.escape(str(errors[0]))) if errors else nullcontext():
        for sentence in read(io.BytesIO(data), strict=True):
            strict.append(sentence)
    assert strict == kept[: len(strict)]
    assert errors or strict == kept


@settings(max_examples=200, deadline=None)
@given(damaged())
def test_fewer_columns_accept_the_same_sentences(data: bytes) -> None:
    whole, part = [], []
    few = [
        s.heads
        for s in read(io.BytesIO(data), on_invalid=lambda e: part.append(e.line), columns={"heads"}, strict=True)
    ]
    assert few == [s.heads for s in read(io.BytesIO(data), on_invalid=lambda e: whole.append(e.line), strict=True)]
    assert len(part) == len(whole)


@settings(max_examples=200, deadline=None)
@given(damaged(), st.sampled_from(["conllx", "conll2007", "tokens"]), st.sampled_from(["utf-8", "latin-1", "gbk"]))
def test_other_formats_and_encodings(data: bytes, format: str, encoding: str) -> None:
    errors: list[TreebankError] = []
    for sentence in read(io.BytesIO(data), format=format, encoding=encoding, on_invalid=errors.append, strict=True):
        out = io.BytesIO()
        write([sentence], out, format=format, encoding=encoding)
        assert encoding == "gbk" or out.getvalue() in data


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["conllu", "tokens"]))
def test_any_bytes(data: bytes, format: str) -> None:
    errors: list[TreebankError] = []
    kept = list(read(io.BytesIO(data), format=format, on_invalid=errors.append, strict=True))
    assert kept or errors


@settings(max_examples=400, deadline=None)
@given(damaged(), st.integers(0, 3), st.booleans(), st.booleans(), st.integers(0, 3), st.integers(1, 50))
def test_a_loose_file_is_read_as_a_tidy_one(
    data: bytes, cut: int, returns: bool, mark: bool, blanks: int, size: int
) -> None:
    data = data[: len(data) - cut].replace(b"\n\n", b"\n\n" + b"\n" * blanks)
    data = b"\xef\xbb\xbf" * mark + (data.replace(b"\n", b"\r\n") if returns else data)

    class Pieces(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return self.read(size)

    loose_errors: list[TreebankError] = []
    errors: list[TreebankError] = []
    loose = list(read(Pieces(data), on_invalid=loose_errors.append, on_note=str))
    assert loose == list(read(io.BytesIO(tidied(data)), on_invalid=errors.append, strict=True))
    if tidied(data) and b"\r\r" not in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        assert [(e.found, e.expected) for e in loose_errors] == [(e.found, e.expected) for e in errors]
