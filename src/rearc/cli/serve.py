"""`rearc serve`: the page and the service."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.guard import ERROR, counted, say
from rearc.errors import RearcError

if TYPE_CHECKING:
    from rearc.parser import Parser


def serve(
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            show_default="en",
            help="Model to offer; several with several -m, the first is the usual one. NAME=MODEL gives it a name.",
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="Port; 0 is a free one.")
    ] = 8000,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", min=1, show_default="cores", help="Threads that parse.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="Name under which it may be asked, besides localhost and HOST."
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin", metavar="ORIGIN", help="Site whose pages may ask it: https://example.org, or *."
        ),
    ] = None,
    max_words: Annotated[int, typer.Option("--max-words", metavar="N", min=1, help="Words of a request.")] = 100_000,
    max_seconds: Annotated[
        float, typer.Option("--max-seconds", metavar="S", min=0.1, help="Seconds for a request.")
    ] = 60.0,
) -> None:
    """A web page that shows trees and how they come about, and a service that parses.

    POST /parse takes text or CoNLL-U; /process and /models are those of UDPipe; /openapi.json describes all of it.
    Ctrl-C or SIGTERM ends it when the requests under way are answered; exit code 1 if some could not be. It needs the
    extra `serve`.

    Examples:

    rearc serve
    rearc serve -m en -m fr=my.rearc --port 9000
    curl -H "Content-Type: text/plain" --data-binary "Dogs bark." localhost:8000/parse
    """
    try:
        from rearc.serve.app import make_app
        from rearc.serve.limits import Limits
        from rearc.serve.server import address, listen, serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("starlette", "uvicorn", "h11", "anyio"):
            raise
        found = f"found no {error.name}, expected the extra `serve`"
        raise RearcError(f"{found}; pip install 'rearc[serve]'") from None
    import gc

    limits = Limits(words=max_words, seconds=max_seconds, threads=threads or _cores())
    opened = listen(host, port)  # before the models, which take their time
    try:
        models = _load(model or ["en"])
        gc.freeze()  # what is imported and loaded is no garbage
        app = make_app(models, limits, hosts=[host, *(allow_host or ())], origins=allow_origin or ())
        whole = serve(app, opened, limits, lambda: say(f"serving {', '.join(models)} at {address(opened)}"))
    finally:
        opened.close()
    if not whole:
        say("ended before all requests were answered")
        sys.exit(ERROR)


def _load(given: list[str]) -> dict[str, Parser]:
    from pathlib import PurePath

    from rearc.parser import load

    models: dict[str, Parser] = {}
    for each in given:
        name, equals, model = each.partition("=")
        if not equals:
            name, model = PurePath(each).stem, each
        if not name or not name.isprintable():
            raise typer.BadParameter(f"found no name in {each[:60]!r}, expected NAME=MODEL", param_hint="--model")
        if name in models:
            raise typer.BadParameter(
                f"found two models of the name {name[:60]}, expected one; give NAME=MODEL", param_hint="--model"
            )
        models[name] = load(model)
        if len(given) > 1:
            say(f"loaded {counted(len(models), 'model')} of {len(given)}")
    return models


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
