"""Training with a pretrained encoder that is stopped or killed, and taken up again; and the command."""

import os
import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
pytest.importorskip("transformers", reason='no transformers; pip install "rearc[transformers]"')

import rearc
from rearc.cli.app import app
from rearc.training import TrainingError
from rearc.treebank import Sentence
from tests.neural.encoders import make_encoder
from tests.neural.test_resume import AtOnce, Once
from tests.processes import Child
from tests.trained import train_parser
from tests.training.conftest import start


@pytest.fixture(scope="module")
def folder(sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("encoder"), [form for s in sentences for form in s.forms])


def test_every_batch_is_a_place_to_stop(
    folder: Path, sentences: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("rearc.training.defaults.LEAST_BATCHES", 4)
    train, dev = sentences[:12], sentences[12:15]
    options = {
        "model": "bilstm", "size": "encoder", "encoder": folder, "system": "arc-eager", "tagger": True, "epochs": 2,
        "seed": 8,
    }  # fmt: skip
    rounds = epochs = 0
    while epochs < 2:
        parser = train_parser(train, dev, checkpoint=tmp_path / "c", resume=True, watcher=Once(), **options)
        epochs = parser.header.epochs
        rounds += 1
        assert rounds < 40
    assert rounds > 6
    parser.save(tmp_path / "pieces")
    train_parser(train, dev, **options).save(tmp_path / "whole")
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


def test_another_encoder_cannot_go_on(folder: Path, sentences: list[Sentence], tmp_path: Path):
    other = make_encoder(tmp_path / "other", [form for s in sentences for form in s.forms], activation="relu")
    before = {"model": "bilstm", "size": "encoder", "system": "arc-hybrid", "epochs": 2, "encoder": folder}
    train_parser(sentences[:6], checkpoint=tmp_path / "c", watcher=AtOnce(), **before)
    for change in ({"encoder": other}, {"encoder_rate": 1e-4}, {"encoder": None, "size": "small"}):
        with pytest.raises(TrainingError, match="encoder"):
            train_parser(sentences[:6], checkpoint=tmp_path / "c", resume=True, **{**before, **change})


def test_killed_and_taken_up_again(folder: Path, sentences: list[Sentence], tmp_path: Path):
    """kill −9 behind the first epoch; the model is the one of a training that nobody disturbed."""
    rearc.write(sentences[:10], tmp_path / "t.conllu")

    def training(model: Path, *more: str) -> Child:
        return start(
            "train", tmp_path / "t.conllu", "-o", model, "--model", "bilstm", "--size", "encoder", "--encoder", folder,
            "--system", "arc-hybrid", "--epochs", 4, "--log", "-", *more, env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip

    with training(tmp_path / "whole.rearc") as process:
        assert len(process.communicate(timeout=240)[0].splitlines()) == 4
    killed = tmp_path / "killed.rearc"
    with training(killed) as process:
        assert process.stdout is not None
        for _ in range(2):  # behind the second line there is the first checkpoint at least
            assert process.stdout.readline()
        process.kill()
        process.communicate(timeout=240)
    assert process.returncode == -signal.SIGKILL
    assert not killed.exists()
    with training(killed, "--resume") as process:
        errors = process.communicate(timeout=240)[1]
    assert process.returncode == 0, errors
    assert "going on behind epoch" in errors
    assert killed.read_bytes() == (tmp_path / "whole.rearc").read_bytes()


def test_the_command_says_what_is_wrong(sentences: list[Sentence], tmp_path: Path):
    rearc.write(sentences[:3], tmp_path / "t.conllu")
    encoder = ("--model", "bilstm", "--encoder", tmp_path / "none")
    arguments = ("train", tmp_path / "t.conllu", "-o", tmp_path / "m", *encoder)
    said = CliRunner().invoke(app, list(map(str, arguments)))
    assert said.exit_code in (1, 2)
    assert "nothing is downloaded" in said.stderr
