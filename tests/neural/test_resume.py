"""BiLSTM training that is stopped or killed, and taken up again."""

import json
import os
import signal
from pathlib import Path

import pytest

pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

import rearc
from rearc.files.tensors import decode_tensors, encode_tensors
from rearc.parser import ModelError
from rearc.parser.container import read_container, write_container
from rearc.training import TrainingError, Watcher
from rearc.training.checkpoint import WEIGHTS, checkpoint_of
from rearc.treebank import Sentence
from tests.processes import Child
from tests.trained import train_parser
from tests.training.conftest import start

SMALL = {"model": "bilstm", "size": "small"}


class Once(Watcher):
    """Stops after each batch."""

    learnt = False

    def step(self, epoch: int, done: int, count: int) -> None:
        self.learnt = True

    def stop(self) -> bool:
        return self.learnt


class AtOnce(Watcher):
    def stop(self) -> bool:
        return True


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "options",
    [
        {"system": "nl-covington-nonmonotonic", "policy": (1, 0.5)},
        {"system": "arc-hybrid-swap", "policy": (0, 0.9), "loss": "margin", "slots": "s0 b0 s0l"},
        {"system": "arc-eager", "tagger": True},
    ],
    ids=lambda options: options["system"],
)
def test_every_batch_is_a_place_to_stop(
    options: dict[str, object], sentences: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Stop after each batch; go on each time with a new trainer."""
    monkeypatch.setattr("rearc.training.defaults.LEAST_BATCHES", 4)
    train, dev = sentences[:12], sentences[12:15]
    (tmp_path / "v.txt").write_text("the 1 2\nowls 3 4\n")
    options = {**options, **SMALL, "epochs": 3, "seed": 8, "vectors": str(tmp_path / "v.txt")}
    checkpoint = tmp_path / "c"
    rounds, epochs = 0, 0
    while epochs < 3:
        parser = train_parser(train, dev, checkpoint=checkpoint, resume=True, watcher=Once(), **options)
        epochs = parser.header.epochs
        rounds += 1
        assert rounds < 40
    assert rounds > 10
    parser.save(tmp_path / "pieces")
    train_parser(train, dev, **options).save(tmp_path / "whole")
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.usefixtures("tiny")
def test_a_stop_in_the_first_epoch_gives_what_there_is(sentences: list[Sentence], tmp_path: Path):
    parser = train_parser(sentences[:9], epochs=2, checkpoint=tmp_path / "c", watcher=Once(), **SMALL)
    assert (parser.header.epoch, parser.header.epochs) == (0, 0)
    assert parser.parse(["a", "b"]).has_tree


@pytest.mark.usefixtures("tiny")
def test_other_settings_cannot_go_on(sentences: list[Sentence], tmp_path: Path):
    (tmp_path / "v.txt").write_text("the 1 2\nowls 3 4\n")
    (tmp_path / "w.txt").write_text("the 1 2\nowls 3 5\n")
    (tmp_path / "x.txt").write_text("the 1 2\nwell 3 4\n")
    before = {**SMALL, "system": "arc-hybrid", "epochs": 3, "vectors": str(tmp_path / "v.txt")}
    checkpoint = tmp_path / "c"
    train_parser(sentences[:6], checkpoint=checkpoint, watcher=AtOnce(), **before)
    for train, options, name in (
        (sentences[:6], {"rate": 1e-3}, "rate"),
        (sentences[:6], {"size": "base"}, "preset, shape"),
        (sentences[:6], {"epochs": 4}, "epochs"),
        (sentences[:6], {"loss": "best"}, "loss"),
        (sentences[:6], {"slots": "s0 b0"}, "shape"),
        (sentences[:6], {"tagger": True}, "expects, shape"),
        (sentences[:6], {"seed": 2}, "seed"),
        (sentences[:6], {"vectors": None}, "vectors"),
        (sentences[:6], {"vectors": str(tmp_path / "w.txt")}, "vectors"),
        (sentences[:6], {"vectors": str(tmp_path / "x.txt")}, "vectors"),
        (sentences[1:7], {}, "train"),
    ):
        with pytest.raises(TrainingError) as caught:
            train_parser(train, checkpoint=checkpoint, resume=True, **{**before, **options})
        found, _, remedy = str(caught.value).partition(", expected the same settings and treebanks; ")
        assert found.startswith(f"{checkpoint}: found a training with another ")
        assert set(name.split(", ")) <= set(found.partition("another ")[2].split(", "))
        assert remedy == "repeat them, or train without --resume"
    perceptron = {"system": "arc-hybrid", "checkpoint": checkpoint, "resume": True}
    with pytest.raises(TrainingError, match=r"found a training with another .*model"):
        train_parser(sentences[:6], **perceptron)
    assert train_parser(sentences[:6], checkpoint=checkpoint, resume=True, **before).header.epochs == 3


@pytest.mark.usefixtures("tiny")
def test_checkpoints_that_do_not_fit(sentences: list[Sentence], tmp_path: Path):
    checkpoint = tmp_path / "c"
    options = {**SMALL, "epochs": 3, "checkpoint": checkpoint}
    train_parser(sentences[:6], watcher=Once(), **options)
    members = {name: bytes(data) for name, data in read_container(checkpoint).items()}
    tensors = decode_tensors(members[WEIGHTS])
    name = next(name for name in tensors if name.startswith("module."))
    without = {key: array for key, array in tensors.items() if key != name}
    for wrong in (without, {**tensors, name: tensors[name][:-1]}, {**tensors, "adam.x.step": tensors[name]}):
        write_container(checkpoint, {**{k: [v] for k, v in members.items()}, WEIGHTS: encode_tensors(wrong)})
        with pytest.raises(ModelError, match="found a state that cannot be restored"):
            train_parser(sentences[:6], resume=True, **options)


# in processes of their own -------------------------------------------------------------------------------------------

SETTINGS = ("--model", "bilstm", "--size", "small", "--system", "arc-hybrid", "--epochs", 4, "--seed", 3)


@pytest.fixture(scope="module")
def treebank(sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("treebank") / "t.conllu"
    rearc.write(sentences[:10], path)
    return path


def training(treebank: Path, model: Path, *arguments: object) -> Child:
    one = {**os.environ, "OMP_NUM_THREADS": "1"}
    return start(
        "train",
        "--only",
        "parser",
        treebank,
        "--dev",
        treebank,
        "-o",
        model,
        *SETTINGS,
        *arguments,
        "--log",
        "-",
        env=one,
    )


def test_killed_and_resumed(treebank: Path, tmp_path: Path):
    whole = tmp_path / "whole.rearc"
    with training(treebank, whole) as process:
        assert len(process.communicate(timeout=120)[0].splitlines()) == 4
    killed = tmp_path / "killed.rearc"
    with training(treebank, killed) as process:
        for _ in range(2):  # behind the second line there is the first checkpoint at least
            assert process.stdout.readline()
        process.kill()
        process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert not killed.exists()
    assert checkpoint_of(killed).exists()
    with training(treebank, killed, "--resume") as process:
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "going on behind epoch" in errors
    assert [json.loads(line)["epoch"] for line in output.splitlines()] == [1, 2, 3, 4]
    assert killed.read_bytes() == whole.read_bytes()
    assert not checkpoint_of(killed).exists()
