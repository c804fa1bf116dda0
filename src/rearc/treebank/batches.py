"""Batches of sentences through some work and threads: in order, and never many of them in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from rearc.interrupt import Job
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from concurrent.futures import Future

WORDS = 4096  # of a batch: large enough that its costs of its own vanish, small enough that threads share the work
AWAKE = 0.2  # seconds between two looks for signals

Work = Callable[[list[Sentence]], list[Sentence]]


def in_order(work: Work, sentences: Iterable[Sentence], threads: int = 1) -> Iterator[Sentence]:
    """What `work` makes of the sentences, in their order; at most two batches a thread are read ahead."""
    if threads < 1:
        raise ValueError(f"found {threads} threads, expected at least 1")
    if threads == 1:
        return (parsed for batch in batches(sentences) for parsed in work(batch))
    return _threaded(work, sentences, threads)


def _threaded(work: Work, sentences: Iterable[Sentence], threads: int) -> Iterator[Sentence]:
    from concurrent.futures import ThreadPoolExecutor  # which takes its time to import

    job = Job()

    def part(batch: list[Sentence]) -> list[Sentence]:
        with job:
            return work(batch)

    waiting: deque[Future[list[Sentence]]] = deque()
    source = batches(sentences)
    failure: Exception | None = None
    pool = ThreadPoolExecutor(threads, thread_name_prefix="rearc")
    try:
        while failure is None:
            try:
                waiting.append(pool.submit(part, next(source)))
            except StopIteration:
                break
            except Exception as error:  # of reading; what was read before it is handed on first
                failure = error
            if len(waiting) >= 2 * threads:
                yield from _result(waiting.popleft())
        while waiting:
            yield from _result(waiting.popleft())
        if failure is not None:
            raise failure
    finally:
        job.abandon()  # where an error or Ctrl-C came, or nobody wants the rest
        pool.shutdown(cancel_futures=True)


def _result(future: Future[list[Sentence]]) -> list[Sentence]:
    """What a thread comes to.

    Not every signal ends a waiting: not one that comes right before it, and none where a library has signals restart
    what they interrupt (SA_RESTART). So it wakes up now and then and looks.
    """
    from concurrent.futures import wait

    while not future.done():
        wait([future], timeout=AWAKE)
    return future.result()


def batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """The sentences in lists of about WORDS words. What came before an error in reading is still handed on."""
    batch: list[Sentence] = []
    words = 0
    source = iter(sentences)
    while True:
        try:
            sentence = next(source)
        except StopIteration:
            break
        except Exception:
            if batch:
                yield batch
            raise
        batch.append(sentence)
        words += len(sentence)
        if words >= WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch
