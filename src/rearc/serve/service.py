"""The service's own routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rearc.serve.limits import Limits
from rearc.version import __version__

if TYPE_CHECKING:
    from rearc.parser import Parser


def routes(models: dict[str, Parser], limits: Limits) -> list[BaseRoute]:
    """/health."""

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    return [Route("/health", health, methods=["GET"])]
