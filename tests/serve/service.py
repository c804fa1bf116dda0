"""The service as `rearc serve` runs it, on a port of its own, and clients that do as they please."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import httpx
from starlette.applications import Starlette

import rearc
from rearc.parser import Parser
from rearc.serve.app import make_app
from rearc.serve.limits import Limits
from rearc.serve.server import Server, address, listen, make_server
from tests.trained import train_parser

CONLLU = {"content-type": "text/x-conllu"}
TEXT = {"content-type": "text/plain; charset=utf-8"}
PROSE = "Don't panic, John's here.  The cat sleeps!\n\nAll is well; “gute Nacht”, she said. 🙂\n"


class Service(NamedTuple):
    """A service that runs."""

    url: str
    app: Starlette
    client: httpx.Client
    server: Server

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def connect(self, *sent: bytes) -> socket.socket:
        """A connection of one's own, over which something was sent."""
        opened = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        for piece in sent:
            opened.sendall(piece)
        return opened


@contextmanager
def running(models: dict[str, Parser], limits: Limits | None = None, **options: Any) -> Iterator[Service]:
    """The service. It has ended when the block has."""
    limits = limits or Limits()
    app = make_app(models, limits, **options)
    opened = listen("127.0.0.1", 0)
    url = address(opened)
    ready = threading.Event()
    server = make_server(app, limits, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        assert ready.wait(30)
        with httpx.Client(base_url=url, timeout=60) as client:
            yield Service(url, app, client, server)
    finally:
        server.should_exit = True
        thread.join()
        opened.close()


@cache
def english() -> Parser:
    """The bundled model."""
    return rearc.load("en")


def star(words: int) -> str:
    """All words hang on the first: Covington's system looks at every pair of words."""
    lines = [
        f"{k}\tw\t_\tX\t_\t_\t{0 if k == 1 else 1}\t{'root' if k == 1 else 'dep'}\t_\t_" for k in range(1, words + 1)
    ]
    return "\n".join(lines) + "\n\n"


ENDLESS = star(30_000)  # takes longer than any test waits for


@cache
def slow() -> Parser:
    """A model that takes very long for ENDLESS, and has neither tagger nor segmenter."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stars.conllu"
        file.write_text("".join(star(k) for k in range(2, 40)))
        return train_parser(file, system="covington", epochs=1)
