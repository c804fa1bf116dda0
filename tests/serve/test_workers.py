"""Requests at the same time: parsed together, answered as if each were alone."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import rearc
from rearc.serve import workers as workers_module
from rearc.serve.asks import Ask
from rearc.serve.errors import Refused
from rearc.serve.limits import Limits
from rearc.serve.options import Options
from rearc.serve.parsing import parse
from rearc.serve.workers import Workers
from rearc.treebank import Sentence, sample
from tests.serve.service import CONLLU, TEXT, english, running, slow, star

SENTENCES = list(rearc.read(sample()))


def test_together_and_alone_are_the_same(monkeypatch: pytest.MonkeyPatch):
    """Different texts, models and options at a time; the number of turns tells that sentences were put together."""
    sizes: list[int] = []
    clients, change, counts = 32, threading.Condition(), {"come": 0, "answered": 0, "in all": 0}

    def count(name: str) -> None:
        with change:
            counts[name] += 1
            change.notify_all()

    def all_there() -> bool:
        """Whether every request that can be under way has come."""
        under_way = min(clients, counts["in all"] - counts["answered"])
        return counts["come"] - counts["answered"] >= under_way

    def counted(parser: rearc.Parser, options: Options, sentences: list[Sentence]) -> list[Sentence]:
        sizes.append(len(sentences))
        with change:
            change.wait_for(all_there, timeout=10)
        return parse(parser, options, sentences)

    class Counting(Workers):
        def add(self, ask: Ask) -> None:
            super().add(ask)
            count("come")

    monkeypatch.setattr(workers_module, "parse", counted)
    monkeypatch.setattr("rearc.serve.desk.Workers", Counting)
    asked: list[tuple[str, str]] = []
    for k, sentence in enumerate(SENTENCES):
        asked.append(("/parse", sentence.to_conllu()))
        asked.append(("/parse?tags=predict", "".join(s.to_conllu() for s in SENTENCES[k : k + 3])))
        asked.append(("/parse?model=stars&to=json", star(k + 2)))
        asked.append(("/parse?confidence=true", sentence.to_conllu()))
    with running({"en": english(), "stars": slow()}, Limits(threads=2)) as service:

        def answer(each: tuple[str, str]) -> str:
            text: str = service.client.post(each[0], content=each[1].encode(), headers=CONLLU).text
            count("answered")
            return text

        alone = [answer(each) for each in asked]
        turns_alone = len(sizes)
        sizes.clear()
        counts.update({"come": 0, "answered": 0, "in all": len(asked)})
        with ThreadPoolExecutor(clients) as pool:
            assert list(pool.map(answer, asked)) == alone
    assert turns_alone == len(asked)
    assert len(sizes) < turns_alone / 2
    assert sum(sizes) == sum(text.count("\n\n") for _, text in asked)


def test_a_bad_one_harms_no_other(monkeypatch: pytest.MonkeyPatch):
    """A sentence on which the parser fails takes none of those along that it was put together with."""

    def fails(parser: rearc.Parser, options: Options, sentences: list[Sentence]) -> list[Sentence]:
        time.sleep(0.02)
        if any("poison" in sentence.forms for sentence in sentences):
            raise ZeroDivisionError
        return parse(parser, options, sentences)

    monkeypatch.setattr(workers_module, "parse", fails)
    texts = [b"poison" if k % 8 == 3 else b"a dog" for k in range(64)]
    with running({"en": english()}, Limits(threads=1)) as service, ThreadPoolExecutor(16) as pool:
        codes = pool.map(
            lambda text: service.client.post("/parse?format=tokens", content=text, headers=TEXT).status_code, texts
        )
        assert list(codes) == [500 if text == b"poison" else 200 for text in texts]


def make(sentences: list[Sentence], most: int = 10_000, parser: rearc.Parser | None = None, **options: Any) -> Ask:
    return Ask(
        parser or slow(), Options(**options), lambda: sentences, lambda trees: str(len(trees)).encode() + b" ",
        size=10, most=most,
    )  # fmt: skip


def collected(*asks: Any, threads: int = 2) -> list[str]:
    """What becomes of each, asked for at the same time."""

    async def one(ask: Ask, workers: Workers) -> str:
        try:
            return b"".join([data async for data, _ in ask.results(workers)]).decode()
        except Refused as refused:
            return str(refused.status)

    async def main() -> list[str]:
        workers = Workers(threads)
        try:
            return await asyncio.gather(
                *(one(make(*ask) if isinstance(ask, tuple) else ask(), workers) for ask in asks)
            )
        finally:
            workers.close()
            assert not any(thread.is_alive() for thread in workers._running)

    return asyncio.run(main())


def test_long_ones_are_cut_and_come_in_order():
    sentences = [Sentence(["w"] * (k % 7 + 1)) for k in range(3000)]
    (counts,) = collected((sentences, 100_000))
    pieces = list(map(int, counts.split()))
    assert sum(pieces) == 3000
    assert len(pieces) == 3
    assert collected((sentences, 11_000)) == ["413"]
    assert collected(([], 10)) == ["0 "]


def test_a_long_sentence_travels_alone(monkeypatch: pytest.MonkeyPatch):
    turns: list[list[int]] = []

    def noted(parser: rearc.Parser, options: Options, sentences: list[Sentence]) -> list[Sentence]:
        turns.append([len(sentence) for sentence in sentences])
        time.sleep(0.05)
        return sentences

    monkeypatch.setattr(workers_module, "parse", noted)
    asks = [([Sentence(["w"] * (600 if k % 4 == 2 else 3))],) for k in range(12)]
    assert collected(*asks, threads=1) == ["1 "] * 12
    assert all(len(turn) == 1 for turn in turns if max(turn) > 500)
    assert any(len(turn) > 1 for turn in turns)


def test_who_asks_for_much_does_not_stand_before_the_others(monkeypatch: pytest.MonkeyPatch):
    """A hundred chunks, one thread: a small request that comes later is answered long before they are done."""
    done: list[int] = []
    lock = threading.Lock()

    def noted(parser: rearc.Parser, options: Options, sentences: list[Sentence]) -> list[Sentence]:
        with lock:
            done.append(min(map(len, sentences)))
        time.sleep(0.005)
        return sentences

    monkeypatch.setattr(workers_module, "parse", noted)
    much = [Sentence(["w"] * 400) for _ in range(1000)]
    assert collected((much, 1_000_000), ([Sentence(["w"] * 3)],), threads=1)[1] == "1 "
    assert done.index(3) < 5


def test_workers_are_their_own_threads():
    """Another thread that came to work would wait for ever."""
    with pytest.raises(RuntimeError, match="another thread"):
        Workers(1)._work()
    with pytest.raises(ValueError, match="at least 1"):
        Workers(0)
