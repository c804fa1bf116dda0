"""Files of BiLSTM models: round trips, networks that somebody else described, and parsing without PyTorch."""

import contextlib
import copy
import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.files.tensors import Tensors, decode_tensors, encode_tensors
from rearc.neural.shape import Shape
from rearc.parser import ModelError, Parser, load
from rearc.parser.bilstm import network_of
from rearc.parser.container import read_container, write_container
from rearc.parser.model import HEADER, NETWORK, WEIGHTS, Model
from rearc.treebank import Sentence, sample
from tests.neural.networks import TINY, make_header, random_weights, vocabulary_of
from tests.parser.test_odd_files import VALUES, places
from tests.trained import train_parser

KINDS = ("pair", "stack", "joint")
NEW = {
    "shape": {"affixes", "tags", "columns", "xpos"},
    "vocabulary": {"affixes", "xpos", "lemmas"},
}  # by versions of rearc
REFUSED = r"wrong\.rearc: found .*, expected a model of the format version 1; "


def rewritten(model: Path, target: Path, network: Any, **weights: Any) -> Path:
    """The model with another description or other weights, in a container that is whole."""
    members = {name: [bytes(data)] for name, data in read_container(model).items()}
    tensors = {**decode_tensors(members[WEIGHTS][0]), **weights}
    members[WEIGHTS] = encode_tensors({name: array for name, array in tensors.items() if array is not None})
    members[NETWORK] = [network if isinstance(network, bytes) else json.dumps(network).encode()]
    write_container(target, {name: data for name, data in members.items() if data != [b"none"]})
    return target


def described(model: Path) -> dict[str, Any]:
    return json.loads(bytes(read_container(model)[NETWORK]))


