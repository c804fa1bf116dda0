"""The pages over HTTP: their files, their questions, and what is wrong with a question."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("starlette", reason="no starlette; pip install 'rearc[serve]'")
pytest.importorskip("uvicorn", reason="no uvicorn; pip install 'rearc[serve]'")
httpx = pytest.importorskip("httpx", reason="no httpx to ask the server; pip install httpx")

import rearc
from rearc.serve.pages import STATIC
from rearc.treebank import Sentence, read, sample
from tests.serve.serving import served
from tests.serve.ways import asked, network_parser


@pytest.fixture(scope="module")
def client() -> Iterator["httpx.Client"]:
    noise = network_parser("covington-nonmonotonic", list(read(sample())))
    with served({"en": rearc.load("en"), "noise": noise}) as address, httpx.Client(base_url=address) as client:
        yield client


def test_the_files_are_all_there(client):
    """And nothing in them is inline, or from elsewhere: the policy of the service forbids it."""
    listed = (Path(STATIC).parent / "meson.build").read_text() if (Path(STATIC).parent / "meson.build").exists() else ""
    for file in STATIC.iterdir():
        assert client.get(f"/static/{file.name}").status_code == 200
        assert not listed or f"'static/{file.name}'" in listed, "a file that is not installed"
        text = file.read_text("utf-8")
        if file.suffix in (".html", ".js"):
            assert "style=" not in text
            assert "innerHTML" not in text
            assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
            assert "https://" not in text
    for page in ("/", "/debug"):
        answer = client.get(page)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "script-src 'self';" in answer.headers["content-security-policy"]


def test_trees(client):
    text = "A letter arrived yesterday. Nobody could read it."
    answer = client.post("/page/trees", json={"text": text, "model": "en", "other": "noise"}).json()
    assert [each["text"] for each in answer["sentences"]] == text.replace(". ", ".\n").split("\n")
    parsed = list(rearc.load("en")(text))
    for each, tree in zip(answer["sentences"], parsed, strict=True):
        assert [word["head"] for word in each["words"]] == tree.heads
        assert each["conllu"] == tree.to_conllu()
        assert len(each["other"]["heads"]) == len(tree)


def test_trees_beside_those_of_a_file(client):
    gold = list(read(sample()))[:3]
    text = "".join(each.to_conllu() for each in gold)
    answer = client.post("/page/trees", json={"text": text, "model": "en", "other": "given"}).json()
    assert [each["other"]["heads"] for each in answer["sentences"]] == [each.heads for each in gold]
    assert [each["sent_id"] for each in answer["sentences"]] == [each.sent_id for each in gold]


def test_files_to_keep(client):
    tree = next(iter(read(sample())))
    hostile = tree.replace(forms=["<script>alert(1)</script>", *tree.forms[1:]])
    drawn = client.post("/page/file", json={"conllu": hostile.to_conllu(), "to": "svg"})
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert drawn.headers["content-disposition"] == "attachment"
    assert "<script" not in drawn.text
    assert "&lt;script&gt;" in drawn.text
    line = client.post("/page/file", json={"conllu": tree.to_conllu(), "to": "json"}).text
    assert [word["head"] for word in json.loads(line)["words"]] == tree.heads


def test_words_without_a_segmenter(client):
    answer = client.post("/debug/sentences", json={"text": "Owls see\n\nBob sleeps ."}).json()
    assert [each["text"] for each in answer["sentences"]] == ["Owls see", "Bob sleeps ."]
    assert not any(each["gold"] for each in answer["sentences"])


def test_a_derivation_and_its_frames(client):
    question = asked(next(iter(read(sample()))), model="noise", oracle="upper")
    whole = client.post("/debug/derivation", json=question).json()
    found = client.post("/debug/frames", json={**question, "start": 0, "stop": 200}).json()["frames"]
    assert [each["taken"] for each in found[:-1]] == [step["transition"] for step in whole["steps"]]


LONG = Sentence(["w"] * 10_000).to_conllu()
BAD = [
    ("/debug/derivation", b"", 400),
    ("/debug/derivation", b"{", 400),
    ("/debug/derivation", b"[" * 100_000, 400),
    ("/debug/derivation", b'{"conllu": NaN}', 400),
    ("/debug/derivation", b'{"conllu": "\\ud800"}', 400),
    ("/debug/derivation", b"\xff\xfe", 400),
    ("/debug/derivation", b"1" * 5000, 400),
    ("/debug/derivation", b"null", 422),
    ("/debug/derivation", json.dumps({"conllu": LONG, "system": "covington"}).encode(), 413),
    ("/debug/derivation", b'{"conllu": "' + b"x" * 3_000_000 + b'"}', 413),
    ("/debug/derivation", json.dumps({"conllu": "1\tx" + "\t_" * 8, "system": "arc-magic"}).encode(), 404),
    ("/debug/derivation", json.dumps({"conllu": "1\tx" + "\t_" * 8, "model": "de"}).encode(), 404),
    ("/debug/derivation", json.dumps({"conllu": "1\tx\t2"}).encode(), 422),
    ("/debug/frames", json.dumps({"conllu": "1\tx" + "\t_" * 8, "model": "en", "start": -1}).encode(), 422),
    ("/debug/frames", json.dumps({"conllu": "1\tx" + "\t_" * 8, "model": "en", "stop": 10**9}).encode(), 422),
    ("/debug/sentences", json.dumps({"text": 3}).encode(), 422),
    ("/debug/sentences", json.dumps({"text": "x " * 6000}).encode(), 413),
    ("/page/trees", json.dumps({"text": "x", "model": "/etc/passwd"}).encode(), 404),
    ("/page/trees", json.dumps({"text": "x\n" * 300, "model": "noise"}).encode(), 413),
    ("/page/trees", json.dumps({"text": "x"}).encode(), 422),
    ("/page/file", json.dumps({"conllu": "", "to": "exe"}).encode(), 422),
]


@pytest.mark.parametrize(("path", "body", "status"), BAD)
def test_what_is_wrong_with_a_question(path: str, body: bytes, status: int, client):
    answer = client.post(path, content=body)
    assert answer.status_code == status, answer.text[:200]
    assert set(answer.json()) == {"error"}
    assert "Traceback" not in answer.text


def test_an_error_tells_the_place(client):
    question = {"conllu": "1\tx" + "\t_" * 8 + "\n1\ty" + "\t_" * 8, "system": "covington"}
    assert client.post("/debug/derivation", json=question).json()["error"].startswith("line 2, column 1: found ")


def test_other_methods_and_paths(client):
    assert client.get("/debug/derivation").status_code == 405
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/%2e%2e/app.py").status_code == 404
    assert client.get("/debug/nothing").status_code == 404


def test_odd_questions_get_an_answer(client):
    """Questions with parts of others in them: an answer or what is wrong, never a mistake of the server."""
    rng = Random(5)
    tree = next(iter(read(sample())))
    parts = [
        "",
        "en",
        "noise",
        "covington",
        "upper",
        "dynamic",
        "shift",
        "left-arc:2",
        tree.to_conllu(),
        "1\tx",
        "\x00",
        "𝔘",
    ]
    parts += [None, True, -1, 0, 1, 10**12, 0.5, [], {}, ["shift"], [[1, 2]], [[2, 1], [1, 2]], {"a": [None]}]
    fields = [
        "conllu",
        "model",
        "system",
        "oracle",
        "transitions",
        "heads",
        "single_root",
        "start",
        "stop",
        "text",
        "other",
        "to",
    ]
    seen = set()
    for _ in range(300):
        asked_for = {name: rng.choice(parts) for name in rng.sample(fields, rng.randrange(1, 6))}
        if rng.random() < 0.7:
            asked_for |= {"conllu": tree.to_conllu(), "model": "noise"}
        path = rng.choice(["/debug/derivation", "/debug/frames", "/debug/sentences", "/page/trees", "/page/file"])
        answer = client.post(path, json=asked_for)
        assert answer.status_code in (200, 404, 413, 422), (path, asked_for, answer.text)
        seen.add(answer.status_code)
    assert {200, 404, 422} <= seen
