"""Writing: round trips, what does not fit, and never half a file."""

import gzip
import io
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from rearc.files.errors import FileError
from rearc.treebank import Empty, Multiword, Sentence, TreebankError, read, sample, write
from tests.treebank.test_reader import CONLLU, CONLLX


def written(sentences: list[Sentence], **options: object) -> bytes:
    out = io.BytesIO()
    assert write(sentences, out, **options) == len(sentences)  # type: ignore[arg-type]
    return out.getvalue()


def bytes_again(data: bytes, **options: object) -> bytes:
    return written(list(read(io.BytesIO(data), **options)), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "format"),
    [(CONLLU, "conllu"), (CONLLX, "conllx"), (CONLLX, "conll2007"), ("Zwei Häuser\n# a _\n_\n", "tokens")],
)
def test_the_same_bytes(text: str, format: str) -> None:
    assert bytes_again(text.encode(), format=format) == text.encode()


def test_the_same_bytes_of_the_sample() -> None:
    assert bytes_again(sample().read_bytes()) == sample().read_bytes()


ODD = """\
#
#no space
#	tab = ↹
# text =  spaces kept
0.1	_	_	_	_	_	a	b	c	d
0.2	_	_	_	_	_	_	_	_	_
1-1	alone	l	U	x	f	h	r	d	m
1	_	_	_	_	_	2	_	_	_
1.1	_	_	_	_	_	_	_	_	_
2-4	New York City	_	_	_	_	_	_	_	SpaceAfter=No
2	 	  	\u2028	\u00a0	not features	0	_	not deps	||
2.1	_	_	_	_	_	_	_	_	_
3	\u0085	\x0b	\x0c	\x1f	\ufeff	0	_	_	_
4	a̐é	𝔸	_	_	_	3	_	_	_
4.1	_	_	_	_	_	_	_	_	_

"""


def test_the_same_bytes_of_odd_things() -> None:
    assert bytes_again(ODD.encode()) == ODD.encode()
    (sentence,) = read(io.BytesIO(ODD.encode()))
    assert sentence.comments[2] == "#\ttab = ↹"
    assert sentence.text == "spaces kept"


@pytest.mark.parametrize(("encoding", "form"), [("latin-1", "ä"), ("gbk", "龍"), ("koi8-r", "д"), ("utf-8", "龍")])
def test_the_same_bytes_in_other_encodings(encoding: str, form: str) -> None:
    data = CONLLX.replace("Haus", form).encode(encoding)
    assert bytes_again(data, format="conllx", encoding=encoding) == data


