"""Reading: formats, encodings, streams, columns."""

import gzip
import io
import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from rearc.treebank import Empty, Multiword, Sentence, read, sample
from rearc.treebank.objects import line_of

CONLLU = """\
# sent_id = 1
# text = vámonos ya
0.1	∅	_	PRON	_	_	_	_	3:nsubj	_
1-2	vámonos	_	_	_	_	_	_	_	_
1	vamos	ir	VERB	v	Mood=Imp|Number=Plur	0	root	0:root	_
2	nos	yo	PRON	p	_	1	obj	1:obj	Clitic=Yes
3	ya	ya	ADV	_	_	1	advmod	1:advmod	SpaceAfter=No
3.1	x	x	X	_	_	_	_	1:dep	_
3.2	y	y	X	_	_	_	_	1:dep	_

1	no	no	_	_	_	_	_	_	_
2	heads	_	_	_	_	_	_	_	_

"""

CONLLX = """\
1	Ein	ein	ART	ART	m|s	2	NK	2	NK
2	Haus	Haus	N	NN	_	0	ROOT	0	ROOT

"""


def sentences(data: str | bytes, **options: object) -> list[Sentence]:
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return list(read(stream, **options))  # type: ignore[arg-type]


def test_conllu() -> None:
    first, second = sentences(CONLLU)
    assert first.sent_id == "1"
    assert first.text == "vámonos ya"
    assert first.forms == ["vamos", "nos", "ya"]
    assert first.lemmas == ["ir", "yo", "ya"]
    assert first.upos == ["VERB", "PRON", "ADV"]
    assert first.xpos == ["v", "p", "_"]
    assert first[1].features == {"Mood": "Imp", "Number": "Plur"}
    assert first.heads == [0, 1, 1]
    assert first.deprels == ["root", "obj", "advmod"]
    assert first.deps == ["0:root", "1:obj", "1:advmod"]
    assert first.misc == ["_", "Clitic=Yes", "SpaceAfter=No"]
    assert first.multiwords == [Multiword(1, 2, "vámonos")]
    assert first.empties == [
        Empty(0, 1, "∅", upos="PRON", deps="3:nsubj"),
        Empty(3, 1, "x", "x", "X", deps="1:dep"),
        Empty(3, 2, "y", "y", "X", deps="1:dep"),
    ]
    assert (first.file, first.line) == ("<stream>", 1)
    assert (second.file, second.line) == ("<stream>", 11)
    assert second.forms == ["no", "heads"]
    assert second.heads == [-1, -1]
    assert not second.has_tree


@pytest.mark.parametrize("format", ["conllx", "conll2007"])
def test_conllx(format: str) -> None:
    (sentence,) = sentences(CONLLX, format=format)
    assert sentence.format == format
    assert sentence.forms == ["Ein", "Haus"]
    assert sentence.upos == ["ART", "N"]
    assert sentence.xpos == ["ART", "NN"]
    assert sentence.feats == ["m|s", "_"]
    assert sentence.heads == [2, 0]
    assert sentence.deps == ["2", "0"]
    assert sentence.misc == ["NK", "ROOT"]
    assert sentence.text == "Ein Haus"


