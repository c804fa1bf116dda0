"""What is passed over unless reading is strict, what is said of it, and what is still refused."""

import io
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.treebank import Sentence, TreebankError, read, sample
from rearc.treebank.errors import TreebankWarning

GOOD = sample().read_bytes()
SENTENCES = list(read(sample()))
MARK = b"\xef\xbb\xbf"


def loosely(data: bytes, size: int = 1 << 20, **options: object) -> tuple[list[Sentence], list[str]]:
    class Pieces(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return self.read(size)

    notes: list[str] = []
    return list(read(Pieces(data), on_note=notes.append, **options)), notes  # type: ignore[arg-type]


LINES, BLANKS = GOOD.count(b"\n"), GOOD.count(b"\n\n")
CONLLU = {
    "CRLF": (GOOD.replace(b"\n", b"\r\n"), f"{LINES} carriage returns"),
    "one CRLF": (GOOD.replace(b"\n", b"\r\n", 1), "a carriage return"),
    "a byte order mark": (MARK + GOOD, "a byte order mark"),
    "files with byte order marks in one": (MARK + GOOD.replace(b"\n\n", b"\n\n" + MARK, 1), "2 byte order marks"),
    "a byte order mark, CRLF": (MARK + GOOD.replace(b"\n", b"\r\n"), f"a byte order mark, {LINES} carriage returns"),
    "no line end": (GOOD[:-2], "the missing line end of the last line"),
    "no blank line": (GOOD[:-1], "the missing blank line after the last sentence"),
    "CRLF, no line end": (
        GOOD[:-2].replace(b"\n", b"\r\n"),
        f"{LINES - 2} carriage returns, the missing line end of the last line",
    ),
    "doubled blank lines": (GOOD.replace(b"\n\n", b"\n\n\n"), f"{BLANKS} superfluous blank lines"),
    "a blank line at the start": (b"\n" + GOOD, "a superfluous blank line"),
    "a byte order mark and a blank line": (MARK + b"\n" + GOOD, "a byte order mark, a superfluous blank line"),
    "blank lines with CRLF": (b"\r\n" + GOOD, "a carriage return, a superfluous blank line"),
    "UTF-16": (GOOD.decode().encode("utf-16-le"), ""),
}
CONLLU["UTF-16"] = (b"\xff\xfe" + CONLLU["UTF-16"][0], "the byte order mark of UTF-16, in which it is read")
CONLLU["UTF-16, the other way round"] = (b"\xfe\xff" + GOOD.decode().encode("utf-16-be"), CONLLU["UTF-16"][1])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000, 1 << 20])
@pytest.mark.parametrize("name", CONLLU)
def test_the_same_sentences_and_one_note(name: str, size: int) -> None:
    data, passed_over = CONLLU[name]
    kept, notes = loosely(data, size)
    assert kept == SENTENCES
    assert notes == [f"<stream>: passed over {passed_over}"]
    with pytest.raises(TreebankError):
        list(read(io.BytesIO(data), strict=True))


def test_nothing_is_said_where_nothing_is_passed_over() -> None:
    assert loosely(GOOD) == (SENTENCES, [])


def test_python_warns() -> None:
    with pytest.warns(TreebankWarning, match="passed over a byte order mark"):
        assert len(list(read(io.BytesIO(MARK + GOOD)))) == len(SENTENCES)
    with warnings.catch_warnings():  # a reader that is left halfway has not seen all there is to say
        warnings.simplefilter("error")
        assert next(read(io.BytesIO(MARK + GOOD))) == SENTENCES[0]


