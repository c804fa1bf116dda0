"""What stands before every route: whose name and whose page a request comes through, and headers of every answer."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rearc.serve.errors import Refused

LOG = logging.getLogger("rearc.serve")
LOCAL = ("localhost", "127.0.0.1", "[::1]")
HEADERS = {
    # all that the page needs is beside it; nothing that a user typed can become a script, a frame or a form
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@/\s]+)(?::\d{1,5})?", re.IGNORECASE)


def name_of(host: str) -> str | None:
    """The name in a Host header, without its port; None for what is no such header.

    >>> name_of("Localhost:8000"), name_of("[::1]:80"), name_of("a b")
    ('localhost', '[::1]', None)
    """
    found = _HOST.fullmatch(host)
    return found[1].lower() if found else None


class Guard:
    """Refuses requests that come under a foreign name, as by DNS rebinding, or from a foreign page."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] = (), origins: Collection[str] = ()) -> None:
        """hosts: names under which the service may be asked, besides those of this machine.

        origins: pages of other sites that may use the service, such as https://example.org; "*" is all of them.
        """
        self._app = app
        self._hosts = {bracketed(host) for host in (*LOCAL, *hosts)}
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        allowed = origin is not None and ("*" in self._origins or origin in self._origins)

        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                if self._origins:
                    answer.add_vary_header("Origin")
                if allowed and origin is not None:
                    answer["access-control-allow-origin"] = origin
                    answer["cross-origin-resource-policy"] = "cross-origin"
            await send(message)

        try:
            self._check(headers, origin, allowed)
        except Refused as refused:
            await refused.answer()(scope, receive, send_guarded)
            return
        if allowed and scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            permitted = {"access-control-allow-methods": "GET, POST", "access-control-allow-headers": "content-type"}
            await Response(status_code=204, headers=permitted)(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception:
            LOG.exception("a mistake in rearc itself")
            if begun:
                raise
            mistake = Refused(500, "found a mistake in rearc itself; the log of the service has more")
            await mistake.answer()(scope, receive, send_guarded)

    def _check(self, headers: Headers, origin: str | None, allowed: bool) -> None:
        hosts = headers.getlist("host")
        name = name_of(hosts[0]) if len(hosts) == 1 else None
        if name is None:
            raise Refused(400, "found no Host header that names one host, expected one")
        if name not in self._hosts:
            raise Refused(421, f"found the host {name[:100]!r}, expected one named at the start (--allow-host)")
        if origin is not None and not allowed and not _is_same(origin, hosts[0]):
            raise Refused(403, "found a page of another site, expected one named at the start (--allow-origin)")


def bracketed(host: str) -> str:
    """An address as it stands in a Host header.

    >>> bracketed("::1"), bracketed("Example.org")
    ('[::1]', 'example.org')
    """
    return f"[{host.lower()}]" if ":" in host and not host.startswith("[") else host.lower()


def _is_same(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False
