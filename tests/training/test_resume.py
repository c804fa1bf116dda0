"""Training that is stopped, killed or starved, and taken up again."""

import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import rearc
from rearc.parser import ModelError
from rearc.training import TrainingError, Watcher
from rearc.training.checkpoint import checkpoint_of
from rearc.treebank import Sentence
from tests.trained import train_parser
from tests.training.conftest import start

EPOCHS = 10
SETTINGS = ("--system", "arc-hybrid", "--epochs", EPOCHS, "--seed", 3)


@pytest.fixture(scope="module")
def uninterrupted(larger: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    model = tmp_path_factory.mktemp("whole") / "m.rearc"
    with start("train", "--only", "parser", larger, "--dev", larger, "-o", model, *SETTINGS) as process:
        assert process.wait(timeout=120) == 0, process.stderr.read()
    assert not checkpoint_of(model).exists()
    return model.read_bytes()


def resume(larger: Path, model: Path) -> list[dict[str, object]]:
    with start(
        "train", "--only", "parser", larger, "--dev", larger, "-o", model, *SETTINGS, "--resume", "--log", "-"
    ) as process:
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return [json.loads(line) for line in output.splitlines()]


def stop(larger: Path, model: Path, epochs: int, how: signal.Signals) -> tuple[int, str]:
    """Train, and send the signal when so many epochs are done: exit code and standard error."""
    with start("train", "--only", "parser", larger, "--dev", larger, "-o", model, *SETTINGS, "--log", "-") as process:
        for _ in range(epochs):
            assert process.stdout.readline()
        process.send_signal(how)
        errors = process.communicate(timeout=120)[1]
    return process.returncode, errors


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stopped_and_resumed_is_as_if_nothing_had_happened(
    how: signal.Signals, larger: Path, uninterrupted: bytes, tmp_path: Path
):
    model = tmp_path / "m.rearc"
    code, errors = stop(larger, model, 2, how)
    assert code == 128 + how, errors
    assert "Traceback" not in errors
    assert "--resume goes on" in errors
    assert rearc.load(model).header.epoch >= 1  # usable at once
    assert checkpoint_of(model).exists()
    log = resume(larger, model)
    assert [entry["epoch"] for entry in log] == list(range(1, EPOCHS + 1))
    assert model.read_bytes() == uninterrupted
    assert list(tmp_path.iterdir()) == [model]


def test_killed_and_resumed(larger: Path, uninterrupted: bytes, tmp_path: Path):
    model = tmp_path / "m.rearc"
    code, _ = stop(larger, model, 3, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert not model.exists()
    assert checkpoint_of(model).exists()
    resume(larger, model)
    assert model.read_bytes() == uninterrupted


def test_killed_again_and_again(larger: Path, uninterrupted: bytes, tmp_path: Path):
    """Also before the first checkpoint."""
    model = tmp_path / "m.rearc"
    with start("train", "--only", "parser", larger, "--dev", larger, "-o", model, *SETTINGS) as process:
        process.kill()
    for _ in range(2):
        with start(
            "train", "--only", "parser", larger, "--dev", larger, "-o", model, *SETTINGS, "--resume", "--log", "-"
        ) as process:
            process.stdout.readline()
            process.stdout.readline()
            process.kill()
    resume(larger, model)
    assert model.read_bytes() == uninterrupted


def test_a_stop_in_the_first_epoch_gives_what_there_is(larger: Path, tmp_path: Path):
    model = tmp_path / "m.rearc"

    class AtOnce(Watcher):
        pieces = 0

        def step(self, epoch: int, done: int, sentences: int) -> None:
            self.pieces += 1

        def stop(self) -> bool:
            return self.pieces == 3

    parser = train_parser(larger, larger, epochs=2, checkpoint=checkpoint_of(model), watcher=AtOnce())
    assert (parser.header.epoch, parser.header.epochs) == (0, 0)
    assert parser.parse(["a", "b"]).has_tree
    resumed = train_parser(larger, larger, epochs=2, checkpoint=checkpoint_of(model), resume=True)
    whole = train_parser(larger, larger, epochs=2)
    resumed.save(tmp_path / "resumed")
    whole.save(tmp_path / "whole")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("system", ["covington-nonmonotonic", "arc-hybrid-swap", "arc-swift"])
def test_every_piece_is_a_place_to_stop(system: str, sentences: list[Sentence], tmp_path: Path, monkeypatch):
    """Stop after each piece of ten sentences; go on each time with a new trainer."""
    monkeypatch.setattr("rearc.training.perceptron.PIECE", 10)
    options = {"system": system, "epochs": 3, "policy": (1, 0.5), "seed": 8}

    class Once(Watcher):
        learnt = False

        def step(self, epoch: int, done: int, count: int) -> None:
            self.learnt = True

        def stop(self) -> bool:
            return self.learnt

    checkpoint = tmp_path / "c"
    for _ in range(12):
        parser = train_parser(sentences, sentences, checkpoint=checkpoint, resume=True, watcher=Once(), **options)
    parser.save(tmp_path / "pieces")
    train_parser(sentences, sentences, **options).save(tmp_path / "whole")
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


def test_other_settings_cannot_go_on(sentences: list[Sentence], tmp_path: Path):
    class Stop(Watcher):
        def stop(self) -> bool:
            return True

    checkpoint = tmp_path / "c"
    train_parser(sentences, system="arc-hybrid", checkpoint=checkpoint, watcher=Stop())
    for train, options, name in (
        (sentences, {"system": "arc-eager"}, "oracle|system"),
        (sentences, {"system": "arc-hybrid", "seed": 2}, "seed"),
        (sentences[1:], {"system": "arc-hybrid"}, "train"),
    ):
        with pytest.raises(
            TrainingError, match=f"found a training with another .*({name}).*expected the same settings"
        ):
            train_parser(train, checkpoint=checkpoint, resume=True, **options)
    assert train_parser(sentences, system="arc-hybrid", epochs=1, checkpoint=checkpoint, resume=True).header.epochs == 1


def test_damaged_checkpoints_are_refused(sentences: list[Sentence], tmp_path: Path):
    checkpoint = tmp_path / "c"
    train_parser(sentences, epochs=2, checkpoint=checkpoint)
    good = checkpoint.read_bytes()
    model = tmp_path / "m.rearc"
    train_parser(sentences, epochs=1).save(model)
    for bad in (b"", good[:-1], good[:100] + b"x" + good[101:], model.read_bytes()):
        checkpoint.write_bytes(bad)
        with pytest.raises(ModelError, match="expected a checkpoint of rearc train"):
            train_parser(sentences, epochs=2, checkpoint=checkpoint, resume=True)


# Places that cannot be written to --------------------------------------------------------------------------------


def limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_leaves_the_old_model_and_no_half_one(larger: Path, tmp_path: Path):
    model = tmp_path / "m.rearc"
    model.write_bytes(b"the old one")
    with start(
        "train", "--quick", "--only", "parser", larger, "-o", model, "--epochs", 2, preexec_fn=limited(10_000)
    ) as process:
        errors = process.communicate(timeout=120)[1]
    assert process.returncode == 1
    assert "Traceback" not in errors
    assert "no checkpoint: " in errors
    assert errors.splitlines()[-1].startswith(
        f"rearc: {model}: found file too large, expected a file that can be written"
    )
    assert model.read_bytes() == b"the old one"
    assert list(tmp_path.iterdir()) == [model]


def test_a_full_disk_at_the_end_keeps_the_checkpoint(larger: Path, uninterrupted: bytes, tmp_path: Path):
    """What was learnt until then is not lost: with room again, the training goes on."""
    model = tmp_path / "m.rearc"
    with start("train", "--only", "parser", larger, "--dev", larger, "-o", model, *SETTINGS, "--log", "-") as process:
        process.stdout.readline()
        process.stdout.readline()
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (10_000, 10_000))
        process.communicate(timeout=120)
    assert process.returncode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["m.rearc.checkpoint"]
    resume(larger, model)
    assert model.read_bytes() == uninterrupted


def test_places_that_cannot_be_written_to_are_found_before_training(larger: Path, tmp_path: Path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    places = [tmp_path, tmp_path / "nosuch" / "m.rearc", Path("/proc/m.rearc")]
    if os.geteuid() != 0:
        places.append(locked / "m.rearc")
    for place in places:
        with start("train", "--only", "parser", larger, "-o", place) as process:
            errors = process.communicate(timeout=60)[1]
        assert process.returncode == 1
        assert errors.count("\n") == 1
        assert "expected a place to write the model to" in errors


def test_a_log_that_nobody_reads_ends_and_the_training_goes_on(larger: Path, tmp_path: Path):
    model = tmp_path / "m.rearc"
    with start("train", "--quick", "--only", "parser", larger, "-o", model, "--epochs", 3, "--log", "-") as process:
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(timeout=120) == 0
    assert "Traceback" not in errors
    assert "no more log: broken pipe" in errors
    assert rearc.load(model).header.epochs == 3


def test_a_second_signal_ends_at_once(larger: Path, tmp_path: Path):
    with start(
        "train", "--quick", "--only", "parser", larger, "-o", tmp_path / "m.rearc", "--epochs", 500, "--log", "-"
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert process.returncode in (130, 143)
    left = {path.name for path in tmp_path.iterdir()}
    assert left <= {"m.rearc", "m.rearc.checkpoint"}


# what comes before the parser ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ((), "a segmenter is trained first"),
        (
            ("--no-segmenter", "--jackknife", 500),
            "a tagger for upos, xpos, feats, lemmas is trained before the parser",
        ),
    ],
    ids=["segmenter", "tagger"],
)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stopped_before_the_parser_learns(
    how: signal.Signals, options: tuple[object, ...], note: str, larger: Path, tmp_path: Path
):
    with start("train", larger, "-o", tmp_path / "m.rearc", *options) as process:
        assert process.stderr.readline() == f"rearc: {note}\n"
        process.send_signal(how)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + how, errors
    assert errors == "rearc: stopped before there was a model\n"
    assert not list(tmp_path.iterdir())


def test_resumed_with_a_segmenter_and_a_tagger(sentences: list[Sentence], tmp_path: Path):
    """The same bytes as if nothing had happened; other tags to learn from are refused."""

    class Impatient(Watcher):
        learnt = 0

        def step(self, epoch: int, done: int, count: int) -> None:
            self.learnt = epoch

        def stop(self) -> bool:
            return self.learnt == 2

    options = {"system": "arc-hybrid", "epochs": 3, "segmenter": True, "tagger": True, "jackknife": 4}
    whole = train_parser(sentences, sentences[:9], **options)
    whole.save(tmp_path / "whole.rearc")
    options["checkpoint"] = tmp_path / "checkpoint"
    stopped = train_parser(sentences, sentences[:9], **options, watcher=Impatient())
    assert stopped.header.epoch == 1
    assert stopped.tagger is not None
    assert stopped.segmenter is not None
    with pytest.raises(TrainingError, match="found a training with another tags"):
        train_parser(sentences, sentences[:9], **{**options, "jackknife": 0}, resume=True)
    resumed = train_parser(sentences, sentences[:9], **options, resume=True)
    resumed.save(tmp_path / "resumed.rearc")
    assert (tmp_path / "resumed.rearc").read_bytes() == (tmp_path / "whole.rearc").read_bytes()