def test_text() -> None:
    first, second = sentences("Zwei Häuser\n# kein Kommentar _\n", format="tokens")
    assert first.forms == ["Zwei", "Häuser"]
    assert first.heads == [-1, -1]
    assert second.forms == ["#", "kein", "Kommentar", "_"]
    assert (second.line, second.text) == (2, "# kein Kommentar _")
    assert sentences("_ _\n", format="tokens")[0].forms == ["_", "_"]


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.conllu", "conllu"),
        ("a.conllx", "conllx"),
        ("a.conll", "conllx"),
        ("a.conll06", "conllx"),
        ("a.conll07", "conll2007"),
        ("a.jsonl", "json"),
        ("a.anything", "conllu"),
        ("a", "conllu"),
    ],
)
@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_the_name_tells_format_and_packing(name: str, format: str, suffix: str, pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = line_of(Sentence(["Ein", "Haus"])) if format == "json" else CONLLX
    file = tmp_path / (name + suffix)
    file.write_bytes(pack(text.encode()))
    (sentence,) = read(file)
    assert sentence.forms == ["Ein", "Haus"]
    assert (sentence.format, sentence.file) == ("conllu" if format == "json" else format, str(file))


def test_packed_files_of_several_parts(tmp_path: Path) -> None:
    for suffix, pack in ((".gz", gzip.compress), (".xz", lzma.compress)):
        file = tmp_path / f"a.conll{suffix}"
        file.write_bytes(pack(CONLLX.encode()) + pack(b"") + b"\0" * 8 + pack(CONLLX.encode()) + b"\0" * 4)
        if suffix == ".gz":
            file.write_bytes(pack(CONLLX.encode()) * 2)
        assert len(list(read(file))) == 2


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso8859-15", "mac-roman"])
def test_other_encodings(encoding: str) -> None:
    text = CONLLX.replace("Haus", "Häuschen")
    (sentence,) = sentences(text.encode(encoding), format="conllx", encoding=encoding)
    assert sentence.forms == ["Ein", "Häuschen"]


@pytest.mark.parametrize(
    ("encoding", "form"),
    [
        ("gbk", "龍門"),
        ("gb18030", "龍門𠀀"),
        ("big5", "功蓋"),
        ("shift_jis", "ソ能"),
        ("euc_kr", "한글"),
        ("koi8-r", "дом"),
    ],
)
@pytest.mark.parametrize("columns", [None, {"forms"}])
def test_encodings_of_several_bytes(encoding: str, form: str, columns: set[str] | None) -> None:
    text = CONLLX.replace("Haus", form)
    (sentence,) = sentences(text.encode(encoding), format="conllx", encoding=encoding, columns=columns)
    assert sentence.forms == ["Ein", form]


def test_the_same_strings_are_shared() -> None:
    first, second = sentences(CONLLX * 2, format="conllx")
    assert first.forms[1] is second.forms[1] is first.lemmas[1]


def test_many_different_strings_come_back_right() -> None:
    words = [f"{k * 7919 % 1000003:x}" * (1 + k % 9) for k in range(200_000)]
    lines = [" ".join(words[k : k + 100]) for k in range(0, len(words), 100)]
    assert [form for s in sentences("\n".join(lines) + "\n", format="tokens") for form in s.forms] == words


def test_long_fields() -> None:
    forms = ["x" * length for length in (254, 255, 256, 300, 100_000)] * 2
    assert sentences(" ".join(forms) + "\n", format="tokens")[0].forms == forms


def test_columns() -> None:
    first, second = sentences(CONLLU, columns={"heads", "deprels"})
    assert first.heads == [0, 1, 1]
    assert first.deprels == ["root", "obj", "advmod"]
    assert first.forms == first.lemmas == first.upos == first.xpos == first.feats == first.deps == ["_"] * 3
    assert first.comments == first.multiwords == first.empties == []
    assert second.heads == [-1, -1]
    whole = sentences(CONLLU)[0]
    for name in ("forms", "upos", "heads", "misc", "comments", "multiwords", "empties"):
        (only, _) = sentences(CONLLU, columns=[name])
        assert getattr(only, name) == getattr(whole, name)
        assert only.has_tree == (name == "heads")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_streams_that_give_little_at_a_time(size: int) -> None:
    class Slow(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return self.read(size)

    data = sample().read_bytes()
    assert list(read(Slow(data))) == list(read(sample()))


def test_an_unbuffered_stream_stays_open() -> None:
    with sample().open("rb", buffering=0) as stream:
        assert len(list(read(stream))) > 30
        assert not stream.closed


def test_a_file_is_closed_when_the_reader_goes() -> None:
    reader = read(sample())
    next(reader)
    del reader  # a ResourceWarning is an error in these tests


def test_standard_input() -> None:
    program = "from rearc.treebank import read\nfor s in read('-', format='conllx'): print(s.forms, s.file)"
    run = subprocess.run([sys.executable, "-c", program], input=CONLLX.encode(), capture_output=True, check=True)
    assert run.stdout.decode().strip() == "['Ein', 'Haus'] <stdin>"


def test_sentences_come_before_the_stream_ends() -> None:
    def blocks():  # type: ignore[no-untyped-def]
        yield CONLLX.encode()
        raise AssertionError("read too far")

    class Pipe:
        def __init__(self) -> None:
            self.blocks = blocks()

        def read1(self, _: int) -> bytes:
            return next(self.blocks)

        read = read1

    assert next(read(Pipe(), format="conllx")).forms == ["Ein", "Haus"]  # type: ignore[arg-type]


def test_a_sentence_of_many_words() -> None:
    n = 200_000
    lines = [f"{k}\tw\t_\t_\t_\t_\t{k - 1}\tx\t_\t_\n" for k in range(1, n + 1)]
    (sentence,) = sentences("".join(lines) + "\n")
    assert len(sentence) == n
    assert sentence.heads == list(range(n))