def weights_of(model: Path) -> Tensors:
    return decode_tensors(read_container(model)[WEIGHTS])


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_trip(kind: str, parsers: dict[str, Parser], models: dict[str, Path], sentences: list[Sentence]):
    again = rearc.load(models[kind])
    assert again.header == parsers[kind].header
    assert list(again.parse_many(sentences)) == list(parsers[kind].parse_many(sentences))
    copied = models[kind].with_suffix(".again")
    again.save(copied)
    assert copied.read_bytes() == models[kind].read_bytes()
    votes = {"votes/header.json", "votes/weights.safetensors"} if kind == "joint" else set()
    assert set(read_container(copied)) == {"header.json", "network.json", "weights.safetensors"} | votes


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{", b"\xff\xfe", b"null", b"[" * 100_000, b"{}", b'{"shape": {}}', b'{"vocabulary": {}}', b"none"],
    ids=["empty", "list", "cut", "bytes", "null", "deep", "nothing", "no words", "no shape", "no member"],
)
def test_descriptions_that_are_none(text: bytes, models: dict[str, Path], tmp_path: Path):
    with pytest.raises(ModelError, match=REFUSED):
        load(rewritten(models["pair"], tmp_path / "wrong.rearc", text))


@pytest.mark.parametrize("kind", KINDS)
def test_shapes_that_are_wrong(kind: str, models: dict[str, Path], tmp_path: Path):
    whole = described(models[kind])
    used = {"words", "characters", "spelling", "upos", "feats", "layers", "labels"}
    used |= {"pair"} if kind == "pair" else {"hidden", "slots"}
    used |= {"affixes", "tags"} if kind == "joint" else set()
    for name, value in whole["shape"].items():
        others = [None, "x", -1, 1.5, True, [], {}, 5000, 10**30, [5, 5], [True], [0], [[3]], "s0 s0", "q"]
        if isinstance(value, int) and name in used:
            others += [value + 1, 0, value - 1]
        for other in others:
            if other == value or (name == "stacked" and other is True):
                continue
            if name == "tagger" and other == []:  # no tagger, and weights of one
                other = [] if kind == "joint" else [4]
            shape = {**whole["shape"], name: other}
            with pytest.raises(ModelError, match=REFUSED):
                load(rewritten(models[kind], tmp_path / "wrong.rearc", {**whole, "shape": shape}))
        if name in ("xpos", "encoder", "repair") or (kind != "joint" and name in NEW["shape"]):
            continue
        shape = {key: size for key, size in whole["shape"].items() if key != name}
        with pytest.raises(ModelError, match=REFUSED):
            load(rewritten(models[kind], tmp_path / "wrong.rearc", {**whole, "shape": shape}))
    shape = {**whole["shape"], "more": 1}
    with pytest.raises(ModelError, match=REFUSED):
        load(rewritten(models[kind], tmp_path / "wrong.rearc", {**whole, "shape": shape}))


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_an_older_version(kind: str, models: dict[str, Path], sentences: list[Sentence], tmp_path: Path):
    """What it did not know of has no part in a parser of given tags; its taggers were others."""
    whole = described(models[kind])
    for group, names in NEW.items():
        whole[group] = {name: value for name, value in whole[group].items() if name not in names}
    file = rewritten(models[kind], tmp_path / "old.rearc", whole)
    if kind == "joint":
        with pytest.raises(ModelError, match="found a tagger of 1 layers that predicts no column"):
            load(file)
    else:
        assert list(load(file).parse_many(sentences)) == list(load(models[kind]).parse_many(sentences))


@pytest.mark.parametrize("kind", KINDS)
def test_files_that_know_nothing_of_xpos_in_place_of_feats(
    kind: str, models: dict[str, Path], sentences: list[Sentence], tmp_path: Path
):
    whole = described(models[kind])
    assert whole["shape"].pop("xpos") == 0
    file = rewritten(models[kind], tmp_path / "old.rearc", whole)
    assert list(load(file).parse_many(sentences)) == list(load(models[kind]).parse_many(sentences))


@pytest.mark.parametrize("kind", KINDS)
def test_vocabularies_that_are_wrong(kind: str, models: dict[str, Path], tmp_path: Path):
    whole = described(models[kind])
    for name, words in whole["vocabulary"].items():
        others = [None, 5, "abc", {"a": 1}, [1], [None], [["a"]], [*words, "one too many"]]
        if words:
            others += [words[:-1], [*words[:-1], words[0]]]  # one missing; one twice
        if kind == "joint" or name not in NEW["vocabulary"]:
            others.append(...)
        for other in others:
            vocabulary = {**whole["vocabulary"], name: other}
            if other is ...:
                del vocabulary[name]
            with pytest.raises(ModelError, match=REFUSED):
                load(rewritten(models[kind], tmp_path / "wrong.rearc", {**whole, "vocabulary": vocabulary}))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_do_not_fit(kind: str, models: dict[str, Path], tmp_path: Path):
    whole = described(models[kind])
    for name, array in weights_of(models[kind]).items():
        for wrong in (None, array[:-1], array[..., None], array.astype(np.float64), array[:0], array.reshape(-1)[0]):
            with pytest.raises(ModelError, match=rf"{REFUSED}"):
                load(rewritten(models[kind], tmp_path / "wrong.rearc", whole, **{name: wrong}))
    for extra in ("more", "vectors.weight", "no_arc"):
        with pytest.raises(ModelError, match="weights do not fit"):
            load(rewritten(models[kind], tmp_path / "wrong.rearc", whole, **{extra: np.zeros((2, 2), "f")}))


def test_vectors_that_do_not_fit(models: dict[str, Path], tmp_path: Path):
    whole = described(models["pair"])
    whole["vocabulary"]["vectors"] = ["a"]
    for shape in (None, (2,), (2, 3), (2, 3, 4), (3, 3)):
        wrong = None if shape is None else np.zeros(shape, "f")
        with pytest.raises(ModelError, match=REFUSED):
            load(rewritten(models["pair"], tmp_path / "wrong.rearc", whole, **{"vectors.weight": wrong}))
    weights = {**weights_of(models["pair"]), "vectors.weight": np.zeros((), "f")}
    with pytest.raises(ValueError, match=r"weights do not fit: vectors\.weight"):
        network_of(Model(load(models["pair"]).header, weights, network=json.dumps(whole).encode()))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_any_content_parse(kind: str, models: dict[str, Path], tmp_path: Path):
    rng = np.random.default_rng(3)
    for filling in (np.nan, np.inf, -np.inf, 6e4, None):
        weights = {
            name: rng.integers(0, 256, array.nbytes, dtype=np.uint8).view(array.dtype).reshape(array.shape)
            if filling is None
            else np.full(array.shape, filling if array.dtype.kind == "f" else 1).astype(array.dtype)
            for name, array in weights_of(models[kind]).items()
        }
        file = rewritten(models[kind], tmp_path / "odd.rearc", described(models[kind]), **weights)
        with np.errstate(all="ignore"):
            parser = load(file)
            assert parser.parse(["a", "b", "c"]).has_tree


@pytest.mark.parametrize("kind", KINDS)
def test_descriptions_at_random(kind: str, models: dict[str, Path], tmp_path: Path):
    """Anything in any place is refused or loaded: never another error."""
    rng = random.Random(11)
    values = [None, True, -1, 0, 3, 2**70, 1e308, "", "x", "\0", "\ud800", [], {}, [[]], [None], {"a": {}}, "s0 b0"]
    whole = described(models[kind])
    refused = 0
    for _ in range(150):
        network = copy.deepcopy(whole)
        where: Any = network
        while True:
            key = rng.choice(list(where) if isinstance(where, dict) else list(range(len(where))))
            if isinstance(where[key], dict | list) and where[key] and rng.random() < 0.8:
                where = where[key]
                continue
            if rng.random() < 0.2:
                del where[key]
            else:
                where[key] = rng.choice(values)
            break
        with contextlib.suppress(ModelError):
            refused += 1
            load(rewritten(models[kind], tmp_path / "wrong.rearc", network)).parse(["a", "b"])
            refused -= 1
    assert refused > 30


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_headers_at_random(kind: str, data: st.DataObject, models: dict[str, Path], tmp_path: Path):
    """Likewise."""
    members = read_container(models[kind])
    content = json.loads(bytes(members[HEADER]))
    holder, key = data.draw(st.sampled_from([*((content, name) for name in content), *places(content)]))
    holder[key] = data.draw(VALUES)
    text = json.dumps(content).encode()
    write_container(tmp_path / "m.rearc", {name: [text if name == HEADER else old] for name, old in members.items()})
    with contextlib.suppress(ModelError):
        assert load(tmp_path / "m.rearc").parse(["a", "b", "c"]).has_tree


@pytest.mark.parametrize("tag", ["", "a\tb", "a\nb", "a\0b"])
def test_tags_that_cannot_be_written(tag: str, models: dict[str, Path], tmp_path: Path):
    network = described(models["joint"])
    network["vocabulary"]["upos"][-1] = tag
    with pytest.raises(ModelError, match="tags that cannot be written"):
        load(rewritten(models["joint"], tmp_path / "m.rearc", network))


def made(target: Path, system: str, shape: Shape, words: list[Sentence]) -> Path:
    """A file whose weights fit its description, whatever that is."""
    header = make_header(system, True, list(rearc.read(sample())))
    vocabulary = vocabulary_of(words, shape)
    about = {"shape": shape.as_dict(), "vocabulary": vocabulary.as_dict()}
    members = {
        "header.json": [header.encode()],
        WEIGHTS: encode_tensors(random_weights(header, shape, vocabulary, 1)),
        NETWORK: [json.dumps(about).encode()],
    }
    write_container(target, members)
    return target


@pytest.mark.parametrize("system", ["covington", "arc-hybrid"])
@pytest.mark.parametrize(
    "parts",
    [
        *({name: 0} for name in ("words", "characters", "spelling", "upos", "feats", "pair", "hidden", "labels")),
        {"words": 0, "spelling": 0, "upos": 0, "feats": 0, "tagger": ()},
        {"upos": 0, "feats": 0},
        {"feats": 0, "xpos": 3},
        {"feats": 0, "xpos": 3, "columns": ("upos",)},
        {"hidden": 1025},
    ],
    ids=str,
)
def test_shapes_at_the_edge(parts: dict[str, Any], system: str, sentences: list[Sentence], tmp_path: Path):
    """A network that lacks something parses without it, or is refused when it is read."""
    for words in (sentences[:3], []):
        shape = replace(TINY, **parts)
        for chosen in (shape, replace(shape, tagger=())):
            file = made(tmp_path / "wrong.rearc", system, chosen, words)
            with contextlib.suppress(ModelError):
                parser = load(file)
                assert all(s.has_tree for s in parser.parse_many(sentences[:4]))


# without PyTorch -----------------------------------------------------------------------------------------------------

WITHOUT = "import sys; sys.modules['torch'] = None; "


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT + code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_parsing_needs_no_torch(models: dict[str, Path], parsers: dict[str, Parser], tmp_path: Path):
    code = (
        "import rearc\n"
        "for kind in ('pair', 'stack', 'joint'):\n"
        "    parser = rearc.load(f'{sys.argv[1]}/{kind}.rearc')\n"
        "    rearc.write(parser.parse_many(rearc.read(sys.argv[2])), f'{sys.argv[3]}/{kind}.conllu')"
    )
    done = run(code, models["pair"].parent, sample(), tmp_path)
    assert done.returncode == 0, done.stderr
    for kind in KINDS:
        assert list(rearc.read(tmp_path / f"{kind}.conllu")) == list(parsers[kind].parse_many(rearc.read(sample())))


def test_training_says_what_to_install(tmp_path: Path):
    code = "from rearc.cli import main; sys.argv = ['rearc', *sys.argv[1:]]; main()"
    done = run(code, "train", sample(), "-o", tmp_path / "m.rearc", "--model", "bilstm")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert 'pip install "rearc[neural]"' in " ".join(done.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_training_without_torch_is_a_training_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        rearc.training.TrainingError, match=r'expected PyTorch, which trains it, .*; pip install "rearc\[neural\]"'
    ):
        train_parser(sample(), model="bilstm")


# info ----------------------------------------------------------------------------------------------------------------


def info(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["info", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_info_says_what_a_network_is(models: dict[str, Path]):
    said = " ".join(info(models["stack"]).stdout.split())
    for fact in ("bilstm", "arc-hybrid-swap", "network: preset", "network: loss", "s1 s0 b0 s0l b0l", "words.weight"):
        assert fact in said
    assert "Templates" not in said
    report = json.loads(info(models["joint"], "--json").stdout)
    assert report["model"] == "bilstm"
    assert report["network"]["shape"]["tagger"] == list(TINY.tagger)
    assert report["network"]["vocabulary"]["upos"] > 5
    assert report["weights"]["words.weight"] == [report["network"]["vocabulary"]["words"] + 1, TINY.words]


@pytest.mark.parametrize(
    "network", [b"{", b"[]", b'{"shape": {}, "vocabulary": 3}', b'{"shape": {}, "vocabulary": {"words": null}}']
)
def test_info_on_a_damaged_network(network: bytes, models: dict[str, Path], tmp_path: Path):
    wrong = rewritten(models["pair"], tmp_path / "wrong.rearc", network)
    said = info(wrong, code=1).stderr
    assert said.startswith(f"rearc: {wrong}: found a ")
    assert said.count("\n") == 1