WORDS = ["I", "saw", "Jack"]
TEXTS = {
    "two spaces": ("I  saw Jack\n", "a superfluous space"),
    "spaces all around": ("  I saw  Jack \n", "4 superfluous spaces"),
    "a tab": ("I\tsaw Jack\n", "a tab between words"),
    "a non-breaking space": ("I\u00a0saw Jack\n", "a non-breaking space between words"),
    "a narrow one": ("I saw\u202fJack\n", "a non-breaking space between words"),
    "all of them": (
        "\tI \u00a0 saw\tJack\u00a0\n",
        "a superfluous space, 2 tabs between words, 2 non-breaking spaces between words",
    ),
    "blank lines": ("\n\nI saw Jack\n  \n", "3 superfluous blank lines"),
    "CRLF": ("I saw Jack\r\n", "a carriage return"),
    "no line end": ("I saw Jack", "the missing line end of the last line"),
    "a byte order mark": ("\ufeffI saw Jack\n", "a byte order mark"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    text, passed_over = TEXTS[name]
    (sentence,), notes = loosely(text.encode(), format="tokens")
    assert sentence.forms == WORDS
    assert notes == [f"<stream>: passed over {passed_over}"]


def test_a_non_breaking_space_in_another_encoding() -> None:
    (sentence,), notes = loosely(b"I\xa0saw Jack\n", format="tokens", encoding="latin-1")
    assert sentence.forms == WORDS
    assert len(notes) == 1


def test_a_strict_reader_keeps_a_non_breaking_space_within_its_word() -> None:
    (sentence,) = read(io.BytesIO("10\u00a0000 francs\n".encode()), format="tokens", strict=True)
    assert sentence.forms == ["10\u00a0000", "francs"]


REFUSED = {
    "an empty file": (b"", "conllu", "an empty file"),
    "a carriage return in a line": (GOOD.replace(b"\t", b"\r\t", 1), "conllu", "a carriage return"),
    "UTF-16 cut off": (b"\xff\xfe" + GOOD.decode().encode("utf-16-le")[:-1], "conllu", "cannot be read on"),
    "UTF-16 without its mark": (GOOD.decode().encode("utf-16-le"), "conllu", "a NUL byte"),
    "half a line": (GOOD[: GOOD.rindex(b"\t")], "conllu", "9 columns"),
    "columns in a text": (GOOD[GOOD.index(b"1\t") :], "tokens", "10 columns"),
    "prose": (b"Dogs bark.\n", "conllu", "1 column"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_still_refused(name: str) -> None:
    data, format, found = REFUSED[name]
    with pytest.raises(TreebankError, match=found):
        loosely(data, format=format)


def test_a_file_that_may_be_cut_off_is_said_to_be() -> None:
    with pytest.raises(TreebankError, match="may have been cut off"):
        loosely(GOOD[: GOOD.rindex(b"\t")])


def test_prose_is_told_how_to_be_read() -> None:
    remedy = "plain text is for rearc parse --format text, words alone have the format tokens"
    with pytest.raises(TreebankError, match=remedy):
        loosely(b"Dogs bark.\n")


def test_utf_16_in_place_of_another_encoding() -> None:
    with pytest.raises(
        TreebankError, match=r"found the byte order mark of UTF-16, expected text in iso8859-1; .*iconv"
    ):
        loosely(CONLLU["UTF-16"][0], encoding="latin-1")
    with pytest.raises(TreebankError, match=r"found the byte order mark of UTF-16, expected text in utf-8; .*iconv"):
        list(read(io.BytesIO(CONLLU["UTF-16"][0]), strict=True))


def word(number: int, head: str, deprel: str = "dep") -> str:
    return f"{number}\tw\t_\t_\t_\t_\t{head}\t{deprel}\t_\t_\n"


HEADS = {
    "a cycle": word(1, "0") + word(2, "3") + word(3, "2"),
    "no root": word(1, "2") + word(2, "1"),
    "out of range": word(1, "0") + word(2, "7"),
    "no numbers": word(1, "x") + word(2, "-1"),
}


@pytest.mark.parametrize("name", HEADS)
def test_heads_that_nobody_needs(name: str) -> None:
    data = (HEADS[name] + "\n" + word(1, "0") + "\n").encode()
    with pytest.raises(TreebankError):
        loosely(data)
    kept, notes = loosely(data, columns={"forms", "deprels"})
    assert [s.has_tree for s in kept] == [False, False]
    assert notes == []
    kept, notes = loosely(data, need_trees=False)
    assert [s.has_tree for s in kept] == [False, True]
    assert kept[0].deprels == ["dep"] * len(kept[0])
    assert notes == ["<stream>: passed over the heads of a sentence, which make no tree"]


def test_empty_fields_are_refused_but_where_nobody_looks() -> None:
    data = ("1-2" + word(1, "", "")[1:] + word(1, "", "") + word(2, "", "") + "\n").encode()
    for options in ({}, {"need_trees": False}):
        with pytest.raises(TreebankError, match="an empty field"):
            loosely(data, **options)
    ((sentence,), _) = loosely(data, columns={"forms", "multiwords"})
    assert sentence.forms == ["w", "w"]
    assert sentence.multiwords[0].head == "_"
    with pytest.raises(TreebankError, match="an empty field"):
        loosely(data.replace(b"w", b"", 1), columns={"forms"})


def test_one_root_is_asked_for_whatever_is_kept() -> None:
    data = (word(1, "0") + word(2, "0") + "\n").encode()
    with pytest.raises(TreebankError, match="2 roots"):
        loosely(data, columns={"forms"}, single_root=True)


line = st.sampled_from([b"1\tw\t_\t_\t_\t_\t0\tr\t_\t_", b"# c", b"x", b"a b", b"\xff", MARK + b"a", b"", b"\r", b" "])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(line, st.sampled_from([b"\n", b"\r\n", b"\r", b""]))), st.sampled_from(["conllu", "tokens"]),
       st.integers(1, 4))  # fmt: skip
def test_a_reader_that_is_not_strict_finds_at_least_as_much(
    lines: list[tuple[bytes, bytes]], format: str, size: int
) -> None:
    data = b"".join(text + end for text, end in lines)
    strict = list(read(io.BytesIO(data), format=format, strict=True, on_invalid=str))
    errors: list[TreebankError] = []
    loose, _ = loosely(data, size, format=format, on_invalid=errors.append)
    rest = iter(loose)
    assert all(any(s.forms == other.forms for other in rest) for s in strict)
    assert loosely(data, format=format, on_invalid=str)[0] == loose
    assert [e.line for e in errors] == sorted(e.line for e in errors)
