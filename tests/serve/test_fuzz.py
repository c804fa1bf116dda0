"""Whatever is sent, the answer is one that the description knows. Marked slow, it goes on for long."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

from rearc.serve.errors import Refused
from rearc.serve.forms import read_multipart, read_urlencoded
from rearc.treebank import sample
from tests.serve.service import Service, english, running

QUICK = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
KNOWN = {200, 400, 404, 405, 413, 415, 422}
CONLLU = sample().read_bytes()[:1500]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with running({"en": english()}) as it:
        yield it


def mutated(data: st.DataObject, base: bytes) -> bytes:
    """Cut, doubled, and with bytes changed."""
    text = bytearray(base)
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, max(0, len(text) - 1)))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(
            st.sampled_from(
                [b"\t", b"\n", b"\n\n", b"\0", b"\xff", b"1-2", b"0", b"-1", b"99999999999", b"#", b"\r", b""]
            )
        )
    return bytes(text)


@QUICK
@given(
    st.data(),
    st.sampled_from([CONLLU, "Don't panic — “gute Nacht”.\n\n🙂 1 000 €\u2029".encode(), b'{"text": "Hi", "beam": 2}']),
    st.sampled_from(
        ["text/plain", "text/x-conllu", "application/json", "multipart/form-data; boundary=x", "", "a/b;;=,"]
    ),
    st.sampled_from(["", "format=text", "format=lines", "format=tokens", "format=conllu", "n_best=2", "to=json", "%"]),
    st.sampled_from(["/parse", "/process", "/models"]),
)
def test_bodies(service: Service, data: st.DataObject, base: bytes, kind: str, query: str, path: str):
    answer = service.client.post(f"{path}?{query}", content=mutated(data, base), headers={"content-type": kind})
    assert answer.status_code in KNOWN, answer.text
    if answer.status_code != 200:
        assert answer.json()["error"]


@QUICK
@given(
    st.binary(max_size=300) | st.sampled_from([b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"POST /parse HTTP/1.0\r\n"])
)
@example(b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n")
@example(b"GET http://evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
@example(b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n")
@example(b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
@example(b"POST /parse HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n")
@example(b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")
@example(b"GET /?" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
def test_bytes_that_are_hardly_http(service: Service, sent: bytes):
    with service.connect(sent) as opened:
        opened.shutdown(1)  # nothing follows
        said = opened.makefile("rb").read()
    assert not said or said.startswith(b"HTTP/1.1 ")
    assert not said.startswith(b"HTTP/1.1 5")
    assert service.client.get("/health").status_code == 200


@settings(max_examples=50)
@given(st.binary(max_size=100))
@example(b"\r\n--x--")
def test_forms_are_read_or_refused(body: bytes):
    with suppress(Refused):
        assert isinstance(read_multipart(b"--x\r\n" + body, "x"), dict)


@settings(max_examples=50)
@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), st.text(st.characters(codec="utf-8"))))
def test_what_clients_write_is_read(fields: dict[str, str]):
    from urllib.parse import urlencode

    assert read_urlencoded(urlencode(fields)) == fields


def by_description(url: str, examples: int, phases: str) -> tuple[int, str]:
    """What schemathesis says of the service at this address.

    That every request which the description allows is accepted is not asked for: it cannot say what CoNLL-U is, nor
    which options go together.
    """
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"{url}/openapi.json", "--max-examples", str(examples),
        "--seed", "1", "--phases", phases, "--exclude-checks", "positive_data_acceptance", "--no-color",
    ]  # fmt: skip
    with TemporaryDirectory() as folder:  # it keeps notes
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=folder)
    return done.returncode, done.stdout


def test_by_the_description(service: Service):
    """Requests made from /openapi.json, right and wrong ones; the answers are as it says."""
    pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    code, said = by_description(service.url, 4, "fuzzing")
    assert code == 0, said[-5000:]


@pytest.mark.slow
def test_by_the_description_for_long(service: Service):
    pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    code, said = by_description(service.url, 150, "coverage,fuzzing")
    print(said)
    assert code == 0
