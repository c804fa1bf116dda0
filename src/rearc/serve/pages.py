"""The page, and what it asks for while a derivation is looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from rearc.serve.limits import Limits

if TYPE_CHECKING:
    from rearc.parser import Parser

STATIC = Path(__file__).parent / "static"


def routes(models: dict[str, Parser], limits: Limits) -> list[BaseRoute]:
    """/ and /static/…"""

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    return [Route("/", page, methods=["GET"]), Mount("/static", StaticFiles(directory=STATIC))]
