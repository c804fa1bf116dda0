"""What clients send besides text: JSON, and forms of both kinds. The body is in memory already."""

from __future__ import annotations

import json
import re
from email.message import Message
from urllib.parse import parse_qsl

from rearc.serve.errors import Refused

MOST = 100  # fields
STRUCTURE = 1 << 16  # bytes of JSON outside of strings: an empty list takes two, and thirty times that in memory
QUOTES = 1 << 18  # more than there are words in a request
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)  # never fails once it has begun


def media_type(header: str) -> tuple[str, dict[str, str]]:
    """A content type and its parameters.

    >>> media_type('multipart/form-data; boundary="a b"')
    ('multipart/form-data', {'boundary': 'a b'})
    """
    message = Message()
    message["content-type"] = header.replace("\r", " ").replace("\n", " ")
    parameters = message.get_params(failobj=[])[1:]
    return header.split(";")[0].strip().lower(), {name.lower(): value for name, value in parameters}


def read_urlencoded(text: str) -> dict[str, str]:
    """The fields of a query or of such a body.

    >>> read_urlencoded("data=Hi+there&tagger")
    {'data': 'Hi there', 'tagger': ''}
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST)
    except (ValueError, UnicodeDecodeError):
        raise Refused(400, f"found fields that cannot be read, expected at most {MOST} of them in UTF-8") from None
    return dict(pairs)


def read_json(body: bytes) -> object:
    """The value of a body; Refused for what is none, or is made of very many small ones.

    >>> read_json(b'{"text": "Hi"}')
    {'text': 'Hi'}
    """
    wrong = Refused(400, "found a body that is no JSON, expected an object in UTF-8")
    if len(body) > STRUCTURE and (body.count(b'"') > QUOTES or len(_STRINGS.sub(b"", body)) > STRUCTURE):
        raise Refused(400, f"found JSON with more than {STRUCTURE:,} bytes outside of strings, expected fewer")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise wrong from None


def read_multipart(body: bytes, boundary: str) -> dict[str, str]:
    r"""The fields of such a body.

    >>> read_multipart(b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\nHi\r\n--x--\r\n', "x")
    {'data': 'Hi'}
    """
    wrong = Refused(400, "found a body that is no multipart/form-data, expected parts between boundaries")
    if not boundary or len(boundary) > 200 or not boundary.isascii():
        raise wrong
    mark = b"\r\n--" + boundary.encode("ascii")
    _, *parts = (b"\r\n" + body).split(mark, MOST + 2)
    if not parts or len(parts) > MOST + 1 or not parts[-1].startswith(b"--"):
        raise wrong
    fields: dict[str, str] = {}
    for part in parts[:-1]:
        line, _, rest = part.partition(b"\r\n")
        head, blank, value = (b"\r\n" + rest).partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if line.strip() or not blank or name is None:
            raise wrong
        try:
            fields[(name[1] if name[1] is not None else name[2]).decode()] = value.decode()
        except UnicodeDecodeError:
            raise Refused(400, "found bytes that are no UTF-8 in a field, expected UTF-8") from None
    return fields


_NAME = re.compile(rb'\r\ncontent-disposition:[^\r\n]*;[ \t]*name=(?:"([^"\r\n]*)"|([^";\s]+))', re.IGNORECASE)
