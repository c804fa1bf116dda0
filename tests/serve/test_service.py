"""What the service answers: the same as `rearc parse`, and errors that say what is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import rearc
from rearc.cli.parsing import parse_files
from rearc.serve.guarding import HEADERS
from rearc.treebank import sample
from tests.serve.service import CONLLU, PROSE, TEXT, Service, english, running, slow

LINES = "A dog barks.\nThe cat  sleeps!\n"
TOKENS = "A dog barks .\nThe cat sleeps !\n"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with running({"en": english(), "stars": slow()}, hosts=["parser.example"], origins=["https://page.example"]) as it:
        yield it


def by_command(tmp_path: Path, text: str, **options: Any) -> str:
    (tmp_path / "in").write_text(text, "utf-8", newline="")
    parse_files([str(tmp_path / "in")], output=str(tmp_path / "out"), **options)
    return (tmp_path / "out").read_text("utf-8")


@pytest.mark.parametrize("to", ["conllu", "json"])
@pytest.mark.parametrize(
    ("format", "text"),
    [("text", PROSE), ("lines", LINES), ("tokens", TOKENS), ("conllu", sample().read_text("utf-8"))],
)
def test_the_same_as_the_command(service: Service, tmp_path: Path, format: str, text: str, to: str):
    answer = service.client.post("/parse", params={"format": format, "to": to}, content=text.encode(), headers=TEXT)
    assert answer.status_code == 200, answer.text
    assert answer.text == by_command(tmp_path, text, format=format, to=to)


@pytest.mark.parametrize(
    "options",
    [
        {"tags": "predict"},
        {"tags": "given"},
        {"confidence": True},
        {"beam": 4},
        {"n_best": 3},
        {"n_best": 2, "beam": 5},
        {"constraints": "ud"},
        {"partial": True},
        {"partial": True, "n_best": 2, "beam": 3},
        {"constraints": "ud", "confidence": True},
        {"partial": True, "constraints": "ud", "tags": "predict"},
    ],
    ids=str,
)
def test_options_mean_what_they_mean_to_the_command(service: Service, tmp_path: Path, options: dict[str, Any]):
    text = "".join(sentence.to_conllu() for sentence in list(rearc.read(sample()))[:5])
    body = json.dumps({"conllu": text, **options})
    answer = service.client.post("/parse", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    assert answer.text == by_command(tmp_path, text, format="conllu", to="conllu", **options)
    query = {name: str(value).lower() for name, value in options.items()}
    assert service.client.post("/parse", params=query, content=text, headers=CONLLU).text == answer.text


def test_a_long_answer_comes_in_pieces_and_in_order(service: Service, tmp_path: Path):
    text = sample().read_text("utf-8") * 60
    with service.client.stream("POST", "/parse", content=text.encode(), headers=CONLLU) as answer:
        pieces = list(answer.iter_raw())
    assert "content-length" not in answer.headers
    assert len(pieces) > 3
    assert b"".join(pieces).decode() == by_command(tmp_path, text, format="conllu", to="conllu")


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_nothing_has_no_trees(service: Service, text: str):
    answer = service.client.post("/parse", content=text.encode(), headers=TEXT)
    assert (answer.status_code, answer.text) == (200, "")


def test_ranges(service: Service):
    answer = service.client.post("/parse?ranges=true", content=b"A dog", headers=TEXT)
    assert "TokenRange=2:5" in answer.text


@pytest.mark.parametrize(
    ("status", "query", "body", "kind", "says"),
    [
        (400, "", b"1\tx\n", "text/x-conllu", "<body>:1"),
        (400, "", b"\xff", "text/plain", "0xff"),
        (400, "", b"{", "application/json", "no JSON"),
        (400, "", b"[" * 60_000, "application/json", "no JSON"),
        (400, "", b"[]", "application/json", "no object"),
        (400, "", b"{}", "application/json", "text or conllu"),
        (400, "", b'{"text": "a", "conllu": "b"}', "application/json", "text and conllu"),
        (400, "", b'{"text": 1}', "application/json", "a string"),
        (400, "", rb'{"text": "\ud800"}', "application/json", "surrogate"),
        (400, "", b'{"text": "a", "beam": true}', "application/json", "a whole number"),
        (400, "", b'{"text": "a", "beam": 1e400}', "application/json", "a whole number"),
        (400, "", b'{"text": "a", "confidence": 1}', "application/json", "true or false"),
        (400, "", b'{"conllu": "", "format": "text"}', "application/json", "another format"),
        (400, "to=json", b'{"text": "a", "to": "json"}', "application/json", "in one of them"),
        (400, "modle=en", b"a", "text/plain", "did you mean model?"),
        (400, "to=html", b"a", "text/plain", "conllu or json"),
        (400, "beam=0", b"a", "text/plain", "from 1 to 64"),
        (400, "beam=65", b"a", "text/plain", "from 1 to 64"),
        (400, "beam=²", b"a", "text/plain", "from 1 to 64"),
        (400, "n_best=4&beam=3", b"a", "text/plain", "or more"),
        (400, "n_best=4&confidence=1", b"a", "text/plain", "one of them"),
        (400, "%ff=1", b"a", "text/plain", "UTF-8"),
        (400, "&".join(f"a{k}=" for k in range(101)), b"a", "text/plain", "at most 100"),
        (404, "model=de", b"a", "text/plain", "expected one of en, stars"),
        (404, "model=../en.rearc", b"a", "text/plain", "expected one of en, stars"),
        (404, f"model={Path(rearc.__file__).parent / 'data' / 'en.rearc'}", b"a", "text/plain", "one of en, stars"),
        (415, "", b"a", "text/html", "text/plain"),
        (415, "", b"a", "", "text/plain"),
        (415, "", b"a", "application/x-www-form-urlencoded", "text/plain"),
        (415, "", b"a", "text/plain; charset=latin-1", "utf-8"),
        (422, "model=stars", b"a", "text/plain", "a segmenter"),
        (422, "model=stars&tags=predict&format=tokens", b"a", "text/plain", "a tagger"),
        (422, "model=stars&confidence=true&format=tokens", b"a", "text/plain", "how sure"),
    ],
)
def test_what_is_wrong_is_said(service: Service, status: int, query: str, body: bytes, kind: str, says: str):
    answer = service.client.post(f"/parse?{query}", content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    assert says in answer.json()["error"]


def test_other_paths_and_methods(service: Service):
    assert service.client.get("/nowhere").status_code == 404
    assert service.client.get("/nowhere").json() == {"error": "Not Found"}
    refused = service.client.get("/parse")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert service.client.delete("/models").status_code == 405
    assert service.client.head("/health").status_code == 200


def test_health_and_models(service: Service):
    assert service.client.get("/health").json() == {"status": "ok", "version": rearc.__version__}
    answer = service.client.get("/models").json()
    assert answer["models"] == {"en": ["tokenizer", "tagger", "parser"], "stars": ["parser"]}
    assert answer["default_model"] == "en"
    assert answer["about"]["stars"]["system"] == "covington"
    assert service.client.post("/models").json() == answer


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "parser.example"])
def test_hosts_that_are_ours(service: Service, host: str):
    for port in ("", f":{service.port}", ":1"):
        assert service.client.get("/health", headers={"host": host + port}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", "0.0.0.0", "xlocalhost"])
@pytest.mark.parametrize("path", ["/health", "/parse", "/models", "/", "/nowhere", "/static/index.html"])
def test_hosts_that_are_not(service: Service, host: str, path: str):
    """As by DNS rebinding: a foreign page's name leads to this machine."""
    answer = service.client.get(path, headers={"host": host})
    assert answer.status_code == 421
    assert "--allow-host" in answer.json()["error"]


