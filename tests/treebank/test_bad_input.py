"""Everything that can be wrong with a file: the error's place and words, and what is still read."""

import gzip
import io
import lzma
from pathlib import Path

import pytest

from rearc.files.errors import FileError
from rearc.treebank import Sentence, TreebankError, read

LIMIT = 1 << 22  # the bytes of a line


def word(number: object, head: object = 0, form: str = "w") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n"


def other(token: str) -> str:
    return f"{token}\tm\t_\t_\t_\t_\t_\t_\t_\t_\n"


GOOD = "# good\n" + word(1, form="first") + word(2, 1) + "\n"  # four lines
LAST = word(1, form="last") + "\n"

# name: the bad sentence, which stands in lines 5 …; line, column, and what must be in `found` and `expected`
SENTENCES = {
    "too few columns": ("1\ta\tb\n\n", 5, 6, "3 columns", "10 columns"),
    "too many columns": (word(1)[:-1] + "\tx\ty\n\n", 5, 23, "12 columns", "10 columns"),
    "spaces for tabs": (word(1).replace("\t", " ") + "\n", 5, 22, "1 column", "10 columns"),
    "a line of spaces": (word(1) + "  \n" + word(2, 1) + "\n", 6, 3, "1 column", "10 columns"),
    "an empty field": (word(1, form="") + "\n", 5, 3, "an empty field", "text or _"),
    "an empty last field": (word(1)[:-2] + "\n\n", 5, 21, "an empty field", "text or _"),
    "ids with a gap": (word(1) + word(3, 1) + "\n", 6, 1, "the id '3'", "the id '2'"),
    "ids from 0": (word(0) + "\n", 5, 1, "the id '0'", "the id '1'"),
    "an id twice": (word(1) + word(1) + "\n", 6, 1, "the id '1'", "the id '2'"),
    "an id with a leading zero": (word("01") + "\n", 5, 1, "the id '01'", "the id '1'"),
    "an id that is no number": (word("a") + "\n", 5, 1, "the id 'a'", "the id '1'"),
    "an id with a sign": (word("+1") + "\n", 5, 1, "the id '+1'", "the id '1'"),
    "an id in other digits": (word("١") + "\n", 5, 1, "the id '١'", "the id '1'"),
    "an enormous id": (word("9" * 5000) + "\n", 5, 1, "the id '999", "the id '1'"),
    "a head out of range": (word(1) + word(2, 3) + "\n", 6, 13, "the head '3'", "from 0 to 2"),
    "an enormous head": (word(1) + word(2, "4294967297") + "\n", 6, 13, "the head '4294967297'", "0 to 2"),
    "a negative head": (word(1, -1) + "\n", 5, 13, "the head '-1'", "a number or _"),
    "a head with a leading zero": (word(1, "00") + "\n", 5, 13, "the head '00'", "a number or _"),
    "a head that is no number": (word(1, "x") + "\n", 5, 13, "the head 'x'", "a number or _"),
    "a cycle": (word(1) + word(2, 4) + word(3, 2) + word(4, 3) + "\n", 6, 13, "cycle 2 → 4 → 3 → 2", "a tree"),
    "its own head": (word(1) + word(2, 2) + "\n", 6, 13, "the cycle 2 → 2", "a tree"),
    "no root": (word(1, 2) + word(2, 1) + "\n", 5, 0, "no root", "head is 0"),
    "an undecodable form": (word(1, form="ab\udcffc") + "\n", 5, 5, "the byte 0xff", "text in utf-8"),
    "an undecodable comment": ("# ä\n# é\udce9\n" + word(1) + "\n", 6, 4, "the byte 0xe9", "text in utf-8"),
    "an undecodable multiword": (other("1-1").replace("m", "\udc80") + word(1) + "\n", 5, 5, "0x80", "utf-8"),
    "a surrogate": (word(1, form="\udced\udca0\udc80") + "\n", 5, 3, "the byte 0xed", "text in utf-8"),
    "an overlong form of a character": (word(1, form="\udcc0\udc80") + "\n", 5, 3, "the byte 0xc0", "utf-8"),
    "CRLF": ((word(1, form="é") + "\n").replace("\n", "\r\n"), 5, 22, "a carriage return", "line feed"),
    "CRLF in the blank line": (word(1) + "\r\n", 6, 1, "a carriage return", "line feed"),
    "CRLF in a comment": ("# a\r\n" + word(1) + "\n", 5, 4, "a carriage return", "line feed"),
    "a carriage return in a form": (word(1, form="a\rb") + "\n", 5, 4, "a carriage return", "line feed"),
    "a NUL": (word(1, form="a\0") + "\n", 5, 4, "a NUL byte", "text"),
    "a NUL in a comment": ("# \0\n" + word(1) + "\n", 5, 3, "a NUL byte", "text"),
    "a byte order mark": ("\ufeff" + word(1) + "\n", 5, 1, "a byte order mark", "first character"),
    "a byte order mark in a line": (word(1) + "\ufeff" + word(2) + "\n", 6, 1, "the id '\\ufeff2'", "the id '2'"),
    "a comment amid the words": (word(1) + "# c\n" + word(2, 1) + "\n", 6, 1, "a comment", "a word or a blank line"),
    "a comment behind the words": (word(1) + "#\ta\t\n\n", 6, 1, "a comment", "a word or a blank line"),
    "comments only": ("# a\n# b\n\n", 5, 0, "a sentence without words", "at least one word"),
    "an empty node only": (other("0.1") + "\n", 5, 0, "a sentence without words", "at least one word"),
    "a blank line too many": ("\n", 5, 1, "a superfluous blank line", "a sentence"),
    "a range too far": (word(1) + other("2-3") + word(2, 1) + "\n", 6, 1, "up to word 3", "up to word 2"),
    "a range without words": (other("1-2") + "\n", 5, 1, "up to word 2", "up to word 0"),
    "an enormous range": (other("1-" + "9" * 30) + word(1) + "\n", 5, 1, "a multiword token", "up to word 1"),
    "ranges that overlap": (
        other("1-2") + word(1) + other("2-3") + word(2, 1) + word(3, 1) + "\n", 7, 1, "'2-3'", "word 3 on"),
    "a range twice": (other("1-2") * 2 + word(1) + word(2, 1) + "\n", 6, 1, "'1-2'", "from word 3 on"),
    "a range too late": (word(1) + other("1-2") + word(2, 1) + "\n", 6, 1, "'1-2'", "the id '2'"),
    "a range too early": (other("2-3") + word(1) + word(2, 1) + word(3, 1) + "\n", 5, 1, "'2-3'", "the id '1'"),
    "a range backwards": (word(1) + other("2-1") + word(2, 1) + "\n", 6, 1, "'2-1'", "from 2 upwards"),
    "a range with a leading zero": (other("1-02") + word(1) + word(2, 1) + "\n", 5, 1, "'1-02'", "the id '1'"),
    "an empty node too early": (other("1.1") + word(1) + "\n", 5, 1, "'1.1'", "'1' or '0.1'"),
    "an empty node too late": (word(1) + word(2, 1) + other("1.1") + "\n", 7, 1, "'1.1'", "'3' or '2.1'"),
    "empty nodes with a gap": (word(1) + other("1.1") + other("1.3") + "\n", 7, 1, "'1.3'", "'2' or '1.2'"),
    "an empty node 0": (word(1) + other("1.0") + "\n", 6, 1, "'1.0'", "'2' or '1.1'"),
    "an empty node behind a range": (
        other("1-2") + other("0.1") + word(1) + word(2, 1) + "\n", 6, 1, "'0.1'", "the id '1'"),
    "half a range": (other("1-") + word(1) + "\n", 5, 1, "'1-'", "the id '1'"),
    "a long line": (word(1, form="x" * LIMIT) + "\n", 5, LIMIT + 1, f"more than {LIMIT:,} bytes", "shorter"),
    "a very long line": (word(1, form="é" * LIMIT) + "\n", 5, LIMIT // 2 + 2, f"more than {LIMIT:,}", "shorter"),
    "a long sentence": (("#" * 1_000_000 + "\n") * 20 + word(1) + "\n", 5, 0, "a sentence of more than", "shorter"),
}  # fmt: skip


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def read_all(data: bytes, **options: object) -> tuple[list[Sentence], list[TreebankError]]:
    errors: list[TreebankError] = []
    return list(read(io.BytesIO(data), on_invalid=errors.append, strict=True, **options)), errors  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("columns", [None, {"heads", "deprels"}], ids=["all columns", "two columns"])
def test_a_bad_sentence(name: str, columns: set[str] | None, tmp_path: Path) -> None:
    text, line, column, found, expected = SENTENCES[name]
    file = tmp_path / "bad.conllu"
    file.write_bytes(encoded(GOOD + text + LAST))

    errors: list[TreebankError] = []
    kept = list(read(file, on_invalid=errors.append, columns=columns, strict=True))
    assert [len(s) for s in kept] == [2, 1]
    assert len(errors) == 1
    error = errors[0]
    assert (error.file, error.line, error.column) == (str(file), line, column)
    assert found in error.found
    assert expected in error.expected
    assert error.remedy
    place = f"{line}:{column}" if column else f"{line}"
    assert str(error).startswith(f"{file}:{place}: found ")

    raising = read(file, columns=columns, strict=True)
    assert len(next(raising)) == 2
    with pytest.raises(TreebankError) as caught:
        next(raising)
    assert str(caught.value) == str(error)
    assert list(raising) == []


ENDS = {
    "no line end": (word(1) + word(2, 1)[:-1], 6, 22, "the end of the file", "a line end"),
    "no blank line": (word(1), 6, 1, "the end of the file", "a blank line"),
    "half a line": (word(1) + "2\tä", 6, 4, "the end of the file", "a line end"),
    "half a character": (word(1, form="\udcc3")[:3], 5, 4, "the end of the file", "a line end"),
    "half a comment": ("# x", 5, 4, "the end of the file", "a line end"),
    "CRLF up to the end": (word(1)[:-1] + "\r\n", 5, 22, "a carriage return", "line feed"),
    "carriage returns alone": (word(1).replace("\n", "\r") * 2, 5, 22, "a carriage return", "line feed"),
    "a superfluous blank line": ("\n", 5, 1, "a superfluous blank line", "a sentence"),
    "many superfluous blank lines": ("\n" * 100_000, 5, 1, "a superfluous blank line", "a sentence"),
    "a carriage return at the end": ("\r\n", 5, 1, "a carriage return", "line feed"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_bad_end(name: str) -> None:
    text, line, column, found, expected = ENDS[name]
    kept, (error,) = read_all(encoded(GOOD + text))
    assert len(kept) == 1
    assert (error.file, error.line, error.column) == ("<stream>", line, column)
    assert found in error.found
    assert expected in error.expected


STARTS = {
    "an empty file": (b"", "an empty file", 0),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD.encode() + LAST.encode(), "a byte order mark", 1),
    "another byte order mark": (b"\xff\xfe1\n\n" + LAST.encode(), "the byte order mark of UTF-16", 0),
    "a blank line": (b"\n" + LAST.encode(), "a superfluous blank line", 1),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_bad_start(name: str) -> None:
    data, found, good = STARTS[name]
    kept, (error,) = read_all(data)
    assert len(kept) == good
    assert (error.line, error.column, error.found) == (1, 1, found)
    with pytest.raises(TreebankError, match=found):
        next(read(io.BytesIO(data), strict=True))


def test_a_byte_order_mark_in_another_encoding() -> None:
    _, errors = read_all(b"\xef\xbb\xbfGr\xfc\xdfe\nBl\xfc\n", encoding="latin-1", format="tokens")
    assert [e.found for e in errors] == ["the byte order mark of UTF-8"]


def test_an_empty_compressed_file(tmp_path: Path) -> None:
    file = tmp_path / "a.conllu.gz"
    file.write_bytes(gzip.compress(b""))
    with pytest.raises(TreebankError, match="an empty file"):
        next(read(file))


def test_each_bad_sentence_is_reported() -> None:
    bad = word(2) + "\n"
    kept, errors = read_all(((GOOD + bad) * 3 + LAST).encode())
    assert len(kept) == 4
    assert [e.line for e in errors] == [5, 11, 17]


def test_a_file_of_crlf_is_reported_sentence_by_sentence() -> None:
    kept, errors = read_all((GOOD + LAST).replace("\n", "\r\n").encode())
    assert kept == []
    assert [(e.line, e.column) for e in errors] == [(1, 7), (5, 25)]


def test_one_root() -> None:
    text = word(1) + word(2, 1) + word(3) + "\n" + LAST
    assert len(read_all(text.encode())[0]) == 2
    kept, (error,) = read_all(text.encode(), single_root=True)
    assert len(kept) == 1
    assert (error.line, error.column) == (3, 13)
    assert error.found == "2 roots, the first two being words 1 and 3"


TEXT = {
    "a blank line": (b"\n\n", 2, 1, "a superfluous blank line"),
    "two spaces": (b"a  b\n", 2, 3, "an empty word"),
    "a space at the start": (b" a\n", 2, 1, "an empty word"),
    "a space at the end": ("ä \n".encode(), 2, 3, "an empty word"),
    "a tab": (b"a\tb\n", 2, 2, "a tab"),
    "a NUL": (b"a\0\n", 2, 2, "a NUL byte"),
    "CRLF": (b"a b\r\n", 2, 4, "a carriage return"),
    "a CRLF alone": (b"\r\n", 2, 1, "a carriage return"),
    "undecodable": (b"a \xe4b\n", 2, 3, "the byte 0xe4"),
    "a byte order mark": (b"\xef\xbb\xbfa\n", 2, 1, "a byte order mark"),
    "a long line": (b"a " * LIMIT + b"a\n", 2, LIMIT + 1, f"a line of more than {LIMIT:,} bytes"),
}


@pytest.mark.parametrize("name", TEXT)
def test_bad_text(name: str) -> None:
    data, line, column, found = TEXT[name]
    kept, (error,) = read_all(b"first one\n" + data + b"last\n", format="tokens")
    assert [s.forms for s in kept] == [["first", "one"], ["last"]]
    assert (error.line, error.column, error.found) == (line, column, found)


def test_text_that_is_cut_off() -> None:
    kept, (error,) = read_all(b"a b\nc d", format="tokens")
    assert len(kept) == 1
    assert (error.line, error.column, error.expected) == (2, 4, "a line end")


@pytest.mark.parametrize("token", ["1-2", "0.1"])
def test_conllx_has_words_only(token: str) -> None:
    _, (error,) = read_all((other(token) + word(1) + word(2, 1) + "\n").encode(), format="conllx")
    assert (error.line, error.column, error.found) == (1, 1, f"the id '{token}'")
    assert "conllu" in error.remedy


def test_conllx_has_no_comments() -> None:
    _, (error,) = read_all(GOOD.encode(), format="conllx")
    assert (error.line, error.column, error.found) == (1, 1, "a comment")
    assert error.remedy == "read the file as conllu"


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
@pytest.mark.parametrize("damage", ["cut off", "changed", "something behind", "not packed"])
def test_a_damaged_stream(suffix: str, damage: str, tmp_path: Path) -> None:
    pack = gzip.compress if suffix == ".gz" else lzma.compress
    text = "".join(GOOD.replace("first", f"{k * k * 7919 % 10007}") for k in range(20_000)).encode()
    data = pack(text)
    broken = {
        "cut off": data[: len(data) // 2],
        "changed": data[: len(data) // 2] + b"\xff" * 9 + data[len(data) // 2 + 9 :],
        "something behind": data + b"behind",
        "not packed": text,
    }[damage]
    file = tmp_path / f"a.conllu{suffix}"
    file.write_bytes(broken)
    errors: list[TreebankError] = []
    kept = list(read(file, on_invalid=errors.append))
    assert errors[-1].found.startswith("a stream that cannot be read on")
    assert errors[-1].file == str(file)
    if damage == "not packed":
        assert kept == []
        assert errors[-1].line == 1
    if damage == "cut off":
        assert 1000 < len(kept) < 19_000
        assert len(errors) == 1
        assert errors[0].line // 4 == len(kept)
    with pytest.raises(TreebankError):
        list(read(file))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("missing.conllu", "no such file"),
        (".", "found a directory"),
        ("a\0b", "embedded null"),
        ("f/x", "a file where a directory is needed"),
    ],
)
def test_what_cannot_be_opened(name: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(FileError, match=found) as caught:
        read(f"{tmp_path}/{name}")
    assert caught.value.file.startswith(str(tmp_path))
    assert caught.value.remedy


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:  # the tests may run as root, who may read everything
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(FileError, match=r"permission denied, .*; check the permissions"):
        read(tmp_path / "a.conllu")


def test_streams_that_are_none() -> None:
    (error,) = _errors_of(io.StringIO("a"))
    assert "a stream of str" in error.found
    with pytest.raises(FileError, match="type int"):
        read(5)  # type: ignore[arg-type]
    closed = io.BytesIO(b"")
    closed.close()
    (error,) = _errors_of(closed)
    assert "closed" in error.found


def _errors_of(stream: object) -> list[TreebankError]:
    errors: list[TreebankError] = []
    assert list(read(stream, on_invalid=errors.append)) == []  # type: ignore[arg-type]
    return errors


@pytest.mark.parametrize(
    "encoding",
    ["utf-16", "utf-32", "utf-7", "utf-8-sig", "cp037", "iso2022_jp", "hz", "idna", "raw_unicode_escape"],
)
def test_encodings_that_are_not_like_ascii(encoding: str) -> None:
    with pytest.raises(FileError, match="single bytes; convert the file first"):
        read(io.BytesIO(b""), encoding=encoding)


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "zlib", ""])
def test_encodings_that_are_none(encoding: str) -> None:
    with pytest.raises(FileError, match="a text encoding"):
        read(io.BytesIO(b""), encoding=encoding)


def test_choices_that_do_not_exist() -> None:
    with pytest.raises(FileError, match="the format 'xml', expected one of conllu"):
        read(io.BytesIO(b""), format="xml")
    with pytest.raises(TreebankError, match="the column 'colour', expected one of comments"):
        read(io.BytesIO(b""), columns={"colour"})


def test_what_the_callback_raises_is_raised() -> None:
    def stop(error: TreebankError) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        list(read(io.BytesIO(b""), on_invalid=stop))


@pytest.mark.parametrize("blank", ["\n", "\r\n"])
@pytest.mark.parametrize("rest", ["", word(2, 1), "x\n", "\r\r\n", word(2, 1) + "# c\n"])
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_the_rest_of_a_bad_sentence_in_small_pieces(blank: str, rest: str, size: int) -> None:
    head = (GOOD + "1\t" + "x" * LIMIT).encode()
    tail = io.BytesIO(("x\n" + rest + blank + LAST + GOOD).encode())

    class Pieces:
        blocks = iter([head[:1000], head[1000:]])

        def read(self, _: int) -> bytes:
            return next(self.blocks, None) or tail.read(size)

    errors: list[TreebankError] = []
    kept = list(read(Pieces(), on_invalid=errors.append, strict=True))  # type: ignore[arg-type]
    assert [len(s) for s in kept] == [2, 1, 2]
    assert [e.found[:24] for e in errors] == ["a line of more than 4,19"]


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize("after", [0, 1, 5])
def test_lines_are_counted_behind_a_line_that_is_too_long(before: int, after: int):
    """Also those of the rest of its sentence, which are passed over."""
    long = "".join(map(word, range(1, before + 1))) + word(before + 1, form="x" * LIMIT)
    long += "".join(map(word, range(before + 2, before + after + 2))) + "\n"
    errors: list[TreebankError] = []
    text = GOOD + long + GOOD + word(1, 9) + "\n" + LAST
    sentences = list(read(io.BytesIO(text.encode()), on_invalid=errors.append))
    assert [sentence.forms[0] for sentence in sentences] == ["first", "first", "last"]
    next_line = 5 + before + 1 + after + 1
    assert [error.line for error in errors] == [5 + before, next_line + 4]
    assert [sentence.line for sentence in sentences] == [1, next_line, next_line + 4 + 2]


def test_a_tree_that_is_known_in_part_may_have_no_root_yet() -> None:
    text = word(1, 2) + word(2, "_").replace("dep", "_") + word(3, 2) + "\n"
    [sentence] = read(io.BytesIO(text.encode()))
    assert sentence.heads == [2, -1, 2]
    assert sentence.has_heads
    assert not sentence.has_tree
