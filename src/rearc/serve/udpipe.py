"""The routes of UDPipe's REST interface, so that its clients work unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rearc.serve.limits import Limits

if TYPE_CHECKING:
    from rearc.parser import Parser


def routes(models: dict[str, Parser], limits: Limits) -> list[BaseRoute]:
    """/models."""

    async def list_models(request: Request) -> Response:
        return JSONResponse(
            {"models": {name: abilities(models[name]) for name in models}, "default_model": next(iter(models))}
        )

    return [Route("/models", list_models, methods=["GET", "POST"])]


def abilities(parser: Parser) -> list[str]:
    """What a model can do, in UDPipe's words."""
    found = ["tokenizer"] if parser.segmenter is not None else []
    return [*found, *(["tagger"] if parser.has_tagger else []), "parser"]
