"""The application behind a socket."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from rearc.errors import RearcError
from rearc.serve.limits import Limits

WAITING = 512  # connections, most of which have no request under way
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Busy(RearcError):
    """There is no socket to be had at that place."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; Busy if the port is taken, or the host is none of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
        opened.listen(WAITING)
    except (OSError, OverflowError) as error:
        opened.close()
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise Busy(f"found the port {port} taken, expected a free one; choose another with --port") from None
        if number == errno.EACCES:
            raise Busy(f"found no right to the port {port}, expected one; choose one from 1024 with --port") from None
        raise Busy(f"found the host {host[:60]!r}, expected an address of this machine ({error})") from None
    return opened


def address(opened: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = opened.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(app: Starlette, opened: socket.socket, limits: Limits, ready: Callable[[], object] = lambda: None) -> bool:
    """Serve until SIGINT, SIGTERM or SIGHUP comes, then let requests under way finish. False: some were cut off."""
    server = make_server(app, limits, ready)
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        signal.signal(hang_up, server.handle_exit)
    try:
        server.run(sockets=[opened])
    finally:
        opened.close()
    return not server.cut_off


def make_server(app: Starlette, limits: Limits, ready: Callable[[], object] = lambda: None) -> Server:
    """The server, yet to be run."""

    class Protocol(Patient):
        slow = limits.slow

    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=WAITING,
        limit_concurrency=WAITING,
        timeout_keep_alive=max(1, int(limits.slow)),
        timeout_graceful_shutdown=round(limits.grace) + 2,  # should it not be enough that all work is stopped
        h11_max_incomplete_event_size=1 << 16,
    )
    return Server(config, limits.grace, app.state.desk.workers.close, ready)


class Server(uvicorn.Server):
    """Says when it listens, and ends as it is told to."""

    def __init__(
        self, config: uvicorn.Config, grace: float, stop: Callable[[], object], ready: Callable[[], object]
    ) -> None:
        super().__init__(config)
        self._grace, self._stop, self._ready = grace, stop, ready
        self._loop: asyncio.AbstractEventLoop | None = None
        self.cut_off = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal lets requests under way finish, the second does not."""
        if self.should_exit and not self.force_exit and self._loop is not None:
            self.force_exit = True
            self._loop.call_soon_threadsafe(self._cut_off)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        late = asyncio.get_running_loop().call_later(self._grace, self._cut_off)
        await super().shutdown(sockets)
        late.cancel()

    def _cut_off(self) -> None:
        self.cut_off = True
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it is said once, at the end
        self._stop()


class Patient(H11Protocol):
    """Closes connections whose clients neither send what they began nor take what they asked for."""

    slow = 20.0
    _sends: asyncio.TimerHandle | None = None
    _takes: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._sends = self.loop.call_later(self.slow, self._late)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._sends = _stop(self._sends)  # its headers are there; who reads the body watches what follows
        elif self._sends is None:
            self._sends = self.loop.call_later(self.slow, self._late)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._takes = self.loop.call_later(self.slow, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._takes = _stop(self._takes)

    def connection_lost(self, exc: Exception | None) -> None:
        self._sends, self._takes = _stop(self._sends), _stop(self._takes)
        super().connection_lost(exc)

    def _late(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(LATE)
            self.transport.close()


def _stop(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Nothing, in place of a timer."""
    if timer is not None:
        timer.cancel()
    return None
