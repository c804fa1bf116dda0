"""What a request is refused with."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse


class Refused(Exception):
    """A request that is not answered as it was asked: the status says why, the message says what to do.

    >>> Refused(404, "found no model 'de', expected one of en").answer().status_code
    404
    """

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})

    def answer(self) -> JSONResponse:
        """The error as every route gives it."""
        return JSONResponse({"error": self.message}, self.status, self.headers)
