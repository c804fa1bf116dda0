"""The last epochs of a student learn from the treebank alone."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.parser.header import decode_header
from rearc.training import Watcher
from rearc.training.corpus import make_corpus
from rearc.training.distilling import joined
from rearc.training.loop import train_on
from rearc.training.options import Options
from rearc.treebank import Sentence, sample
from rearc.treebank.trees import is_projective

KINDS = ["perceptron", *(["bilstm"] if find_spec("torch") else [])]
CROSSING = [Sentence(["a", "b", "c", "d"], heads=[3, 4, 0, 3], deprels=["x", "x", "root", "x"])]
SMALL = {"only": "parser", "system": "arc-hybrid", "epochs": 5}


class Seen(Watcher):
    def __init__(self, stop_at: int = 99) -> None:
        self.transitions: list[int] = []
        self.sentences: dict[int, int] = {}
        self.stop_at = stop_at

    def step(self, epoch: int, done: int, sentences: int) -> None:
        assert done <= sentences
        self.sentences[epoch] = done

    def epoch(self, record):
        self.transitions.append(record.transitions)

    def stop(self) -> bool:
        return len(self.transitions) >= self.stop_at


def words(sentences: list[Sentence]) -> int:
    return sum(map(len, sentences))


def options(kind: str, **more: object) -> Options:
    return Options(model=kind, **SMALL, **({"size": "tiny"} if kind == "bilstm" else {}), **more)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("alone", [0, 1, 4])
def test_what_each_epoch_learns_from(sentences: list[Sentence], kind: str, alone: int):
    """Arc-hybrid takes two transitions for each word; a network learns from those where there is a choice."""
    own, text = [*CROSSING, *sentences[:4]], sentences[4:12]
    corpus, _ = joined(make_corpus("own", own), text, "t", 0.0, 3, alone)
    seen = Seen()
    train_on(corpus, None, options(kind), watcher=seen)
    both = 2 * (3 * words(own) + words(text))
    if kind == "perceptron":
        assert seen.transitions == [both] * (5 - alone) + [2 * words(own)] * alone
    assert list(seen.sentences.values()) == [3 * len(own) + len(text)] * (5 - alone) + [len(own)] * alone
    assert all(count <= 2 * words(own) for count in seen.transitions[5 - alone :])


@pytest.mark.parametrize("non_projective", ["lift", "drop"])
def test_what_is_left_out_does_not_move_the_border(sentences: list[Sentence], non_projective: str):
    """Sentences without a head that is known, or that the system does not derive, are no part of either half."""
    unknown = [s.replace(heads=[-1] * len(s), deprels=["_"] * len(s)) for s in sentences[4:6]]
    in_part = [s.replace(heads=[-1, *s.heads[1:]], deprels=["_", *s.deprels[1:]]) for s in sentences[6:9]]
    own, text = [*CROSSING, *in_part[:2], *sentences[:2]], [*unknown, *CROSSING, *in_part[2:], *sentences[9:12]]
    corpus, _ = joined(make_corpus("own", own), text, "t", 0.0, 1, 2)
    seen = Seen()
    parser = train_on(corpus, None, options("perceptron", non_projective=non_projective), watcher=seen)
    kept = [s for s in own if non_projective == "lift" or not s.has_tree or is_projective([0, *s.heads])]
    assert (len(kept) < len(own)) == (non_projective == "drop")
    assert parser.header.epochs == 5
    assert seen.transitions[-2:] == [2 * words(kept)] * 2
    assert seen.transitions[0] > seen.transitions[-1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stop_at", [2, 3, 4])
def test_going_on_gives_the_same_bytes(sentences: list[Sentence], kind: str, stop_at: int, tmp_path: Path):
    corpus, _ = joined(make_corpus("own", sentences[:5]), sentences[5:12], "t", 0.0, 1, 2)

    def trained(name: str, resume: bool = False, stop: int = 99) -> bytes:
        kept = tmp_path / f"{name}.checkpoint"
        train_on(corpus, None, options(kind), kept, resume, Seen(stop)).save(tmp_path / name)
        return (tmp_path / name).read_bytes()

    trained("stopped", stop=stop_at)
    assert trained("stopped", resume=True) == trained("whole")
    other, _ = joined(make_corpus("own", sentences[:5]), sentences[5:12], "t", 0.0, 1, 3)
    trained("stopped", stop=stop_at)
    with pytest.raises(rearc.RearcError, match="another alone"):
        train_on(other, None, options(kind), tmp_path / "stopped.checkpoint", True)


def test_the_verb_and_the_header(tmp_path: Path):
    text, student = tmp_path / "text.txt", tmp_path / "s.rearc"
    text.write_text("The owl hunts at night. It sees the mice.", encoding="utf-8")
    line = ["distil", "en", "--text", str(text), "--treebank", str(sample()), "-o", str(student), "--quick"]
    result = CliRunner().invoke(app, [*line, "--epochs", "3", "--alone", "2"])
    assert result.exit_code == 0, result.output
    header = rearc.load(student).header
    assert header.taught.alone == 2
    assert "the last 2 epochs" in CliRunner().invoke(app, ["info", str(student)]).output
    content = header.as_dict()
    assert decode_header(memoryview(json.dumps(content).encode())) == header
    del content["taught"]["alone"]  # as older files have it
    assert decode_header(memoryview(json.dumps(content).encode())).taught.alone == 0
    result = CliRunner().invoke(app, [*line, "--epochs", "2", "--alone", "2"])
    assert result.exit_code == 1
    assert "expected fewer than all 2 epochs" in " ".join(result.output.split())
