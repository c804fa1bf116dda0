"""Vectors of words from outside."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from rearc.files.tensors import encode_tensors
from rearc.neural.vector_files import VectorError
from rearc.neural.vectors import read_vectors


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


def test_what_is_needed_or_frequent_is_kept(tmp_path: Path):
    text = "a 1 1\nb 2 2\nc 3 3\nD 4 4\ne 5 5\n"
    assert read_vectors(written(tmp_path / "v", text), {"d", "zebra"}, 2)[0] == ["a", "b", "d"]
    assert read_vectors(tmp_path / "v", set(), 2)[0] == ["a", "b"]


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


def test_broken_lines_among_those_left_out(tmp_path: Path):
    """What is not kept is looked at too, as far as that is cheap."""
    for text, line in (("a 1 2\nb 1 x\n", 2), ("a 1 2\nb\n", 2), ("a 1 2\nA 1 nan\n", 2)):
        path = written(tmp_path / "v.txt", text)
        with pytest.raises(VectorError, match=rf"v\.txt:{line}: found"):
            read_vectors(path, set(), 1)


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


# ---- other formats: each against the text of the same vectors

WORDS = ["the", "Ås", "New York", "zebra", *(f"w{k}" for k in range(300))]
MATRIX = np.random.default_rng(1).standard_normal((len(WORDS), 7)).astype(np.float32)


def as_text() -> bytes:
    return "".join(
        f"{word} {' '.join(map(repr, row.tolist()))}\n" for word, row in zip(WORDS, MATRIX, strict=True)
    ).encode()


def as_binary(words: list[str], ends: bytes = b"\n") -> bytes:
    rows = (word.encode() + b" " + row.tobytes() + ends for word, row in zip(words, MATRIX, strict=True))
    return f"{len(words)} {MATRIX.shape[1]}\n".encode() + b"".join(rows)


def same(path: Path, words: list[str], needed: set[str] | None = None, frequent: int = 1000):
    found, rows = read_vectors(path, needed or set(), frequent)
    assert found == [word.lower() for word in words]
    chosen = MATRIX[[[word.lower() for word in WORDS].index(word) for word in found]]
    np.testing.assert_array_equal(rows, chosen)
    assert rows.dtype == np.float32


@pytest.mark.parametrize("name", ["v.bin", "v.bin.gz", "v"])
@pytest.mark.parametrize("ends", [b"\n", b""], ids=["line ends", "none"])
def test_binary_files(name: str, ends: bytes, tmp_path: Path):
    words = [word.replace(" ", "_") for word in WORDS]
    path = written(tmp_path / name, as_binary(words, ends))
    found, rows = read_vectors(path, set())
    assert found == [word.lower() for word in words]
    np.testing.assert_array_equal(rows, MATRIX)
    assert read_vectors(path, {"w7", "zebra"}, 1)[0] == ["the", "zebra", "w7"]


def test_binary_files_that_are_larger_than_what_is_read_at_once(tmp_path: Path):
    words = [f"w{k}" for k in range(400)]
    matrix = np.arange(400 * 1000, dtype=np.float32).reshape(400, 1000)
    data = b"400 1000\n" + b"".join(w.encode() + b" " + row.tobytes() for w, row in zip(words, matrix, strict=True))
    found, rows = read_vectors(written(tmp_path / "v.bin", data), set())
    assert found == words
    np.testing.assert_array_equal(rows, matrix)


def test_binary_files_that_are_damaged(tmp_path: Path):
    whole = as_binary([word.replace(" ", "_") for word in WORDS])
    nan = whole.replace(MATRIX[3].tobytes(), MATRIX[3].tobytes()[:-4] + np.float32(np.nan).tobytes())
    for data, found in (
        (whole[:-20], "found the end of the file where 304 words were to come at word 304"),
        (whole.replace(b"304 7", b"400 7"), "found the end of the file where 400 words were to come at word 305"),
        (b"3 99999999\n" + b"\0" * 100, "found vectors of 99999999 numbers, expected 1 to 16,384"),
        (b"1 7\n" + b"\0" * 200_000, "found no end of the word at word 1"),
        (nan, "found a number that is not finite for 'zebra', expected finite numbers"),
    ):
        path = written(tmp_path / "v.bin", data)
        with pytest.raises(VectorError) as caught:
            read_vectors(path, set())
        assert str(caught.value).startswith(f"{path}: {found}")


def test_text_with_counts_is_no_binary_file(tmp_path: Path):
    same(written(tmp_path / "v.txt", f"{len(WORDS)} 7\n".encode() + as_text()), WORDS)
    with pytest.raises(VectorError, match=r"v\.txt:2: found 'x', expected a number"):
        read_vectors(written(tmp_path / "v.txt", "1 2\na 1 x\n"), set())


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("ending", [".txt", ".vocab", ".json"])
def test_safetensors(kind: type, ending: str, tmp_path: Path):
    path = tmp_path / "v.safetensors"
    path.write_bytes(
        b"".join(encode_tensors({"embeddings": MATRIX.astype(kind), "norms": np.ones(3, dtype=np.float32)}))
    )
    words = json.dumps(WORDS) if ending == ".json" else "\n".join(WORDS) + "\n"
    (tmp_path / f"v{ending}").write_text(words, encoding="utf-8")
    found, rows = read_vectors(path, {"w299"}, 2)
    assert found == ["the", "ås", "w299"]
    np.testing.assert_array_equal(rows, MATRIX[[0, 1, -1]].astype(kind).astype(np.float32))


def test_safetensors_that_do_not_fit(tmp_path: Path):
    path = tmp_path / "v.safetensors"
    path.write_bytes(b"".join(encode_tensors({"embeddings": MATRIX})))
    with pytest.raises(VectorError, match=r"found no v\.txt beside it, expected the words of its rows"):
        read_vectors(path, set())
    words = written(tmp_path / "v.txt", "a\nb\n")
    with pytest.raises(VectorError, match="found 304 × 7 numbers for 2 words, expected a row for each"):
        read_vectors(path, set())
    for data in (b"", b"123", b"\xff" * 100, path.read_bytes()[:-5]):
        path.write_bytes(data)
        with pytest.raises(VectorError, match="expected safetensors; check the file"):
            read_vectors(path, set())
    two = {"a": MATRIX, "b": MATRIX}
    for arrays, count in ((two, 2), ({"a": MATRIX[0]}, 0), ({"a": MATRIX.astype(np.int16)}, 1)):
        path.write_bytes(b"".join(encode_tensors(arrays)))
        with pytest.raises(VectorError, match=f"found {count} matrices, expected one"):
            read_vectors(path, set())
    words.unlink()
    for text in ("[1, 2]", "{}", "[", "\ud800".encode("utf-8", "surrogatepass")):
        written(tmp_path / "v.json", text)
        with pytest.raises(VectorError, match="found no list of words"):
            read_vectors(path, set())


def test_a_pipeline_of_spacy(tmp_path: Path):
    spacy = pytest.importorskip("spacy", reason='no spaCy; pip install "rearc[spacy]"')
    nlp = spacy.blank("en")
    for word, row in zip(WORDS, MATRIX, strict=True):
        nlp.vocab.set_vector(word, row)
    nlp.to_disk(tmp_path / "pipeline")
    for place in (tmp_path / "pipeline", tmp_path / "pipeline" / "vocab"):
        found, rows = read_vectors(place, set())
        assert sorted(found) == sorted(word.lower() for word in WORDS)
        expected = {word.lower(): row for word, row in zip(WORDS, MATRIX, strict=True)}
        np.testing.assert_array_equal(rows, np.stack([expected[word] for word in found]))
    (tmp_path / "pipeline" / "vocab" / "key2row").write_bytes(b"\xc1")
    with pytest.raises(VectorError, match="found a damaged pipeline"):
        read_vectors(tmp_path / "pipeline", set())
