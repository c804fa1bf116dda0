"""`rearc serve` as a process: how it starts, what it says when it cannot, and how it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
httpx = pytest.importorskip("httpx", reason="httpx is not installed")

from tests.processes import Child, heard
from tests.serve.service import CONLLU, ENDLESS, TEXT, slow, star

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such signals")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("models") / "stars.rearc"
    slow().save(file)
    return file


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "rearc", "serve", *map(str, arguments)]


@contextmanager
def process(*arguments: object) -> Iterator[tuple[Child, str]]:
    """The process, and its address."""
    with Child(command("--port", 0, *arguments), stderr=subprocess.PIPE) as child:
        assert child.stderr is not None
        said = heard(child.stderr, b"\n")
        while b" at http" not in said:
            said += heard(child.stderr, b"\n")
        found = re.search(rb"at (http://\S+)", said)
        assert found, said
        yield child, found[1].decode()


class Asking(threading.Thread):
    """A request under way."""

    def __init__(self, url: str, content: str) -> None:
        super().__init__()
        self.url, self.content = url, content
        self.answer: httpx.Response | Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self.answer = httpx.post(f"{self.url}/parse", content=self.content, headers=CONLLU, timeout=60)
        except httpx.HTTPError as error:
            self.answer = error


def busy(pid: int) -> float:
    """Seconds of CPU that a process took."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_lets_requests_finish(model: Path, number: int):
    with process("-m", model, "-m", f"more={model}") as (child, url):
        assert list(httpx.get(f"{url}/models").json()["models"]) == ["stars", "more"]
        asking = Asking(url, star(3) * 4000)  # it takes a while
        time.sleep(0.3)
        child.send_signal(number)
        asking.join()
        assert child.wait(60) == 0
        assert isinstance(asking.answer, httpx.Response)
        assert asking.answer.text.count("\n\n") == 4000
        assert child.stderr is not None
        assert child.stderr.read() == b""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc to look at")
def test_a_second_signal_does_not_wait(model: Path):
    with process("-m", model) as (child, url):
        asking = Asking(url, ENDLESS)
        before = busy(child.pid)
        while busy(child.pid) < before + 0.5:  # it is at work
            time.sleep(0.05)
        child.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert child.poll() is None
        child.send_signal(signal.SIGTERM)
        assert child.wait(20) == 1
        asking.join()
        assert child.stderr is not None
        assert child.stderr.read() == b"rearc: ended before all requests were answered\n"


def failed(*arguments: object, environment: dict[str, str] | None = None) -> tuple[int, str]:
    done = subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=60, env={**os.environ, **(environment or {})}
    )
    return done.returncode, done.stderr


def test_a_port_that_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, said = failed("--port", port)
    assert (code, said) == (1, f"rearc: found the port {port} taken, expected a free one; choose another with --port\n")


def test_a_host_that_is_not_this_machine():
    code, said = failed("--port", 0, "--host", "192.0.2.1")
    assert code == 1
    assert said.startswith("rearc: found the host '192.0.2.1', expected an address of this machine")
    assert said.count("\n") == 1


def test_models_that_are_not_there(tmp_path: Path):
    code, said = failed("--port", 0, "-m", "nothing-like-it")
    assert (code, said.count("\n")) == (1, 1)
    assert "rearc models" in said
    code, said = failed("--port", 0, "-m", tmp_path / "x.rearc")
    assert (code, said.count("\n")) == (1, 1)
    code, said = failed("--port", 0, "-m", "en", "-m", "en")
    assert code == 2
    assert "two models of the name en" in said


def test_without_the_extra(tmp_path: Path):
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('no starlette', name='starlette')")
    code, said = failed("--port", 0, environment={"PYTHONPATH": str(tmp_path)})
    assert code == 1
    assert said == "rearc: found no starlette, expected the extra `serve`; pip install 'rearc[serve]'\n"


def test_ipv6_and_text(model: Path):
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 here")
    with process("--host", "::1", "-m", "en", "--max-words", 5) as (child, url):
        assert url.startswith("http://[::1]:")
        assert httpx.post(f"{url}/parse", content=b"Dogs bark.", headers=TEXT, timeout=60).status_code == 200
        assert httpx.post(f"{url}/parse", content=b"Dogs bark. " * 3, headers=TEXT, timeout=60).status_code == 413
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == 0
