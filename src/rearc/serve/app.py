"""The routes together, behind what guards them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from rearc.serve import pages, service, udpipe
from rearc.serve.errors import Refused
from rearc.serve.guarding import Guard
from rearc.serve.limits import Limits

if TYPE_CHECKING:
    from rearc.parser import Parser


def make_app(
    models: dict[str, Parser],
    limits: Limits | None = None,
    *,
    hosts: Collection[str] = (),
    origins: Collection[str] = (),
) -> Starlette:
    """The application that a server such as uvicorn runs.

    models: by their names, the first is that of requests that name none. No others can be asked for.
    hosts, origins: see `Guard`.
    """
    if not models:
        raise ValueError("found no model, expected at least one")
    limits = limits or Limits()
    return Starlette(
        routes=[
            *service.routes(models, limits),
            *udpipe.routes(models, limits),
            *pages.routes(models, limits),
        ],
        middleware=[Middleware(Guard, hosts=hosts, origins=origins)],
        exception_handlers={Refused: _refused, HTTPException: _http_error, Exception: _mistake},
    )


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error.answer()


async def _http_error(request: Request, error: Exception) -> Response:
    """Those of Starlette: no such route, no such method."""
    assert isinstance(error, HTTPException)
    return Refused(error.status_code, error.detail, error.headers).answer()


async def _mistake(request: Request, error: Exception) -> Response:
    return Refused(500, "found a mistake in rearc itself; the log of the service has more").answer()
