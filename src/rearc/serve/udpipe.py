"""The routes of UDPipe's REST interface, so that its clients work unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rearc.serve.answering import Answer
from rearc.serve.desk import Desk
from rearc.serve.errors import Refused
from rearc.serve.forms import media_type, read_multipart, read_urlencoded
from rearc.serve.options import Options, model_of
from rearc.serve.udpipe_formats import INPUTS, OUTPUTS, read_as, write_as

if TYPE_CHECKING:
    from rearc.parser import Parser


def routes(desk: Desk) -> list[BaseRoute]:
    """/process and /models."""

    async def process(request: Request) -> Response:
        query = read_urlencoded(request.url.query)
        kind = request.headers.get("content-type", "") if request.method == "POST" else None
        return await desk.answer(request, partial(_understand, desk, query, kind))

    async def models(request: Request) -> Response:
        return JSONResponse(
            {
                "models": {name: abilities(parser) for name, parser in desk.models.items()},
                "default_model": next(iter(desk.models)),
                "about": {name: about(parser) for name, parser in desk.models.items()},
            }
        )

    return [
        Route("/process", process, methods=["GET", "POST"]),
        Route("/models", models, methods=["GET", "POST"]),
    ]


def abilities(parser: Parser) -> list[str]:
    """What a model can do, in UDPipe's words."""
    has = {"tokenizer": parser.segmenter is not None, "tagger": parser.has_tagger, "parser": True}
    return [name for name, is_there in has.items() if is_there]


def about(parser: Parser) -> dict[str, Any]:
    """What else there is to know of a model."""
    header = parser.header
    return {
        "system": header.system,
        "kind": header.model,
        "train": header.train.name,
        "licence": header.licence,
        "confidence": parser.has_confidence,
    }


def _understand(desk: Desk, query: dict[str, str], kind: str | None, body: bytes) -> Callable[[], Answer]:
    given = query if kind is None else query | _form(kind, body)
    if "data" not in given:
        raise Refused(400, "found no data, expected the parameter data")
    data = given["data"]
    try:
        size = len(data.encode())
    except UnicodeEncodeError:
        raise Refused(400, "found half of a surrogate pair in data, expected whole characters") from None
    name = _named(given.get("model"), desk.models)
    parser = desk.models[name]
    tag, tree = "tagger" in given, "parser" in given
    if tag and not parser.has_tagger:
        raise Refused(422, f"found tagger, expected a model with one; {name} has none")
    options = Options(tags="predict" if tag else "given", trees=tree, work=tag or tree)
    output, wanted = _format("output", given, OUTPUTS)
    input, rules = _format("input", given, INPUTS)
    if "tokenizer" in given:
        input, rules = "tokenizer", _words(given["tokenizer"])
    read = partial(read_as, input, data, rules, parser, name)
    write = partial(write_as, output, options=wanted)
    in_one = output != "conllu"  # what stands between two sentences depends on both
    return partial(
        desk.ask, name, options, read, write, "application/json", size=size, whole=partial(_shape, name), in_one=in_one
    )


def _shape(model: str, result: bytes) -> bytes:
    answer = {"model": model, "acknowledgements": [], "result": result.decode()}
    return json.dumps(answer, indent=1, ensure_ascii=False).encode()


def _form(kind: str, body: bytes) -> dict[str, str]:
    media, parameters = media_type(kind)
    if media == "multipart/form-data":
        return read_multipart(body, parameters.get("boundary", ""))
    if media == "application/x-www-form-urlencoded":
        try:
            return read_urlencoded(body.decode())
        except UnicodeDecodeError:
            raise Refused(400, "found bytes that are no UTF-8 in the body, expected UTF-8") from None
    if not media and not body:
        return {}
    raise Refused(
        415, f"found the content type {media[:60]!r}, expected application/x-www-form-urlencoded or multipart/form-data"
    )


def _named(name: str | None, models: Mapping[str, Parser]) -> str:
    """The model of that name, or else the first that it is the beginning of, up to a hyphen."""
    if name and name not in models:
        name = next((known for known in models if known.startswith(f"{name}-")), name)
    return model_of(name, models)


def _format(what: str, given: Mapping[str, str], known: tuple[str, ...]) -> tuple[str, set[str]]:
    name, _, options = (given.get(what) or "conllu").partition("=")
    if name not in known:
        raise Refused(400, f"found {what}={name[:40]!r}, expected one of {', '.join(known)}")
    return name, _words(options)


def _words(options: str) -> set[str]:
    """Options between semicolons."""
    return {option.strip() for option in options.split(";")}
