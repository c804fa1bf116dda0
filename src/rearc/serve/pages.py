"""The page, and what it asks for while a derivation is looked at."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from rearc.interrupt import Job
from rearc.serve import debugger, trees
from rearc.serve.asking import Unanswerable, question, span_of
from rearc.serve.bodies import Bodies
from rearc.serve.errors import Refused
from rearc.serve.forms import read_json
from rearc.serve.limits import Limits
from rearc.treebank import read, sample

if TYPE_CHECKING:
    from rearc.parser import Parser

STATIC = Path(__file__).parent / "static"
BODY = 2 << 20  # bytes of a question
_PLACE = re.compile(r"^<stream>:(\d+):(\d+): ")  # in what was sent


def routes(models: dict[str, Parser], limits: Limits) -> list[BaseRoute]:
    """/, /debug, their files, and their questions."""
    threads = CapacityLimiter(limits.threads)
    bodies = Bodies(replace(limits, body=min(BODY, limits.body)))

    def page(name: str) -> Callable[[Request], Any]:
        async def show(request: Request) -> Response:
            return FileResponse(STATIC / name, media_type="text/html; charset=utf-8")

        return show

    def answering(answer: Callable[[object], Response]) -> Callable[[Request], Any]:
        """A route that takes an object of JSON and answers in a thread."""

        async def respond(request: Request) -> Response:
            body = await bodies.read(request)
            job = Job()
            try:
                work = partial(_checked, job, answer, content_of(body))
                async with asyncio.timeout(limits.seconds):
                    return await to_thread.run_sync(work, limiter=threads, abandon_on_cancel=True)
            except TimeoutError:
                raise Refused(504, f"found more than can be done in {limits.seconds:g} seconds") from None
            finally:
                job.abandon()  # nobody wants what is not done yet
                bodies.forget(len(body))

        return respond

    async def catalogue(request: Request) -> Response:
        examples = [trees.example(each) for each in read(sample())]
        return JSONResponse({**debugger.catalogue(models), "examples": examples})

    def derivation(content: object) -> Response:
        return JSONResponse(debugger.derivation(question(content, models)))

    def frames(content: object) -> Response:
        return JSONResponse(debugger.frames(question(content, models), *span_of(content)))

    def parsed(content: object) -> Response:
        return JSONResponse(trees.trees(content, models))

    def file(content: object) -> Response:
        text, kind = trees.file_of(content)
        return Response(text, media_type=kind, headers={"Content-Disposition": "attachment"})

    def listed(content: object) -> Response:
        return JSONResponse(trees.listed(content, models))

    posts = {
        "/page/trees": parsed,
        "/page/file": file,
        "/debug/sentences": listed,
        "/debug/derivation": derivation,
        "/debug/frames": frames,
    }
    return [
        Route("/", page("index.html"), methods=["GET"]),
        Route("/debug", page("debug.html"), methods=["GET"]),
        Route("/debug/catalogue", catalogue, methods=["GET"]),
        *(Route(path, answering(answer), methods=["POST"]) for path, answer in posts.items()),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


def content_of(body: bytes) -> object:
    """What JSON says, if it can be said again: a half of a surrogate pair cannot."""
    content = read_json(body)
    try:
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise Refused(400, "found no JSON, expected an object in UTF-8") from None
    return content


def _checked(job: Job, answer: Callable[[object], Response], content: object) -> Response:
    """The answer, or what is wrong with the question."""
    try:
        with job:
            return answer(content)
    except Unanswerable as error:
        raise Refused(error.status, str(error)) from None
    except ValueError as error:  # RearcError, and what systems and oracles say of trees that are not for them
        raise Refused(422, _PLACE.sub(r"line \1, column \2: ", str(error))) from None
