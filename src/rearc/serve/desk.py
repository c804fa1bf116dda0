"""What the routes share: models, limits, workers, and the way from a request to its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from rearc.serve.answering import Answer
from rearc.serve.asks import LARGE, Ask
from rearc.serve.bodies import Bodies
from rearc.serve.limits import Limits
from rearc.serve.options import Options
from rearc.serve.workers import Workers
from rearc.treebank import Sentence

if TYPE_CHECKING:
    from rearc.parser import Parser


class Desk:
    """Takes requests and hands them to the workers."""

    def __init__(self, models: Mapping[str, Parser], limits: Limits) -> None:
        self.models = models
        self.limits = limits
        self.workers = Workers(limits.threads)
        self.bodies = Bodies(limits)

    async def answer(self, request: Request, understand: Callable[[bytes], Callable[[], Answer]]) -> Response:
        """The answer to a request, with what `understand` makes of its body; large bodies are understood in a thread.

        It gives back what makes the answer, which is done in the loop again.
        """
        body = await self.bodies.read(request)
        size = len(body)
        try:
            made = (await asyncio.to_thread(understand, body) if size > LARGE else understand(body))()
        except BaseException:
            self.bodies.forget(size)
            raise
        made.done = lambda: self.bodies.forget(size)
        return made

    def ask(
        self,
        model: str,
        options: Options,
        read: Callable[[], Iterable[Sentence]],
        write: Callable[[list[Sentence]], bytes],
        media_type: str,
        *,
        size: int,
        whole: Callable[[bytes], bytes] | None = None,
        reason: Callable[[str], bytes] = str.encode,
        in_one: bool = False,
    ) -> Answer:
        """The answer that the workers will make. whole, reason: see `Answer`; in_one: see `Ask`."""
        limits = self.limits
        ask = Ask(self.models[model], options, read, write, size=size, most=limits.words, whole=in_one)
        return Answer(ask, self.workers, limits.seconds, media_type, whole=whole, reason=reason)
