"""The routes together, behind what guards them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from rearc.serve import pages, service, udpipe
from rearc.serve.crowding import Crowd
from rearc.serve.desk import Desk
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
    desk = Desk(models, limits)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        desk.workers.close()

    app = Starlette(
        routes=[*service.routes(desk), *udpipe.routes(desk), *pages.routes(models, limits)],
        middleware=[
            Middleware(Guard, hosts=hosts, origins=origins),
            Middleware(Crowd, most=limits.requests),
        ],
        exception_handlers={Refused: _refused, HTTPException: _http_error, ClientDisconnect: _gone},
        lifespan=lifespan,
    )
    app.state.desk = desk
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error.answer()


async def _http_error(request: Request, error: Exception) -> Response:
    """Those of Starlette: no such route, no such method."""
    assert isinstance(error, HTTPException)
    return Refused(error.status_code, error.detail, error.headers).answer()


async def _gone(request: Request, error: Exception) -> Response:
    """The client has gone; nobody will read this."""
    return Refused(400, "found the end of the connection, expected the rest of the body").answer()
