"""Threads that parse. Sentences of requests that come at the same time are parsed together."""

from __future__ import annotations

import threading
from collections import deque

from rearc.interrupt import Abandoned, Job
from rearc.serve.asks import Ask, Chunk
from rearc.serve.parsing import parse
from rearc.treebank.batches import WORDS


class Turn:
    """What a worker does at a time: chunks of requests with one model and the same options."""

    def __init__(self, first: Ask) -> None:
        self.asks = [first]
        self.chunks: list[Chunk] = []
        self.job = Job()


class Workers:
    """A bounded number of threads, which start with the first request. What waits for them is in one line, a request
    has few places in it at a time, and a request of which nobody wants the answer any more loses them."""

    def __init__(self, threads: int) -> None:
        if threads < 1:
            raise ValueError(f"found {threads} threads, expected at least 1")
        self.threads = threads
        self._line: deque[Ask] = deque()
        self._change = threading.Condition()
        self._turns: set[Turn] = set()
        self._running: list[threading.Thread] = []
        self._closed = False

    def add(self, ask: Ask) -> None:
        """Let a worker take the next chunk of a request."""
        with self._change:
            if self._closed:
                ask.give_up()
                return
            if len(self._running) < self.threads:
                name = f"rearc-serve-{len(self._running)}"
                self._running.append(threading.Thread(target=self._work, name=name, daemon=True))
                self._running[-1].start()
            self._line.append(ask)
            self._change.notify()

    def drop(self, ask: Ask) -> None:
        """Nobody waits for it any more: take it out of the line, and stop a turn that is only for such."""
        with self._change:
            ask.abandoned = True
            if ask in self._line:
                self._line = deque(other for other in self._line if other is not ask)
            for turn in self._turns:
                if all(each.abandoned for each in turn.asks):
                    turn.job.abandon()

    def close(self) -> None:
        """Stop all work and wait for the threads. What is in the line is not done."""
        with self._change:
            self._closed = True
            for ask in self._line:
                ask.give_up()
            self._line.clear()
            for turn in self._turns:
                turn.job.abandon()
            self._change.notify_all()
        for thread in self._running:
            thread.join()

    def _work(self) -> None:
        if threading.current_thread() not in self._running:  # another one would wait for requests for ever
            raise RuntimeError("found a call from another thread, expected one of the workers' own")
        while True:
            with self._change:
                self._change.wait_for(lambda: self._line or self._closed)
                if self._closed:
                    return
                ask = self._line.popleft()
                turn = Turn(ask)
                self._turns.add(turn)
            try:
                self._take(turn)
            finally:
                with self._change:
                    self._turns.discard(turn)
            del ask, turn  # what they hold is not to be held while there is nothing to do

    def _take(self, turn: Turn) -> None:
        first = turn.asks[0]
        if first.is_large:
            if self._read(first, turn.job):
                with self._change:  # behind those that came meanwhile
                    if not first.abandoned:
                        self._line.append(first)
                        self._change.notify()
            return
        if not self._read(first, turn.job):
            return
        chunk = first.take()
        assert chunk is not None
        turn.chunks.append(chunk)
        if not chunk.is_long:
            self._gather(turn)
        try:
            self._parse(turn.asks, turn.chunks, turn.job)
        except Exception:
            # one of them is the reason: each for itself then
            for ask, chunk in zip(turn.asks, turn.chunks, strict=True):
                try:
                    self._parse([ask], [chunk], turn.job)
                except Exception as error:
                    ask.bring(chunk.number, b"", error)

    def _gather(self, turn: Turn) -> None:
        """Take others along that are in the line."""
        first, words = turn.asks[0], turn.chunks[0].words
        while words < WORDS and first.options.n_best is None:
            with self._change:
                ask = next((ask for ask in self._line if _together(first, ask) and ask not in turn.asks), None)
                if ask is None:
                    return
                self._line.remove(ask)
                turn.asks.append(ask)
            if not self._read(ask, turn.job):
                turn.asks.pop()
                continue
            chunk = ask.take(long=False)
            if chunk is None:  # it goes alone, as the next
                with self._change:
                    turn.asks.pop()
                    self._line.appendleft(ask)
                    self._change.notify()
                return
            turn.chunks.append(chunk)
            words += chunk.words

    @staticmethod
    def _read(ask: Ask, job: Job) -> bool:
        try:
            with job:
                ask.read()
        except Exception as error:
            ask.bring(0, b"", error)
            return False
        return True

    @staticmethod
    def _parse(asks: list[Ask], chunks: list[Chunk], job: Job) -> None:
        first = asks[0]
        with job:
            if job.abandoned:
                raise Abandoned
            if len(asks) == 1:
                trees = parse(first.parser, first.options, chunks[0].sentences)
                first.bring(chunks[0].number, first.write(trees))
                return
            trees = parse(first.parser, first.options, [s for chunk in chunks for s in chunk.sentences])
        rest = iter(trees)
        done = [ask.write([next(rest) for _ in chunk.sentences]) for ask, chunk in zip(asks, chunks, strict=True)]
        for ask, chunk, data in zip(asks, chunks, done, strict=True):
            ask.bring(chunk.number, data)


def _together(first: Ask, other: Ask) -> bool:
    return (
        other.parser is first.parser and other.options == first.options and not other.is_large and not other.abandoned
    )
