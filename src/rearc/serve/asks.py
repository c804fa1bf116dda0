"""One request on its way: what it asks for, and what of it is done."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from rearc.interrupt import Abandoned
from rearc.serve.errors import Refused
from rearc.serve.options import Options
from rearc.treebank import Sentence
from rearc.treebank.batches import WORDS

if TYPE_CHECKING:
    from rearc.parser import Parser
    from rearc.serve.workers import Workers

LARGE = 1 << 16  # bytes of a body that others should not have to wait for
LONG = 500  # words of a sentence that others should not have to wait for


class Chunk(NamedTuple):
    """Some sentences of a request."""

    number: int
    sentences: list[Sentence]

    @property
    def words(self) -> int:
        return sum(map(len, self.sentences))

    @property
    def is_long(self) -> bool:
        return any(len(sentence) > LONG for sentence in self.sentences)


class Ask:
    """What a request asks for. Workers read it, take its chunks and bring what becomes of them."""

    def __init__(
        self,
        parser: Parser,
        options: Options,
        read: Callable[[], Iterable[Sentence]],
        write: Callable[[list[Sentence]], bytes],
        *,
        size: int,
        most: int,
        whole: bool = False,
    ) -> None:
        """size: bytes of the body. most: words it may have. whole: it is written in one piece."""
        self.parser = parser
        self.options = options
        self.write = write
        self.abandoned = False  # nobody waits for it any more
        self.begun = False  # it had its turn
        self._read: Callable[[], Iterable[Sentence]] | None = read
        self._size, self._most, self._whole = size, most, whole
        self._chunks: deque[Chunk] = deque()  # that no worker took yet
        self._count = 1
        self._lock = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._done: dict[int, asyncio.Future[tuple[bytes, Exception | None]]] = {}

    @property
    def is_large(self) -> bool:
        """Whether it is yet to be read, and that will take its time."""
        return self._read is not None and self._size > LARGE

    def read(self) -> None:
        """Cut it into chunks, if that is not done yet."""
        read, self._read = self._read, None
        if read is None:
            return
        sentences: list[Sentence] = []
        words = 0
        for sentence in read():
            sentences.append(sentence)
            words += len(sentence)
            if words > self._most:  # no more of them are made
                raise Refused(413, f"found more than {self._most:,} words, expected at most these; send them in parts")
        chunks = [Chunk(0, sentences)] if self._whole else _cut(sentences, WORDS // (self.options.n_best or 1))
        self._chunks.extend(chunks)
        self._count = len(chunks)

    def take(self, long: bool = True) -> Chunk | None:
        """The next chunk, for a worker; None if it has a long sentence, and that is not welcome."""
        self.begun = True
        with self._lock:
            return self._chunks.popleft() if long or not self._chunks[0].is_long else None

    def bring(self, number: int, data: bytes, error: Exception | None = None) -> None:
        """What became of a chunk; called in a worker's thread."""
        try:
            self._loop.call_soon_threadsafe(self._arrive, number, data, error)
        except RuntimeError:  # the loop is closed: nobody waits
            self.abandoned = True

    def give_up(self) -> None:
        """It will not be done."""
        for number in range(self._count):
            self.bring(number, b"", Abandoned())

    def _arrive(self, number: int, data: bytes, error: Exception | None) -> None:
        future = self._future(number)
        if not future.done():
            future.set_result((data, error))

    def _future(self, number: int) -> asyncio.Future[tuple[bytes, Exception | None]]:
        if number not in self._done:
            self._done[number] = self._loop.create_future()
        return self._done[number]

    async def results(self, workers: Workers) -> AsyncGenerator[tuple[bytes, bool], None]:
        """What is written, in order, and whether it was the last of it. Few chunks are ahead of what is taken."""
        submitted, taken = 1, 0
        workers.add(self)
        try:
            while True:
                data, error = await self._future(taken)
                del self._done[taken]
                if error is not None:
                    raise error
                taken += 1
                while submitted < min(self._count, taken + workers.threads):
                    workers.add(self)
                    submitted += 1
                is_last = taken == self._count
                yield data, is_last
                if is_last:
                    return
        finally:
            workers.drop(self)


def _cut(sentences: list[Sentence], words: int) -> list[Chunk]:
    """Chunks of up to about so many words; one at least."""
    chunks: list[list[Sentence]] = [[]]
    size = 0
    for sentence in sentences:
        if size and size + len(sentence) > words:
            chunks.append([])
            size = 0
        chunks[-1].append(sentence)
        size += len(sentence)
    return [Chunk(number, chunk) for number, chunk in enumerate(chunks)]
