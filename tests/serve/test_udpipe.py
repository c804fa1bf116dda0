"""UDPipe's REST interface: the parameters of its public documentation, the same JSON, and a client of others."""

import json
import re
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import rearc
from rearc.treebank import sample
from tests.serve.service import PROSE, TEXT, Service, english, running, slow

SENTENCES = list(rearc.read(sample()))


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with running({"en": english(), "stars-of-old": slow()}) as it:
        yield it


def result(service: Service, **fields: str) -> str:
    """Of a request, which is the same by GET, by a form and by a form with parts."""
    answers = [
        service.client.get("/process", params=fields),
        service.client.post("/process", data=fields),
        service.client.post("/process", files={name: (None, value) for name, value in fields.items()}),
        service.client.post("/process", params={"data": "no"}, data=fields),
    ]
    assert [answer.status_code for answer in answers] == [200] * 4, answers[0].text
    assert len({answer.text for answer in answers}) == 1
    content = answers[0].json()
    assert list(content) == ["model", "acknowledgements", "result"]
    assert isinstance(content["acknowledgements"], list)
    text: str = content["result"]
    return text


def without_numbering(conllu: str) -> str:
    return re.sub(r"# sent_id = .*\n", "", conllu)


def test_all_of_it_is_what_the_command_makes(service: Service):
    text = result(service, data=PROSE, tokenizer="", tagger="", parser="")
    assert text == service.client.post("/parse?tags=predict", content=PROSE.encode(), headers=TEXT).text


def test_tokenizer_alone(service: Service):
    text = result(service, data="A dog barks.", tokenizer="")
    assert text == (
        "# newdoc\n# newpar\n# sent_id = 1\n# text = A dog barks.\n"
        "1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n3\tbarks\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "4\t.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n"
    )


def test_tagger_without_parser_leaves_the_tree_alone(service: Service):
    gold = SENTENCES[3]
    bare = result(service, data="A dog barks.", tokenizer="", tagger="")
    assert "\tDET\t" in bare
    assert all(line.split("\t")[6:8] == ["_", "_"] for line in bare.splitlines() if line[:1].isdigit())
    tagged = result(service, data=gold.to_conllu(), tagger="")
    (sentence,) = rearc.read(_stream(tagged))
    assert (sentence.heads, sentence.deprels) == (gold.heads, gold.deprels)
    assert sentence.upos == english().parse(gold, tags="predict").upos


def test_parser_without_tagger_goes_by_the_tags_that_are_given(service: Service):
    gold = SENTENCES[3]
    (sentence,) = rearc.read(_stream(result(service, data=gold.to_conllu(), parser="")))
    expected = english().parse(gold, tags="given")
    assert (sentence.heads, sentence.deprels, sentence.upos) == (expected.heads, expected.deprels, gold.upos)


def test_without_any_step_it_converts(service: Service):
    gold = "".join(sentence.to_conllu() for sentence in SENTENCES[:3])
    assert result(service, data=gold) == gold
    assert result(service, data=gold, input="conllu", output="conllu") == gold


@pytest.mark.parametrize(
    ("input", "data"),
    [
        ("horizontal", "A dog barks .\n\nThe  cat\tsleeps\n"),
        ("horizontal", "A dog barks .\r\nThe cat sleeps"),
        ("vertical", "A\ndog\tNN\nbarks\n.\n\n\nThe\ncat\nsleeps\n"),
        ("vertical", "A\r\ndog\r\nbarks\r\n.\r\n\r\nThe\r\ncat\r\nsleeps"),
    ],
)
def test_inputs_of_words(service: Service, input: str, data: str):
    words = [["A", "dog", "barks", "."], ["The", "cat", "sleeps"]]
    assert [sentence.forms for sentence in rearc.read(_stream(result(service, data=data, input=input)))] == words
    parsed = list(rearc.read(_stream(result(service, data=data, input=input, tagger="", parser=""))))
    assert [sentence.heads for sentence in parsed] == [tree.heads for tree in english().parse_many(words)]


def test_spaces_in_words(service: Service):
    """A no-break space stands for a space within a word, in and out."""
    data = "10\xa0000 dogs\n"
    text = result(service, data=data, input="horizontal")
    assert "1\t10 000\t" in text
    assert result(service, data=data, input="horizontal", output="horizontal") == data
    assert result(service, data=data, input="horizontal", output="vertical") == "10\xa0000\ndogs\n\n"


def test_outputs(service: Service):
    data = "Don't panic.  All is well.\n\nThe end."
    assert result(service, data=data, tokenizer="", output="horizontal") == (
        "Do n't panic .\nAll is well .\nThe end .\n"
    )
    assert result(service, data=data, tokenizer="", output="horizontal=paragraphs") == (
        "Do n't panic .\nAll is well .\n\nThe end .\n"
    )
    assert result(service, data="Go on. Stop.", tokenizer="", output="vertical") == "Go\non\n.\n\nStop\n.\n\n"
    assert result(service, data=data, tokenizer="", output="plaintext") == data
    assert result(service, data=data, tokenizer="", output="plaintext=normalized_spaces") == (
        "Don't panic.\nAll is well.\n\nThe end.\n"
    )


