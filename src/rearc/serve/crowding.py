"""How many requests there may be at a time."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from rearc.serve.errors import Refused

ALWAYS = "/health"  # whoever watches the service is to have an answer


class Crowd:
    """Refuses requests beyond a number."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._count = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == ALWAYS:
            await self._app(scope, receive, send)
            return
        if self._count >= self._most:
            refused = Refused(503, f"found {self._count} requests at work, try again", {"retry-after": "1"})
            await refused.answer()(scope, receive, send)
            return
        self._count += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._count -= 1
