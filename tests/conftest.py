"""What tests of several rooms share, and the surroundings they all run in."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# Tests start processes and read what they say. Typer's messages are never broken into lines, however narrow the screen,
# and no setting of the user colours them; a test of colours sets its own. It stands here, not in a fixture, since Typer
# looks at these when it is imported.
for _name in ("CLICOLOR_FORCE", "FORCE_COLOR", "GITHUB_ACTIONS", "NO_COLOR", "PY_COLORS", "TTY_COMPATIBLE"):
    os.environ.pop(_name, None)
os.environ["TERMINAL_WIDTH"] = "2000"

# a timing is never an assertion
hypothesis.settings.register_profile("rearc", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("rearc")


def find_treebanks() -> Path:
    """The folder of real treebanks, one folder each with train, dev and test; skips the test where there is none."""
    folder = Path(os.environ.get("REARC_TREEBANKS") or Path(__file__).parents[2] / "shared" / "treebanks")
    if not folder.is_dir():
        pytest.skip(f"no treebanks at {folder}; set REARC_TREEBANKS to the folder that has them")
    return folder


@pytest.fixture(scope="session")
def treebanks() -> Path:
    return find_treebanks()


@pytest.fixture(scope="session", autouse=True)
def heeded_signals() -> Iterator[None]:
    """Signals that tests send end what they are sent to. A shell lets what it starts in the background ignore Ctrl-C,
    and nohup lets it ignore the terminal's end; both are inherited by all that tests start."""
    wanted = {signal.SIGINT: signal.default_int_handler}
    if hasattr(signal, "SIGHUP"):
        wanted |= {signal.SIGHUP: signal.SIG_DFL}
    ignored = [number for number in wanted if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, wanted[number])
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
