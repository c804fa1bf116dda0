"""The service's own routes: /parse, /health and /openapi.json."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rearc.serve.answering import Answer
from rearc.serve.desk import Desk
from rearc.serve.errors import Refused
from rearc.serve.forms import media_type, read_json, read_urlencoded
from rearc.serve.openapi import CONLLU_TYPE, CONLLU_TYPES, JSON_LINES, describe
from rearc.serve.options import model_of, options_of, read_parameters
from rearc.serve.parsing import read_sentences, reason, written
from rearc.version import __version__


def routes(desk: Desk) -> list[BaseRoute]:
    """What is asked for by programs."""

    async def parse(request: Request) -> Response:
        query = read_urlencoded(request.url.query)
        kind = request.headers.get("content-type", "")
        return await desk.answer(request, partial(_understand, desk, query, kind))

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def openapi(request: Request) -> Response:
        return JSONResponse(describe(desk.models, desk.limits))

    return [
        Route("/parse", parse, methods=["POST"]),
        Route("/health", health, methods=["GET"]),
        Route("/openapi.json", openapi, methods=["GET"]),
    ]


def _understand(desk: Desk, query: dict[str, str], kind: str, body: bytes) -> Callable[[], Answer]:
    media, parameters = media_type(kind)
    given: dict[str, Any] = dict(query)
    if parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
        raise Refused(415, f"found the charset {parameters['charset'][:40]!r}, expected utf-8")
    usual = "text"
    if media == "application/json":
        body, usual, more = _read_json(body)
        twice = sorted(given.keys() & more.keys())
        if twice:
            raise Refused(400, f"found {twice[0]} in the query and in the body, expected it in one of them")
        given |= more
    elif media in CONLLU_TYPES:
        usual = "conllu"
    elif media != "text/plain":
        raise Refused(
            415, f"found the content type {media[:60]!r}, expected text/plain, {CONLLU_TYPE} or application/json"
        )
    asked = read_parameters(given)
    model = model_of(asked.get("model"), desk.models)
    parser = desk.models[model]
    options = options_of(asked, parser, model)
    to = asked.get("to", "conllu")
    read = partial(
        read_sentences, body, asked.get("format", usual), parser, model,
        ranges=asked.get("ranges", False) or to == "json", tree=options.partial,
    )  # fmt: skip
    media_out = f"{JSON_LINES if to == 'json' else 'text/plain'}; charset=utf-8"
    return partial(
        desk.ask, model, options, read, partial(written, to=to), media_out,
        size=len(body), reason=partial(reason, to=to),
    )  # fmt: skip


def _read_json(body: bytes) -> tuple[bytes, str, dict[str, Any]]:
    """The text of an object, its usual format, and its other members."""
    given = read_json(body)
    if not isinstance(given, dict):
        raise Refused(400, "found JSON that is no object, expected an object with text or conllu")
    names = [name for name in ("text", "conllu") if name in given]
    if len(names) != 1:
        raise Refused(400, f"found {' and '.join(names) or 'neither'}, expected text or conllu")
    text = given.pop(names[0])
    if not isinstance(text, str):
        raise Refused(400, f"found {names[0]} that is no string, expected a string")
    if names[0] == "conllu" and given.get("format", "conllu") != "conllu":
        raise Refused(400, "found conllu and another format, expected text, or no format")
    try:
        return text.encode(), names[0], given
    except UnicodeEncodeError:
        raise Refused(400, f"found half of a surrogate pair in {names[0]}, expected whole characters") from None
