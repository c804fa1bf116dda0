"""How much the service takes upon itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a request may be and take, and how many there may be at a time.

    >>> Limits(words=500).words
    500
    """

    body: int = 8 << 20  # bytes of a request
    words: int = 100_000  # of a request
    seconds: float = 60.0  # in which a request is to be read, and in which it is to be answered
    requests: int = 128  # under way at a time
    held: int = 64 << 20  # bytes of all of them
    slow: float = 20.0  # seconds in which a client has to send on, or to take what is sent
    threads: int = 2  # that parse
    grace: float = 10.0  # seconds for requests under way when the service ends
