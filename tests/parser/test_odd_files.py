"""Files that are no models, and models that lie about themselves: refused in one line, at once, with little memory."""

import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rearc
from rearc.parser.catalogue import find_model
from rearc.parser.container import read_container, write_container
from rearc.parser.errors import ModelError
from rearc.parser.model import HEADER, NETWORK
from rearc.treebank import sample

HUGE = 10**400
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([HUGE, -HUGE, 1 << 63, -1])
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> dict[str, memoryview]:
    """A model with all its parts."""
    file = tmp_path_factory.mktemp("model") / "m.rearc"
    rearc.train(sample(), epochs=1, columns="upos,feats").save(file)
    return read_container(file)


def put(file: Path, members: dict[str, memoryview], **changed: bytes) -> None:
    write_container(file, {name: [changed.get(name, data)] for name, data in members.items()})


def load(file: Path) -> ModelError | None:
    try:
        rearc.load(file)
    except ModelError as error:
        return error
    return None


@pytest.mark.parametrize(
    "change",
    [
        {"policy": [1, HUGE]}, {"policy": [HUGE, 0.5]}, {"dev": False}, {"dev": 0}, {"prune": HUGE}, {"seed": -1},
        {"seed": HUGE},
        {"epochs": -1}, {"epoch": HUGE}, {"scores": {"las": HUGE}}, {"scores": {"las": -1}}, {"labels": []},
        {"train": {"name": "a", "sha256": "b", "sentences": HUGE, "words": 1}},
    ],
)  # fmt: skip
def test_headers_that_lie(change: dict[str, Any], members: dict[str, memoryview], tmp_path: Path):
    content = json.loads(bytes(members[HEADER])) | change
    put(tmp_path / "m.rearc", members, **{HEADER: json.dumps(content).encode()})
    assert load(tmp_path / "m.rearc") is not None


def test_tags_of_many_letters_take_little_memory(members: dict[str, memoryview], tmp_path: Path):
    """Each letter in its place is a part of a tag."""
    content = json.loads(bytes(members["tagger/header.json"]))
    content["columns"][-1]["classes"] = [f"{k}{'x' * 40_000}" for k in range(200)]
    put(tmp_path / "m.rearc", members, **{"tagger/header.json": json.dumps(content).encode()})
    tracemalloc.start()
    try:
        assert "different parts of tags" in str(load(tmp_path / "m.rearc"))
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


def test_a_tagger_without_usual_tags(members: dict[str, memoryview], tmp_path: Path):
    content = json.loads(bytes(members["tagger/header.json"])) | {"usual": []}
    put(tmp_path / "m.rearc", members, **{"tagger/header.json": json.dumps(content).encode()})
    assert load(tmp_path / "m.rearc") is not None


def places(content: Any) -> Iterator[tuple[Any, Any]]:
    """Where something stands in a JSON value: what it is in, and its key."""
    for key in content if isinstance(content, dict) else range(len(content)):
        yield content, key
        if isinstance(content[key], (dict, list)):
            yield from places(content[key])


@pytest.mark.parametrize("member", [HEADER, "tagger/header.json", "segmenter/header.json", NETWORK])
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_anywhere(member: str, data: st.DataObject, members: dict[str, memoryview], tmp_path: Path):
    if member == NETWORK:
        members = read_container(find_model("en"))
    content = json.loads(bytes(members[member]))
    top = data.draw(st.sampled_from(sorted(content)))
    inner = list(places(content[top])) if isinstance(content[top], (dict, list)) else []
    holder, key = data.draw(st.sampled_from([(content, top), *inner[:50]]))
    holder[key] = data.draw(VALUES)
    put(tmp_path / "m.rearc", members, **{member: json.dumps(content).encode()})
    load(tmp_path / "m.rearc")


def test_a_long_name(tmp_path: Path):
    for name in ("x" * 5000, "x" * 5000 + ".rearc", f"{tmp_path}/{'x' * 5000}.rearc", "a\0b", "a\0b.rearc"):
        with pytest.raises(ModelError):
            rearc.load(name)


def test_a_long_name_on_the_command_line():
    for words in (["parse", str(sample()), "-m"], ["info"]):
        run = subprocess.run([sys.executable, "-m", "rearc", *words, "x" * 5000], capture_output=True, text=True)
        assert run.returncode == 1
        assert "Traceback" not in run.stderr


def test_a_pipe_is_refused_at_once(tmp_path: Path):
    os.mkfifo(tmp_path / "m.rearc")
    with pytest.raises(ModelError, match="no regular file"):
        rearc.load(tmp_path / "m.rearc")


def test_a_large_file_is_refused_by_its_first_bytes(tmp_path: Path):
    file = tmp_path / "m.rearc"
    with file.open("wb") as stream:
        stream.write(b"BZh9")
        stream.truncate(1 << 31)
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match="BZh9"):
            rearc.load(file)
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_many_rows_of_many_labels_take_little_memory(members: dict[str, memoryview], tmp_path: Path):
    """In a table of all rows and labels, this model of some 9 MB would take 2 GB."""
    code = """
import numpy as np, resource, sys
from rearc.perceptron.weights import LabelWeights
rows = 1_000_000
places = np.zeros(1 << 18, dtype=np.uint8)
places[: rows // 8] = 255
arrays = dict(places=places, tags=np.ones(rows, np.uint32), counts=np.ones(rows, np.uint16),
              labels=np.zeros(rows, np.uint16), codes=np.ones(rows, np.int8))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
LabelWeights(arrays, 1024)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(run.stdout) * unit < 200 << 20