def test_options_of_the_tokenizer(service: Service):
    lines = "A dog\nbarks. The cat\n"
    text = result(service, data=lines, tokenizer="presegmented")
    assert [sentence.text for sentence in rearc.read(_stream(text))] == ["A dog", "barks. The cat"]
    assert "TokenRange=6:11" in result(service, data=lines, tokenizer="presegmented;ranges")
    assert "SpacesAfter" in result(service, data="A  dog", tokenizer="")
    assert "SpacesAfter" not in result(service, data="A  dog", tokenizer="normalized_spaces")
    generic = result(service, data="A dog", input="generic_tokenizer", output="horizontal")
    assert generic == result(service, data="A dog", tokenizer="1", output="horizontal") == "A dog\n"


def test_models_by_the_beginnings_of_their_names(service: Service):
    for name in ("stars-of-old", "stars-of", "stars"):
        answer = service.client.get("/process", params={"data": "a b", "input": "horizontal", "model": name})
        assert answer.json()["model"] == "stars-of-old"
    for name in ("star", "stars-of-old-age", "../en", "stars-"):
        answer = service.client.get("/process", params={"data": "a b", "input": "horizontal", "model": name})
        assert answer.status_code == 404
    assert service.client.get("/process", params={"data": "", "model": ""}).json()["model"] == "en"


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (400, {}),
        (400, {"data": "1\tx\n"}),
        (400, {"data": "a", "input": "matxin"}),
        (400, {"data": "a", "tokenizer": "", "output": "epe"}),
        (404, {"data": "a", "tokenizer": "", "model": "de"}),
        (422, {"data": "a", "tokenizer": "", "model": "stars"}),
        (422, {"data": "a", "input": "horizontal", "tagger": "", "model": "stars"}),
    ],
)
def test_what_is_wrong_is_said(service: Service, status: int, fields: dict[str, str]):
    for answer in (service.client.get("/process", params=fields), service.client.post("/process", data=fields)):
        assert answer.status_code == status
        assert answer.json()["error"]


@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        (415, "application/json", b'{"data": "a"}'),
        (415, "text/plain", b"data=a"),
        (400, "application/x-www-form-urlencoded", b"data=%ff"),
        (400, "application/x-www-form-urlencoded", b"data=\xff"),
        (400, "multipart/form-data", b"--x\r\n"),
        (400, "multipart/form-data; boundary=x", b""),
        (400, "multipart/form-data; boundary=x", b"--x\r\n"),
        (400, "multipart/form-data; boundary=x", b"--x\r\n\r\na\r\n--x--\r\n"),
        (400, "multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="data"\r\n--x--'),
        (
            400,
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n\xff\r\n--x--',
        ),
    ],
)
def test_bodies_that_are_no_forms(service: Service, status: int, kind: str, body: bytes):
    answer = service.client.post("/process", content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text


def test_a_client_of_udapi(service: Service):
    """Udapi asks UDPipe's service. It is not told that this is another."""
    client = pytest.importorskip("udapi.tool.udpipeonline").UDPipeOnline("en", server=service.url)
    from udapi.core.document import Document

    assert client.list_models() == ["en", "stars-of-old"]
    assert client.segment_text("A dog barks. The cat sleeps!") == ["A dog barks.", "The cat sleeps!"]
    document = Document()
    for text in ("A dog barks.", "The cat sleeps!"):
        document.create_bundle().create_tree().text = text
    client.process_document(document)
    parsed = english()("A dog barks.\n\nThe cat sleeps!")
    assert [[node.parent.ord for node in tree.descendants] for tree in document.trees] == [s.heads for s in parsed]
    root = document.create_bundle().create_tree()
    for form in ("I", "saw", "Jack"):
        root.create_child(form=form)
    client.tag_parse_tree(root)
    assert [node.parent.ord for node in root.descendants] == [2, 0, 2]
    assert [node.upos for node in root.descendants] == english().parse(["I", "saw", "Jack"]).upos


def test_a_form_with_parts_as_python_s_mail_makes_it(service: Service):
    """As UDPipe's own client does: headers of the parts have types, encodings and line ends of their own."""
    import email.mime.multipart
    import email.mime.nonmultipart
    import email.policy
    import urllib.request

    message: Any = email.mime.multipart.MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in {"data": "Grüße an\nalle.", "tokenizer": "", "output": "horizontal"}.items():
        part = email.mime.nonmultipart.MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        part.add_header("Content-Transfer-Encoding", "8bit")
        part.set_payload(value, charset="utf-8")
        message.attach(part)
    body = message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1]
    request = urllib.request.Request(
        f"{service.url}/process", data=body, headers={"Content-Type": message["Content-Type"]}
    )
    with urllib.request.urlopen(request) as answer:
        assert "".join(json.load(answer)["result"].split()) == "Grüßeanalle."


def test_queries_as_browsers_write_them(service: Service):
    query = urllib.parse.quote("A dog — barks?")
    answer = service.client.get(f"/process?tokenizer&tagger&parser&output=horizontal&data={query}")
    assert answer.json()["result"] == "A dog — barks ?\n"


def _stream(text: str) -> Any:
    import io

    return io.BytesIO(text.encode())
