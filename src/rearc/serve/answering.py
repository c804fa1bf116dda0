"""Answers that are made by workers: sent as they come, or in one piece; dropped when the client has gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rearc.errors import RearcError
from rearc.interrupt import Abandoned
from rearc.serve.asks import Ask
from rearc.serve.errors import Refused
from rearc.serve.workers import Workers

LOG = logging.getLogger("rearc.serve")
PATIENCE = 2.0  # seconds in which a client may take the reason why its answer ends too soon


class Answer(Response):
    """What becomes of an Ask."""

    def __init__(
        self,
        ask: Ask,
        workers: Workers,
        seconds: float,
        media_type: str,
        *,
        whole: Callable[[bytes], bytes] | None = None,
        reason: Callable[[str], bytes] = str.encode,
    ) -> None:
        """whole: what is made of it when all of it is there; without it, it is sent as it comes.

        reason: how it says at its end why it is not complete.
        """
        super().__init__(media_type=media_type)
        self._ask, self._workers, self._seconds = ask, workers, seconds
        self._whole, self._reason = whole, reason
        self.done: Callable[[], None] = lambda: None  # called when all is over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(scope, receive, send))
        leaving = asyncio.ensure_future(_leaving(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            sending.cancel()
            leaving.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
            self.done()

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts: list[bytes] = []
        begun = False
        try:
            async with (
                asyncio.timeout(self._seconds),
                aclosing(self._ask.results(self._workers)) as results,
            ):
                async for data, is_last in results:
                    parts.append(data)
                    if self._whole is not None and not is_last:
                        continue
                    if begun or not is_last:
                        if not begun:
                            await send({"type": "http.response.start", "status": 200, "headers": self._head()})
                            begun = True
                        await send({"type": "http.response.body", "body": parts.pop(), "more_body": not is_last})
            if begun:
                return
            body = b"".join(parts) if self._whole is None else self._whole(b"".join(parts))
            answer: Response = Response(body, media_type=self.media_type)
        except Exception as error:
            refused = self._refused(error)
            if begun:
                LOG.warning("an answer is cut off: %s", refused.message)
                with suppress(TimeoutError):
                    async with asyncio.timeout(PATIENCE):
                        last = self._reason(refused.message)
                        await send({"type": "http.response.body", "body": last, "more_body": True})
                return  # the server closes the connection, as the answer is not complete
            answer = refused.answer()
        await answer(scope, receive, send)

    def _head(self) -> list[tuple[bytes, bytes]]:
        return [(name, value) for name, value in self.raw_headers if name != b"content-length"]

    def _refused(self, error: Exception) -> Refused:
        if isinstance(error, Refused):
            return error
        if isinstance(error, TimeoutError):
            if not self._ask.begun:
                return Refused(503, "found too much at work, try again", {"retry-after": "5"})
            return Refused(504, f"found more than can be done in {self._seconds:g} seconds; send it in parts")
        if isinstance(error, RearcError):
            return Refused(400, str(error))
        if isinstance(error, Abandoned):
            return Refused(503, "found a service that is about to end, try again", {"retry-after": "5"})
        raise error


async def _leaving(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
