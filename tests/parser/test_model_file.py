"""Model files: round trips, and headers that somebody else wrote."""

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rearc
from rearc.files.tensors import decode_tensors, encode_tensors
from rearc.parser import ModelError, Parser, load
from rearc.parser.container import read_container, write_container
from rearc.parser.model import HEADER, WEIGHTS
from rearc.treebank import Sentence

TRIAL = {
    "round": 1, "system": "arc-eager", "oracle": "dynamic", "non_projective": "lift", "sentences": 9, "epochs": 3,
    "las": 70.0,
}  # fmt: skip


def rewritten(model: Path, target: Path, header: dict[str, Any] | bytes, **weights: Any) -> Path:
    """The model with another header or other weights, in a container that is whole."""
    members = read_container(model)
    tensors = {**decode_tensors(members[WEIGHTS]), **weights}
    tensors = {name: array for name, array in tensors.items() if array is not None}
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    write_container(target, {HEADER: [text], WEIGHTS: encode_tensors(tensors)})
    return target


def header_of(model: Path) -> dict[str, Any]:
    return json.loads(bytes(read_container(model)[HEADER]))


def test_a_round_trip(model: Parser, sentences: list[Sentence], tmp_path: Path):
    model.save(tmp_path / "m.rearc")
    again = rearc.load(tmp_path / "m.rearc")
    assert again.header == model.header
    assert list(again.parse_many(sentences)) == list(model.parse_many(sentences))
    again.save(tmp_path / "n.rearc")
    assert (tmp_path / "n.rearc").read_bytes() == (tmp_path / "m.rearc").read_bytes()


def test_the_header_says_what_the_model_is(model: Parser):
    header = model.header
    assert (header.system, header.oracle, header.single_root) == ("arc-hybrid-swap", "static", True)
    assert (header.seed, header.epochs, header.epoch, header.policy) == (1, 10, 10, (0, 0.0))
    assert header.expects == ("upos", "feats")
    assert header.train.sentences == 40
    assert [label.name for label in header.labels if label.of_root] == ["root"]
    assert "S0wp" in header.templates.split()


