"""Under which names, and from which pages, the service can be asked."""

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")

from rearc.serve.guarding import bracketed, name_of


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost", "localhost"),
        ("LOCALHOST:8000", "localhost"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]:8000", "[::1]"),
        ("[::1]", "[::1]"),
        ("", None),
        ("::1", None),
        ("localhost:", None),
        ("localhost:80:80", None),
        ("user@localhost", None),
        ("localhost/evil", None),
        ("localhost\t", None),
        ("evil.org:localhost", None),
        ("[::1]evil", None),
    ],
)
def test_the_name_in_a_host_header(host: str, name: str | None):
    assert name_of(host) == name


def test_addresses_as_they_stand_in_a_header():
    assert [bracketed(each) for each in ("::1", "[::1]", "0.0.0.0", "Example.ORG")] == [
        "[::1]",
        "[::1]",
        "0.0.0.0",
        "example.org",
    ]
