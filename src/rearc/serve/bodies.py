"""Reading what a client sends: never more than is allowed, and not for ever."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request

from rearc.serve.errors import Refused
from rearc.serve.limits import Limits

PATIENCE = 2.0  # seconds in which the rest of what is too large is passed over, so that the answer is seen
CLOSE = {"connection": "close"}


class Bodies:
    """Reads bodies, and counts what all of them hold."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = 0

    async def read(self, request: Request) -> bytes:
        """The body; Refused if it is too large (413) or too slow (408), or if too much is held already (503).

        It counts as held until `forget` is told its size.
        """
        limits = self._limits
        told = request.headers.get("content-length", "")
        if told.isdecimal() and int(told) > limits.body:
            await self._pass_over(request)
            raise self._too_large()
        parts: list[bytes] = []
        size = 0
        pieces = request.stream()
        deadline = time.monotonic() + limits.seconds
        try:
            while True:
                try:
                    async with asyncio.timeout(min(limits.slow, deadline - time.monotonic())):
                        piece = await anext(pieces, None)
                except TimeoutError:
                    raise Refused(408, "found a body that does not come, expected it sooner", CLOSE) from None
                if piece is None:
                    break
                size += len(piece)
                self._held += len(piece)
                if size > limits.body:
                    parts.clear()
                    await self._pass_over(request, size)
                    raise self._too_large()
                if self._held > limits.held:
                    raise Refused(503, "found too much at work, try again", {"retry-after": "1", **CLOSE})
                parts.append(piece)
        except BaseException:
            self.forget(size)
            raise
        return b"".join(parts)

    def forget(self, size: int) -> None:
        """A body of this size is not held any more."""
        self._held -= size

    def _too_large(self) -> Refused:
        return Refused(413, f"found a body that is too large, expected at most {self._limits.body:,} bytes", CLOSE)

    async def _pass_over(self, request: Request, size: int = 0) -> None:
        """A client that is still sending would not see an answer, as the connection is closed with it."""
        with suppress(TimeoutError, ClientDisconnect, RuntimeError):
            async with asyncio.timeout(PATIENCE):
                message = await request.receive()
                while message.get("more_body"):
                    size += len(message.get("body", b""))
                    if size > 4 * self._limits.body:
                        return
                    message = await request.receive()