def test_a_model_that_is_not_there():
    with pytest.raises(
        ModelError, match=r"nosuch: found no file of that name, expected a path, or the name of a model"
    ):
        load("nosuch")
    with pytest.raises(ModelError, match=r"nosuch\.rearc: found no such file"):
        load("nosuch.rearc")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "another"),
        ("version", 2),
        ("version", None),
        ("model", "bilstm"),
        ("system", "arc-nothing"),
        ("system", 3),
        ("single_root", "yes"),
        ("templates", "S0q"),
        ("templates", ""),
        ("templates", " ".join(f"S0w+N{k}p" for k in range(10)) * 2),
        ("templates", "+".join(["S0w"] * 1000)),
        ("label_templates", "X9w"),
        ("labels", []),
        ("labels", [{"name": "a"}]),
        ("labels", [{"name": "a", "of_root": 1, "of_word": True}]),
        ("labels", [{"name": f"l{k}", "of_root": True, "of_word": True} for k in range(70_000)]),
        ("labels", [{"name": "a\tb", "of_root": True, "of_word": True}]),
        ("expects", "upos"),
        ("expects", ["heads"]),
        ("non_projective", "maybe"),
        ("train", None),
        ("train", {"name": "x"}),
        ("dev", [1]),
        ("seed", 1.5),
        ("prune", "some"),
        ("policy", [1]),
        ("policy", {"k": 1}),
        ("scores", {"las": "good"}),
        ("scores", [90.0]),
        ("trials", {"round": 1}),
        ("trials", [{"round": 1}]),
        ("trials", [TRIAL | {"las": 101.0}]),
        ("trials", [TRIAL | {"las": None}]),
        ("trials", [TRIAL | {"sentences": -1}]),
        ("trials", [TRIAL | {"surprise": 1}]),
        ("repairs_apart", 1),
        ("marks", []),
        ("marks", {"’": "\n"}),
        ("marks", {"’": 1}),
        ("marks", {"’": []}),
        ("repairs_apart", True),  # arc-hybrid has none
        ("licence", 4),
        ("surprise", 1),
    ],
)
def test_headers_that_are_wrong(field: str, value: Any, tiny: Path, tmp_path: Path):
    header = {**header_of(tiny), field: value}
    with pytest.raises(ModelError, match=r"wrong\.rearc: found .*, expected a model of the format version 1; "):
        load(rewritten(tiny, tmp_path / "wrong.rearc", header))


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff\xfe", b"null", b"[" * 100_000, b'{"format": NaN}'])
def test_headers_that_are_none(text: bytes, tiny: Path, tmp_path: Path):
    with pytest.raises(ModelError, match="header"):
        load(rewritten(tiny, tmp_path / "wrong.rearc", text))


def test_headers_with_a_field_missing(tiny: Path, tmp_path: Path):
    whole = header_of(tiny)
    for field in whole:
        part = {name: value for name, value in whole.items() if name != field}
        if field in ("trials", "beam", "repairs_apart", "taught", "marks"):  # which older models do not have
            header = load(rewritten(tiny, tmp_path / "old.rearc", part)).header
            assert (header.trials, header.beam, header.repairs_apart, header.taught) == ((), 1, False, None)
            assert field != "marks" or header.marks == {}
            continue
        with pytest.raises(ModelError):
            load(rewritten(tiny, tmp_path / "wrong.rearc", part))


def test_trials_are_kept(tiny: Path, tmp_path: Path):
    header = {**header_of(tiny), "trials": [TRIAL]}
    trials = load(rewritten(tiny, tmp_path / "m.rearc", header)).header.trials
    assert [vars(trial) for trial in trials] == [TRIAL]


def test_headers_at_random(tiny: Path, tmp_path: Path):
    """Anything in any place is refused or loaded: never another error."""
    rng = random.Random(11)
    values = [None, True, -1, 0, 2**70, 1e308, "", "x", "\0", "\ud800", [], {}, [[]], [None], {"a": {}}, "S0w " * 300]
    whole = header_of(tiny)
    for _ in range(300):
        header = json.loads(json.dumps(whole))
        where: Any = header
        while True:
            key = rng.choice(list(where) if isinstance(where, dict) else list(range(len(where))))
            if isinstance(where[key], dict | list) and where[key] and rng.random() < 0.7:
                where = where[key]
                continue
            where[key] = rng.choice(values)
            break
        with contextlib.suppress(ModelError):
            load(rewritten(tiny, tmp_path / "wrong.rearc", header)).parse(["a", "b"])


NAMES = [
    *("types.places", "types.tags", "types.codes"),
    *("labels.places", "labels.tags", "labels.counts", "labels.labels", "labels.codes"),
]


@pytest.mark.parametrize("name", NAMES)
def test_weights_that_do_not_fit(name: str, tiny: Path, tmp_path: Path):
    header = header_of(tiny)
    array = decode_tensors(read_container(tiny)[WEIGHTS])[name]
    for wrong in (None, array[:-1], array.reshape(-1, 1, 1), array.astype(np.float32), array[:0]):
        with pytest.raises(ModelError, match=r"the weights|a table of|places taken|do not fit together"):
            load(rewritten(tiny, tmp_path / "wrong.rearc", header, **{name: wrong}))


def test_weights_that_point_nowhere(tiny: Path, tmp_path: Path):
    header = header_of(tiny)
    weights = decode_tensors(read_container(tiny)[WEIGHTS])
    far = weights["labels.labels"].copy()
    far[3] = 65535
    more = weights["labels.counts"].copy()
    more[0] += 1
    for wrong in ({"labels.labels": far}, {"labels.counts": more}):
        with pytest.raises(ModelError, match="rows of label weights that do not fit together"):
            load(rewritten(tiny, tmp_path / "wrong.rearc", header, **wrong))


def test_a_table_without_an_empty_place_is_refused(tiny: Path, tmp_path: Path):
    """A search in it would never end."""
    full = {
        "types.places": np.full(2, 255, dtype=np.uint8),
        "types.tags": np.arange(1, 17, dtype=np.uint32),
        "types.codes": np.ones((16, 4), dtype=np.int8),
    }
    with pytest.raises(ModelError, match="a table of 16 places for 16 features"):
        load(rewritten(tiny, tmp_path / "wrong.rearc", header_of(tiny), **full))


def test_large_tables_are_not_made_for_few_bytes(tiny: Path, tmp_path: Path):
    weights = decode_tensors(read_container(tiny)[WEIGHTS])
    wide = np.concatenate([weights["types.places"], np.zeros(1 << 20, dtype=np.uint8)])
    with pytest.raises(ModelError, match="a table of"):
        load(rewritten(tiny, tmp_path / "wrong.rearc", header_of(tiny), **{"types.places": wide}))


def test_weights_of_any_content_parse(tiny: Path, tmp_path: Path):
    rng = np.random.default_rng(3)
    weights = decode_tensors(read_container(tiny)[WEIGHTS])
    for name in ("types.tags", "types.codes", "labels.tags", "labels.codes"):
        array = weights[name]
        weights[name] = rng.integers(0, 256, array.nbytes, dtype=np.uint8).view(array.dtype).reshape(array.shape)
    parser = load(rewritten(tiny, tmp_path / "odd.rearc", header_of(tiny), **weights))
    assert parser.parse(["a", "b", "c"]).has_tree


def test_members_that_are_missing(tmp_path: Path):
    write_container(tmp_path / "m.rearc", {"other": [b""]})
    with pytest.raises(ModelError, match="a zip file with 'other'"):
        load(tmp_path / "m.rearc")