@pytest.mark.parametrize("name", ["a.conllu", "a.conllu.gz", "a.conllu.xz"])
def test_files(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    sentences = list(read(sample()))
    assert write(sentences, file) == len(sentences)
    assert list(read(file)) == sentences
    first = file.read_bytes()
    write(sentences, str(file))
    assert file.read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_packed_file_is_packed(tmp_path: Path) -> None:
    write(read(sample()), tmp_path / "a.gz")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == sample().read_bytes()


def test_no_sentences(tmp_path: Path) -> None:
    assert write([], tmp_path / "a.conllu") == 0
    assert (tmp_path / "a.conllu").read_bytes() == b""


def test_standard_output() -> None:
    program = "from rearc.treebank import read, sample, write\nwrite(read(sample()), '-')"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert run.stdout == sample().read_bytes()


def test_a_file_can_be_written_over_itself(tmp_path: Path) -> None:
    file = tmp_path / "a.conllu"
    file.write_bytes(sample().read_bytes())
    file.chmod(0o640)
    write(read(file), file)
    assert file.read_bytes() == sample().read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.conllu").touch()
    (tmp_path / "link.conllu").symlink_to(tmp_path / "real.conllu")
    write(read(sample()), tmp_path / "link.conllu")
    assert (tmp_path / "link.conllu").is_symlink()
    assert (tmp_path / "real.conllu").read_bytes() == sample().read_bytes()


def test_a_device_stays_a_device() -> None:
    assert write(read(sample()), "/dev/null") > 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    def breaks() -> Iterator[Sentence]:
        yield from read(sample())
        raise KeyboardInterrupt

    for name in ("a.conllu", "a.conllu.gz"):
        file = tmp_path / name
        with pytest.raises(KeyboardInterrupt):
            write(breaks(), file)
        assert not any(tmp_path.iterdir())
        file.write_bytes(b"old")
        with pytest.raises(TreebankError):
            write(read(io.BytesIO(CONLLU.encode() + b"1")), file)
        assert file.read_bytes() == b"old"
        file.unlink()


def test_a_full_disk() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(FileError, match=r"no space left on device, .*; make room on the disk") as caught:
        write(list(read(sample())) * 100, "/dev/full")
    assert caught.value.file == "/dev/full"


def test_what_cannot_be_written_to(tmp_path: Path) -> None:
    for name, found in [("no/where.conllu", "no such file"), (".", "found a directory"), ("a\0", "null")]:
        with pytest.raises(FileError, match=found):
            write(read(sample()), f"{tmp_path}/{name}")
    with pytest.raises(TreebankError, match="a text stream"):
        write([], io.StringIO())  # type: ignore[arg-type]
    with pytest.raises(FileError, match="type int"):
        write([], 5)  # type: ignore[arg-type]
    with pytest.raises(FileError, match="a stream without write"), sample().open("rb") as stream:
        write(read(sample()), stream)


def test_a_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:  # the tests may run as root, who may write everywhere
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.conllu").write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        with pytest.raises(FileError, match=r"permission denied, .*; check the permissions"):
            write([], tmp_path / "a.conllu")
    assert (tmp_path / "a.conllu").read_bytes() == b"old"


def test_a_pipe_that_closes_is_for_the_caller() -> None:
    class Closed(io.BytesIO):
        def write(self, _: object) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        write(read(sample()), Closed())


def test_a_stream_that_takes_little_at_a_time() -> None:
    class Slow(io.BytesIO):
        def write(self, data) -> int:  # type: ignore[no-untyped-def, override]
            return super().write(data[:1000])

    out = Slow()
    write(read(sample()), out)
    assert out.getvalue() == sample().read_bytes()


def test_losses() -> None:
    (sentence, _) = read(io.BytesIO(CONLLU.encode()))
    losses: Counter[str] = Counter()
    written([sentence, sentence], losses=losses)
    assert losses == {}
    written([sentence, sentence], format="conllx", losses=losses)
    one = {"comments": 2, "multiword tokens": 1, "empty nodes": 3, "DEPS": 3, "MISC": 2}
    assert losses == {name: 2 * count for name, count in one.items()}
    losses.clear()
    written([sentence], format="tokens", losses=losses)
    assert losses == one | {"LEMMA": 3, "UPOS": 3, "XPOS": 2, "FEATS": 1, "HEAD": 3, "DEPREL": 3}


def test_the_last_columns_keep_their_meaning() -> None:
    losses: Counter[str] = Counter()
    (plain,) = read(io.BytesIO(CONLLX.encode()), format="conllx")
    assert written([plain], format="conll2007", losses=losses) == CONLLX.encode()
    assert losses == {}
    assert written([plain], losses=losses).splitlines()[0] == b"1\tEin\tein\tART\tART\tm|s\t2\tNK\t_\t_"
    assert losses == {"PHEAD": 2, "PDEPREL": 2}
    (sentence, _) = read(io.BytesIO(CONLLU.encode()))
    assert written([sentence], format="conllx").endswith(b"advmod\t_\t_\n\n")


def test_tokens_cannot_have_spaces_in_them(tmp_path: Path) -> None:
    file = tmp_path / "a.conllu"
    file.write_text(CONLLU.replace("2\tnos", "2\tno s"))
    with pytest.raises(TreebankError, match="a space in the word 'no s'") as caught:
        write(read(file), tmp_path / "a", format="tokens")
    assert (caught.value.file, caught.value.line) == (str(file), 6)
    assert not (tmp_path / "a").exists()


def test_characters_that_an_encoding_lacks() -> None:
    with pytest.raises(TreebankError, match=r"the character 'ł' \(U\+0142\), expected characters that iso8859-1 has"):
        written([Sentence(["ł"])], encoding="latin-1")
    with pytest.raises(TreebankError, match=r"U\+D800"):
        written([Sentence(["\ud800"])])


def test_a_sentence_made_by_hand() -> None:
    sentence = Sentence(
        ["a", "b"], heads=[0, 1], deprels=["root", "x"], comments=["# c"],
        multiwords=[Multiword(1, 2, "ab")], empties=[Empty(0, 1), Empty(2, 1)],
    )  # fmt: skip
    (again,) = read(io.BytesIO(written([sentence])))
    assert again == sentence


def test_a_stream_gets_what_was_good_before_an_error() -> None:
    good = CONLLU.encode()
    out = io.BytesIO()
    with pytest.raises(TreebankError):
        write(read(io.BytesIO(good + b"1\tbad\n\n"), format="conllu"), out, format="conllu")
    assert out.getvalue() == good


def test_one_sentence_is_written_like_many():
    one, many = io.BytesIO(), io.BytesIO()
    sentence = next(iter(read(sample())))
    assert write(sentence, one, format="conllu") == 1
    write([sentence], many, format="conllu")
    assert one.getvalue() == many.getvalue() != b""
