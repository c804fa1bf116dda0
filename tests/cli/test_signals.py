"""Signals end every verb, wherever it is, with the exit code that shells know; no temporary file stays.

What runs here would run for many minutes: that it ends at all is what is tested.
"""

import _thread
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import rearc
from rearc.cli.guard import Terminated
from rearc.cli.watching import TerminalWatcher
from rearc.files.targets import Target
from rearc.treebank import Sentence
from tests.processes import Child
from tests.trained import train_parser

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such signals")


def star(words: int) -> str:
    """All words hang on the first: Covington's system looks at every pair of words."""
    lines = [
        f"{k}\tw\t_\tX\t_\t_\t{0 if k == 1 else 1}\t{'root' if k == 1 else 'dep'}\t_\t_" for k in range(1, words + 1)
    ]
    return "\n".join(lines) + "\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stars, long and short, and models that parse them."""
    folder = tmp_path_factory.mktemp("stars")
    (folder / "long.conllu").write_text(star(60_000))
    (folder / "short.conllu").write_text("".join(star(k) for k in range(2, 40)))
    for system in ("covington", "covington-nonmonotonic"):
        train_parser(folder / "short.conllu", system=system, epochs=3).save(folder / f"{system}.rearc")
    return folder


def stop(sign: Path, how: signal.Signals, *arguments: object) -> tuple[int, str]:
    """Run the command, and send the signal soon after a file of this name, or a temporary one there, appears."""
    command = [sys.executable, "-m", "rearc", *map(str, arguments)]
    with Child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not list(sign.parent.glob(sign.name)):
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(how)
        errors = process.communicate(timeout=60)[1]
    assert "Traceback" not in errors
    return process.returncode, errors


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("threads", [1, 2])
def test_in_the_middle_of_a_sentence(folder: Path, tmp_path: Path, how: signal.Signals, threads: int):
    model = folder / ("covington.rearc" if threads == 1 else "covington-nonmonotonic.rearc")
    arguments = ["parse", folder / "long.conllu", "-m", model, "-o", tmp_path / "out.conllu", "--threads", threads]
    code, errors = stop(tmp_path / ".rearc-*.tmp", how, *arguments)
    assert (code, errors) == (128 + how, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_training_that_is_nowhere_near_an_end(folder: Path, tmp_path: Path, how: signal.Signals):
    log = tmp_path / "log"
    arguments = ["train", folder / "long.conllu", "-o", tmp_path / "m.rearc", "--system", "covington", "--log", log]
    code, errors = stop(log, how, *arguments)
    assert code == 128 + how
    assert errors.endswith("rearc: stopped before there was a model\n")
    assert list(tmp_path.iterdir()) == [log]


def test_a_training_that_has_learnt_something_and_must_stop_at_once(capsys: pytest.CaptureFixture[str]):
    watcher = TerminalWatcher(epochs=2, log=None)
    watcher.step(1, 10, 100)
    with pytest.raises(Terminated), watcher:
        raise Terminated(signal.SIGINT)
    assert capsys.readouterr().err == (
        "rearc: stopped in the middle of something long; what this epoch has learnt is lost\n"
    )


def test_an_oracle_in_the_middle_of_a_tree(folder: Path):
    script = """if True:
        import signal, threading
        from rearc.cli import guard, main

        def heed_then_send(heed=guard.heed_signals):
            heed()
            threading.Timer(1, signal.raise_signal, [signal.SIGTERM]).start()

        guard.heed_signals = heed_then_send
        main()"""
    arguments = ["oracle", str(folder / "long.conllu"), "--coverage", "--system", "covington"]
    run = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (128 + signal.SIGTERM, "")


@pytest.mark.parametrize("wakes", [True, False], ids=["wakes", "does not wake"])
@pytest.mark.parametrize("threads", [1, 2])
def test_from_python(folder: Path, threads: int, wakes: bool):
    """Ctrl-C ends a call, and the parser can be used again.

    wakes: whether the signal ends the waiting for a thread; one that comes right before the waiting does not.
    """
    parser = rearc.load(folder / "covington.rearc")
    long = Sentence(["w"] * 60_000)
    main = threading.main_thread().ident
    send = (signal.pthread_kill, [main, signal.SIGINT]) if wakes else (_thread.interrupt_main, [])
    threading.Timer(0.3, *send).start()
    with pytest.raises(KeyboardInterrupt):
        list(parser.parse_many([long, long, long], threads=threads))
    assert parser.parse(["w", "w", "w"]).heads == [0, 1, 1]


def test_work_that_nobody_waits_for_ends(folder: Path):
    parser = rearc.load(folder / "covington.rearc")
    short, long = [Sentence(["w"] * 3)] * 2000, [Sentence(["w"] * 60_000)] * 3
    parsed = parser.parse_many([*short, *long], threads=2)
    assert len(next(iter(parsed))) == 3
    parsed.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("rearc")]


def test_nothing_stays_of_a_file_that_could_not_be_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "out.conllu"
    target.write_text("before")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "chmod", interrupt)
    with pytest.raises(KeyboardInterrupt), Target(target, str(target)):
        raise AssertionError("it is not open")
    assert [file.name for file in tmp_path.iterdir()] == ["out.conllu"]
    assert target.read_text() == "before"