@pytest.mark.parametrize("head", [b"", b"Host: localhost\r\nHost: evil\r\n", b"Host: a b\r\n", b"Host: \r\n"])
def test_hosts_that_are_none(service: Service, head: bytes):
    with service.connect(b"GET /health HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n") as opened:
        assert opened.makefile("rb").read().startswith(b"HTTP/1.1 400")


def test_pages_of_others(service: Service):
    def post(origin: str) -> Any:
        return service.client.post("/parse", content=b"Hi", headers={**TEXT, "origin": origin})

    for foreign in (
        "https://evil.example",
        "null",
        "http://page.example",
        "https://page.example.evil",
        "http://[",
        "*",
    ):
        answer = post(foreign)
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers
    assert post(service.url).status_code == 200
    answer = post("https://page.example")
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://page.example"
    assert "Origin" in answer.headers["vary"]
    asked = {"origin": "https://page.example", "access-control-request-method": "POST"}
    before = service.client.options("/parse", headers=asked)
    assert (before.status_code, before.headers["access-control-allow-methods"]) == (204, "GET, POST")
    asked["origin"] = "https://evil.example"
    assert service.client.options("/parse", headers=asked).status_code == 403


def test_no_other_site_is_let_in_unless_it_was_named():
    with running({"en": english()}) as service:
        for origin in ("https://page.example", "null"):
            answer = service.client.get("/models", headers={"origin": origin})
            assert answer.status_code == 403
            assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/", "/health", "/models", "/nowhere", "/parse", "/static/index.html", "/openapi.json"]
)
def test_every_answer_has_its_guarding_headers(service: Service, path: str):
    answers = [
        service.client.get(path),
        service.client.post(path, content=b"x"),
        service.client.get(path, headers={"host": "evil"}),
    ]
    for answer in answers:
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_a_mistake_of_ours_is_an_error_too(service: Service, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("rearc.serve.workers.parse", fail)
    answer = service.client.post("/parse", content=b"Hi", headers=TEXT)
    assert answer.status_code == 500
    assert "mistake" in answer.json()["error"]
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_the_description_is_valid_and_names_all_routes(service: Service):
    openapi = service.client.get("/openapi.json").json()
    assert openapi["openapi"] == "3.1.0"
    assert set(openapi["paths"]) == {"/parse", "/models", "/process", "/health", "/openapi.json"}
    jsonschema = pytest.importorskip("jsonschema")
    body = openapi["paths"]["/parse"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator.check_schema(body)
    for asked in ({"text": "Hi", "beam": 2}, {"conllu": "", "model": "stars"}):
        jsonschema.validate(asked, body)
    assert {p["name"] for p in openapi["paths"]["/parse"]["post"]["parameters"]} == {
        "model", "format", "to", "tags", "beam", "n_best", "confidence", "partial", "constraints", "ranges"
    }  # fmt: skip
