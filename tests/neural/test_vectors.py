"""Vectors of words from outside."""

import gzip
from pathlib import Path

import pytest

from rearc.neural.vectors import VectorError, read_vectors


def written(path: Path, text: str | bytes) -> Path:
    data = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


GLOVE = "the 0.5 -1 2e-1\nof 1 2 3\n"
FOUND = (["the", "of"], [[0.5, -1.0, 0.2], [1.0, 2.0, 3.0]])


@pytest.mark.parametrize(
    "text",
    [GLOVE, "2 3\n" + GLOVE, GLOVE.rstrip("\n"), GLOVE.replace("\n", " \n"), GLOVE.replace("\n", "\r\n")],
    ids=["glove", "word2vec", "no end", "blank at the end", "crlf"],
)
@pytest.mark.parametrize("name", ["v.txt", "v.vec.gz"])
def test_formats(text: str, name: str, tmp_path: Path):
    words, rows = read_vectors(written(tmp_path / name, text), set())
    assert words == FOUND[0]
    assert rows.dtype == "float32"
    for row, expected in zip(rows.tolist(), FOUND[1], strict=True):
        assert row == pytest.approx(expected)


def test_words_with_spaces_and_of_any_letters(tmp_path: Path):
    words, rows = read_vectors(written(tmp_path / "v", "a 1 2\n. . . 3 4\nÅs 5 6\n1 7 8\n\u00a0 9 10\n"), set())
    assert words == ["a", ". . .", "ås", "1", "\u00a0"]
    assert rows[1].tolist() == [3, 4]
    assert rows[-1].tolist() == [9, 10]


def test_of_words_in_capitals_the_first_counts(tmp_path: Path):
    words, rows = read_vectors(written(tmp_path / "v", "The 1 1\nthe 2 2\nTHE 3 3\na 4 4\n"), set())
    assert words == ["the", "a"]
    assert rows.tolist() == [[1, 1], [4, 4]]


def test_what_is_needed_or_frequent_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rearc.neural.vectors.FREQUENT", 2)
    text = "a 1 1\nb 2 2\nc 3 3\nD 4 4\ne 5 5\n"
    assert read_vectors(written(tmp_path / "v", text), {"d", "zebra"})[0] == ["a", "b", "d"]
    assert read_vectors(tmp_path / "v", set())[0] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a 1 2\nb 1\n", 2, "found 1 numbers, expected a word and 2 numbers"),
        ("a 1 2\n\nb 1 2\n", 2, "found 0 numbers, expected a word and 2 numbers"),
        ("a\n", 1, "found 0 numbers, expected a word and some numbers"),
        ("9 3\na 1 2\n", 2, "found 2 numbers, expected a word and 3 numbers"),
        ("a 1 2\nb 1 x\n", 2, "found 'x', expected a number"),
        ("a 1 2\nb x 1 2\nc 1,5 2\n", 3, "found '1,5', expected a number"),
        ("a 1 2\nb nan 2\n", 2, "found a number that is not finite"),
        ("a 1 2\nb 1 inf\n", 2, "found a number that is not finite"),
        ("a 1 2\nb 1 1e99\n", 2, "found a number that is not finite"),
        (b"a 1 2\nb 1 2\nc\xff 1 2\n", 3, "found bytes that are no UTF-8, expected text in UTF-8"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_broken_lines(text: str | bytes, line: int, found: str, suffix: str, tmp_path: Path):
    path = written(tmp_path / f"v.txt{suffix}", text)
    with pytest.raises(VectorError) as caught:
        read_vectors(path, set())
    assert str(caught.value).startswith(f"{path}:{line}: {found}")
    assert str(caught.value).endswith("; mend or remove the line")


def test_broken_lines_among_those_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is not kept is looked at too, as far as that is cheap."""
    monkeypatch.setattr("rearc.neural.vectors.FREQUENT", 1)
    for text, line in (("a 1 2\nb 1 x\n", 2), ("a 1 2\nb\n", 2), ("a 1 2\nA 1 nan\n", 2)):
        path = written(tmp_path / "v.txt", text)
        with pytest.raises(VectorError, match=rf"v\.txt:{line}: found"):
            read_vectors(path, set())


def test_damaged_archives(tmp_path: Path):
    whole = gzip.compress("".join(f"w{k} {k} {k}\n" for k in range(5000)).encode())
    path = tmp_path / "v.txt.gz"
    for data in (whole[:-20], whole[: len(whole) // 2], b"a 1 2\n", whole[:-8] + b"\0" * 8):
        path.write_bytes(data)
        with pytest.raises(VectorError) as caught:
            read_vectors(path, set())
        assert str(caught.value).startswith(f"{path}: found a damaged gzip file, expected a file of vectors")


def test_archives_damaged_anywhere(tmp_path: Path):
    """They are refused, or a line is."""
    whole = gzip.compress("".join(f"w{k} {k} {k}\n" for k in range(5000)).encode())
    path = tmp_path / "v.txt.gz"
    for at in range(20, len(whole) - 30, 997):
        path.write_bytes(whole[:at] + bytes(255 - byte for byte in whole[at : at + 20]) + whole[at + 20 :])
        with pytest.raises(VectorError, match=r"v\.txt\.gz(: found a damaged gzip file|:\d+: found)"):
            read_vectors(path, set())


def test_files_that_are_none(tmp_path: Path):
    for path, found in (
        (tmp_path / "nosuch.txt", "found no such file or directory"),
        (tmp_path / "nosuch.gz", "found no such file or directory"),
        (tmp_path, "found a directory"),
        (written(tmp_path / "empty.txt", ""), "found no vectors, expected a line for each word"),
        (written(tmp_path / "head.txt", "0 300\n"), "found no vectors, expected a line for each word"),
    ):
        with pytest.raises(VectorError) as caught:
            read_vectors(path, set())
        assert str(caught.value).startswith(f"{path}: {found}")
