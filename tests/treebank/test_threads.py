"""One reader and several threads."""

import io
import sys
import threading
from collections.abc import Iterator

import pytest

from rearc.treebank import read
from rearc.treebank.reader import Reader

THREADS = 8
SENTENCES = 4000


def data(bad: bool) -> bytes:
    """Numbered sentences of different lengths, among them bad ones if asked for."""
    blocks = []
    for k in range(SENTENCES):
        n = 1 + k * 7 % 60
        lines = [f"{i}\t{k}.{i}\t_\t_\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, n + 1)]
        blocks.append("".join(lines) + "\n")
        if bad and k % 3 == 0:
            blocks.append(f"1\tbad\t_\t_\t_\t_\t{k + 2}\tdep\t_\t_\n\n")
    return "".join(blocks).encode()


@pytest.fixture
def often_switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


class Slowly(io.BytesIO):
    """A stream in small pieces, between which other threads get their turn."""

    def read1(self, _: int | None = -1) -> bytes:
        return self.read(997)


@pytest.mark.usefixtures("often_switching")
@pytest.mark.parametrize("bad", [False, True], ids=["good", "with bad sentences"])
@pytest.mark.parametrize("kind", [io.BytesIO, Slowly])
def test_each_sentence_goes_to_one_thread(kind: type[io.BytesIO], bad: bool) -> None:
    errors: list[object] = []
    reader = read(kind(data(bad)), on_invalid=errors.append)
    shares: list[list[str]] = [[] for _ in range(THREADS)]
    failures: list[BaseException] = []

    def take(share: list[str]) -> None:
        try:
            for sentence in reader:
                number = sentence.forms[0].split(".")[0]
                assert sentence.forms == [f"{number}.{i}" for i in range(1, len(sentence) + 1)]
                assert sentence.heads == list(range(len(sentence)))
                share.append(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=take, args=[share]) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(int(number) for share in shares for number in share) == list(range(SENTENCES))
    assert all(list(map(int, share)) == sorted(map(int, share)) for share in shares)
    assert len(errors) == (len(range(0, SENTENCES, 3)) if bad else 0)


def test_a_stream_that_asks_its_own_reader() -> None:
    class Snake(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return next(reader).text.encode()

    reader = read(Snake(b""), on_note=str)
    with pytest.raises(ValueError, match="at work already"):
        next(reader)


def test_a_callback_may_ask_for_more() -> None:
    reader = read(io.BytesIO(data(True)), on_invalid=lambda error: taken.append(next(reader).forms[0]))
    taken: list[str] = []
    rest = [sentence.forms[0] for sentence in reader]
    assert sorted([*taken, *rest]) == sorted(f"{k}.1" for k in range(SENTENCES))
    assert taken


def test_a_reader_is_made_whole_or_not_at_all() -> None:
    with pytest.raises(TypeError):
        Reader.__new__(Reader)
