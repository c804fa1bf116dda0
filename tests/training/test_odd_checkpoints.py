"""Checkpoints that lie: refused in one line, never a traceback, never endless. And more labels than usual."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rearc
from rearc.parser.container import read_container, write_container
from rearc.training import TrainingError, Watcher
from rearc.training.checkpoint import STATE
from rearc.treebank import Sentence
from tests.parser.test_odd_files import HUGE, VALUES, places
from tests.trained import train_parser

Members = dict[str, memoryview]
SETTINGS = {"system": "arc-hybrid", "epochs": 4}


class TwoEpochs(Watcher):
    """Stops within the third."""

    def __init__(self) -> None:
        self.steps = 0

    def epoch(self, record: object) -> None:
        self.steps += 1

    def stop(self) -> bool:
        return self.steps == 2


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return [Sentence(["a", "b", "c"], heads=[2, 0, 2], deprels=["x", "root", "y"]) for _ in range(40)]


@pytest.fixture(scope="module")
def members(treebank: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> dict[str, memoryview]:
    file = tmp_path_factory.mktemp("checkpoint") / "c"
    train_parser(treebank, treebank, checkpoint=file, watcher=TwoEpochs(), **SETTINGS)
    return read_container(file)


def resumed(state: Any, members: Members, treebank: list[Sentence], file: Path) -> rearc.RearcError | None:
    write_container(file, {**{name: [data] for name, data in members.items()}, STATE: [json.dumps(state).encode()]})
    try:
        train_parser(treebank, treebank, checkpoint=file, resume=True, **SETTINGS)
    except rearc.RearcError as error:
        return error
    return None


def test_the_checkpoint_as_it_is(members: Members, treebank: list[Sentence], tmp_path: Path):
    assert resumed(json.loads(bytes(members[STATE])), members, treebank, tmp_path / "c") is None


@pytest.mark.parametrize(
    "change",
    [
        {"epoch": -(10**9)}, {"epoch": 10**30}, {"epoch": 1}, {"epoch": 2.0}, {"settings": None}, {"counts": None},
        {"counts": {}}, {"own": {"random": -1, "steps": [1, 1]}}, {"own": None},
        {"own": {"random": 1, "steps": [-1, 1]}},
        {"position": -1}, {"position": 1}, {"position": HUGE}, {"seconds": -1}, {"seconds": None}, {"history": None},
        {"history": []}, {"best": None}, {"best": {"epoch": 9, "scores": {"uas": 1, "las": 1}}},
        {"best": {"epoch": 1, "scores": {}}}, {"best": {"epoch": 1, "scores": {"uas": 1, "las": "x"}}},
    ],
)  # fmt: skip
def test_states_that_lie(change: dict[str, Any], members: Members, treebank: list[Sentence], tmp_path: Path):
    state = json.loads(bytes(members[STATE])) | change
    error = resumed(state, members, treebank, tmp_path / "c")
    assert error is not None
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "key", ["settings", "epoch", "counts", "own", "history", "best", "format", "position", "seconds"]
)
def test_states_that_lack_something(key: str, members: Members, treebank: list[Sentence], tmp_path: Path):
    state = json.loads(bytes(members[STATE]))
    del state[key]
    assert resumed(state, members, treebank, tmp_path / "c") is not None


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_anywhere(data: st.DataObject, members: Members, treebank: list[Sentence], tmp_path: Path):
    state = json.loads(bytes(members[STATE]))
    holder, key = data.draw(st.sampled_from(list(places(state))))
    holder[key] = data.draw(VALUES)
    resumed(state, members, treebank, tmp_path / "c")


def test_more_than_a_thousand_labels():
    treebank = [Sentence([f"w{k}", "b"], heads=[2, 0], deprels=[f"label{k}", "root"]) for k in range(1100)]
    parser = train_parser(treebank, system="arc-hybrid", epochs=3)
    assert len(parser.header.labels) == 1101
    right = [parser.parse([f"w{k}", "b"]).deprels[0] == f"label{k}" for k in range(1100)]
    assert sum(right) > 1000


def test_more_labels_than_a_model_can_number():
    words = [str(k) for k in range(256)]
    treebank = [
        Sentence(words, heads=[0, *[1] * 255], deprels=["root", *(f"{part}.{k}" for k in range(255))])
        for part in range(258)
    ]
    with pytest.raises(TrainingError, match="labels"):
        train_parser(treebank, system="arc-hybrid", epochs=1)
