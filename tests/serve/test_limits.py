"""Too much, too long, too slow, too many: each has its answer, and harms nobody else."""

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
httpx = pytest.importorskip("httpx", reason="httpx is not installed")

from rearc.serve.limits import Limits
from tests.serve.service import CONLLU, ENDLESS, TEXT, Service, english, running, slow, star

LIMITS = Limits(body=3 << 20, words=100_000, seconds=2.0, requests=6, slow=1.0, threads=2, grace=1.0)
START = b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with running({"en": english(), "stars": slow()}, LIMITS) as it:
        yield it


@pytest.fixture(autouse=True)
def nobody_is_harmed(service: Service) -> Iterator[None]:
    """After each of these, and all of its work with it, is gone."""
    yield
    wait(lambda: "\tbark\t" in service.client.post("/parse", content=b"Dogs bark.", headers=TEXT).text)
    wait(lambda: not service.app.state.desk.workers._turns and not service.app.state.desk.workers._line)


def wait(done: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def everything(opened: socket.socket) -> bytes:
    return opened.makefile("rb").read()


def test_a_body_that_says_it_is_too_large(service: Service):
    answer = service.client.post("/parse", content=b"a" * (LIMITS.body + 1), headers=TEXT)
    assert answer.status_code == 413
    assert "3,145,728 bytes" in answer.json()["error"]


def test_a_body_that_turns_out_to_be_too_large(service: Service):
    def pieces() -> Iterator[bytes]:
        for _ in range(LIMITS.body // 65536 + 1):
            yield b"a " * 32768

    assert service.client.post("/parse", content=pieces(), headers=TEXT).status_code == 413
    assert service.client.post("/process", content=pieces(), headers=TEXT).status_code == 413


def test_a_body_without_end(service: Service):
    """The client never stops; the connection ends."""
    sent = 0
    with service.connect(START + b"Transfer-Encoding: chunked\r\n\r\n") as opened, suppress(OSError):
        while sent < 20 * LIMITS.body:
            opened.sendall(b"10000\r\n" + b"a" * 65536 + b"\r\n")
            sent += 65536
    assert sent < 10 * LIMITS.body


def test_too_many_words(service: Service):
    answer = service.client.post("/parse?format=tokens", content=b"a " * (LIMITS.words + 1), headers=TEXT)
    assert answer.status_code == 413
    assert "more than 100,000 words" in answer.json()["error"]


def test_a_line_that_is_too_long_for_a_sentence(service: Service):
    answer = service.client.post("/parse?format=lines", content=b"a " * (1 << 18), headers=TEXT)
    assert (answer.status_code, "a sentence each" in answer.json()["error"]) == (413, True)


@pytest.mark.parametrize("small", [b"[],", b"{},", b"1,", b'"",', rb'"\"",', b'{"a":1},'])
@pytest.mark.parametrize("path", ["/parse", "/page/trees"])
def test_json_of_very_many_small_things(service: Service, small: bytes, path: str):
    """It would take a multiple of its size in memory."""
    body = b'{"text": "Hi", "a": [' + small * ((2 << 20) // len(small) // 2) + b"1]}"
    answer = service.client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "outside of strings" in answer.json()["error"]


def test_a_request_that_takes_too_long(service: Service):
    begin = time.monotonic()
    answer = service.client.post("/parse?model=stars", content=ENDLESS, headers=CONLLU)
    assert answer.status_code == 504, answer.text
    assert "2 seconds" in answer.json()["error"]
    assert time.monotonic() - begin < 20


@pytest.mark.parametrize("to", ["conllu", "json"])
def test_an_answer_that_takes_too_long_is_not_taken_for_whole(service: Service, to: str):
    """It is not complete, and what has come ends with the reason."""
    body = star(3) * 2000 + ENDLESS
    lines: list[str] = []
    asked = service.client.stream("POST", f"/parse?model=stars&to={to}", content=body, headers=CONLLU)
    with asked as answer, pytest.raises(httpx.RemoteProtocolError):
        lines.extend(answer.iter_lines())
    assert answer.status_code == 200
    if to == "json":
        *objects, last = map(json.loads, lines)
        assert list(last) == ["error"]
        assert "2 seconds" in last["error"]
        assert all("error" not in each for each in objects)
    else:
        assert lines[-2:] == ["", lines[-1]]
        assert re.fullmatch("# error = found more than can be done in 2 seconds; .+", lines[-1])
        assert sum(line.startswith("#") for line in lines) == 1


def test_a_body_that_does_not_come(service: Service):
    begin = time.monotonic()
    with service.connect(START + b"Content-Length: 10\r\n\r\nab") as opened:
        said = everything(opened)
    assert said.startswith(b"HTTP/1.1 408")
    assert json.loads(said.split(b"\r\n\r\n", 1)[1])["error"]
    assert 0.5 < time.monotonic() - begin < 20


def test_a_body_that_comes_drop_by_drop(service: Service):
    """Never silent for long, but never complete."""
    with service.connect(START + b"Content-Length: 1000000\r\n\r\n") as opened:
        opened.settimeout(0.2)
        said = b""
        begin = time.monotonic()
        while not said:
            assert time.monotonic() - begin < 30
            try:
                opened.sendall(b"a")
                said = opened.recv(4096)
            except TimeoutError:
                pass
        assert said.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"POST /parse HTTP/1.1\r\nHost: local"])
def test_headers_that_do_not_come(service: Service, begun: bytes):
    with service.connect(begun) as opened:
        assert everything(opened).startswith(b"HTTP/1.1 408")


def test_a_second_request_whose_headers_do_not_come(service: Service):
    with service.connect(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n") as opened:
        assert b"200 OK" in opened.recv(4096)
        opened.sendall(b"GET /he")
        assert everything(opened).endswith(b"content-length: 0\r\n\r\n")


def test_a_client_that_does_not_take_the_answer():
    """A large answer, of which nothing is read: its connection is closed, and nothing of it stays."""
    body = ("a dog barks .\n" * 20_000).encode()
    with running({"stars": slow()}, Limits(slow=1.0)) as service, service.connect() as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.sendall(
            b"POST /parse?format=tokens&to=json HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body
        )
        mine = opened.getsockname()[1]
        connections = service.server.server_state.connections
        wait(lambda: mine in {each.client[1] for each in connections})
        wait(lambda: mine not in {each.client[1] for each in list(connections)})
        workers = service.app.state.desk.workers
        wait(lambda: not workers._turns and not workers._line)
        assert service.client.post("/parse", content=star(3), headers=CONLLU).status_code == 200


def test_too_many_at_a_time(service: Service):
    begun = threading.Barrier(LIMITS.requests + 1)

    def post(_: int) -> int:
        begun.wait()
        return service.client.post("/parse?model=stars", content=ENDLESS, headers=CONLLU).status_code

    with ThreadPoolExecutor(LIMITS.requests) as pool:
        asked = pool.map(post, range(LIMITS.requests))
        begun.wait()
        answers = [service.client.get("/models")]
        while answers[-1].status_code != 503:
            answers.append(service.client.get("/models"))
            assert len(answers) < 10_000
        assert answers[-1].headers["retry-after"] == "1"
        assert "try again" in answers[-1].json()["error"]
        assert service.client.get("/health").status_code == 200
        assert set(asked) <= {503, 504}


def test_too_much_is_held_at_a_time():
    """Bodies that are not complete count too."""
    with running({"stars": slow()}, Limits(held=1 << 20, body=1 << 19)) as service:
        big = b"Content-Length: %d\r\n\r\n" % (1 << 19)
        held = [service.connect(START + big + b"a" * ((1 << 19) - 100)) for _ in range(2)]

        def code() -> int:
            return service.client.post("/parse?format=tokens", content=b"a " * 101, headers=TEXT).status_code

        wait(lambda: service.app.state.desk.bodies._held == 2 * ((1 << 19) - 100))
        assert code() == 503
        for opened in held:
            opened.close()
        wait(lambda: code() == 200)
        wait(lambda: service.app.state.desk.bodies._held == 0)  # the answer may be here before its body is let go


def test_who_waits_too_long_is_told_to_come_again(service: Service):
    """All threads are busy with what others asked for: nobody even looked at it."""
    with ThreadPoolExecutor(5) as pool:
        asked = [
            pool.submit(service.client.post, "/parse?model=stars", content=ENDLESS, headers=CONLLU) for _ in range(5)
        ]
        codes = {answer.result().status_code for answer in asked}
    assert codes <= {503, 504}
    assert 503 in codes


def test_a_client_that_leaves_takes_its_work_with_it():
    limits = Limits(threads=1, seconds=600)
    with running({"stars": slow()}, limits) as service:
        workers = service.app.state.desk.workers
        head = b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-conllu\r\nContent-Length: %d\r\n\r\n"
        opened = [service.connect(head % len(ENDLESS) + ENDLESS.encode()) for _ in range(3)]
        wait(lambda: any(turn.chunks for turn in list(workers._turns)) and len(workers._line) == 2)
        for each in opened:
            each.close()
        wait(lambda: not workers._turns and not workers._line)
        answer = service.client.post("/parse", content=star(3), headers=CONLLU)
        assert answer.status_code == 200


def test_a_client_that_leaves_in_the_middle_of_its_body(service: Service):
    for _ in range(20):
        service.connect(START + b"Content-Length: 100\r\n\r\nab").close()


def test_the_end_comes_though_a_request_does_not_end():
    with ThreadPoolExecutor(1) as pool:
        with running({"stars": slow()}, Limits(grace=0.5, seconds=600)) as service:
            asked = pool.submit(httpx.post, f"{service.url}/parse", content=ENDLESS, headers=CONLLU, timeout=60)
            wait(lambda: service.app.state.desk.workers._turns)
        answer = asked.result()
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        assert service.server.cut_off


def test_the_page_has_its_time_too():
    """Two models side by side for a star: hundreds of millions of pairs."""
    with running({"stars": slow()}, Limits(seconds=0.5)) as service:
        asked = {"text": star(4900), "model": "stars", "other": "stars"}
        answer = service.client.post("/page/trees", json=asked)
        assert answer.status_code == 504, answer.text
        assert answer.json()["error"]
