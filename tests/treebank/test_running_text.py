"""Sentences as running text, and text in blocks and lines."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rearc.files.errors import FileError
from rearc.treebank import Multiword, Sentence, TreebankError, read, sample, write
from rearc.treebank.plain_text import lines_of, read_text
from rearc.treebank.running_text import rebuild
from rearc.treebank.spaces import escaped, unescaped


def as_text(*sentences: Sentence) -> str:
    out = io.BytesIO()
    write(sentences, out, format="text")
    return out.getvalue().decode()


def test_spaces_stand_as_misc_tells() -> None:
    sentence = Sentence(
        ["I", "do", "n't", "1 000", "."],
        misc=["SpacesBefore=\\n", "x=y", "_", "SpacesInToken=1\\s\\s000|SpaceAfter=No", "SpacesAfter=\\s\\r\\n"],
        multiwords=[Multiword(2, 3, "don't", misc="SpacesAfter=\\t")],
    )
    assert as_text(sentence) == "\nI don't\t1  000. \r\n"
    assert rebuild([sentence]) == "\nI don't\t1  000. \r\n"


def test_where_misc_is_silent() -> None:
    assert as_text(Sentence(["A", "b"]), Sentence(["C"])) == "A b C\n"
    assert as_text(Sentence(["A"]), Sentence(["C"], comments=["# newpar id = 3"])) == "A\n\nC\n"
    assert as_text(Sentence(["A"], misc=["SpaceAfter=No"]), Sentence(["C"], misc=["SpaceAfter=No"])) == "AC"


def test_the_texts_of_a_treebank() -> None:
    sentences = list(read(sample()))
    assert as_text(*sentences) == " ".join(s.text for s in sentences) + "\n"


def test_plain_text_is_no_treebank(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dogs bark.\n")
    with pytest.raises(FileError, match=r"found plain text, expected sentences; .*rearc parse.*tokens"):
        read(tmp_path / "a.txt")


@given(st.text(alphabet=" \t\r\n|\\spnrt\u00a0x"))
def test_spaces_come_back(spaces: str) -> None:
    assert unescaped(escaped(spaces)) == spaces
    assert "|" not in escaped(spaces)
    assert not set(" \t\n") & set(escaped(spaces))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 5))
def test_blocks_and_lines_are_the_text(text: str, size: int) -> None:
    data = text.encode()

    class Slow(io.RawIOBase):
        def __init__(self) -> None:
            self.rest = data

        def read1(self, _: int) -> bytes:
            block, self.rest = self.rest[:size], self.rest[size:]
            return block

    expected = text.removeprefix("\ufeff")
    blocks = list(read_text(Slow()))  # type: ignore[arg-type]
    assert "".join(blocks) == expected
    lines = list(lines_of(iter(blocks)))
    assert "".join(lines) == expected
    assert all(line.endswith("\n") for line in lines[:-1])
    assert all("\n" not in line[:-1] for line in lines)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_byte_order_marks(encoding: str) -> None:
    notes: list[str] = []
    assert "".join(read_text(io.BytesIO("Grüße\n".encode(encoding)), on_note=notes.append)) == "Grüße\n"
    assert notes == ["<stream>: passed over a byte order mark" + (" of UTF-16" if encoding == "utf-16" else "")]


def test_other_encodings() -> None:
    assert list(read_text(io.BytesIO(b"Gr\xfc\xdfe"), encoding="latin-1")) == ["Grüße"]
    with pytest.raises(TreebankError, match=r"<stream>:2: found the byte 0xfc, expected text in utf-8; .*--encoding"):
        list(read_text(io.BytesIO(b"a\nGr\xfc\xdfe")))
    with pytest.raises(TreebankError, match="found the byte 0xc3"):
        list(read_text(io.BytesIO(b"Gr\xc3")))
