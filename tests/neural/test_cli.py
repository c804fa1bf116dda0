"""The verbs train, parse and evaluate with BiLSTM models."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

import rearc
from rearc.cli.app import app
from rearc.treebank import sample

SMALL = ("--model", "bilstm", "--size", "small")


def invoke(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result


@pytest.mark.usefixtures("tiny")
def test_train_parse_evaluate(tmp_path: Path):
    pytest.importorskip("matplotlib")
    model, parsed = tmp_path / "m.rearc", tmp_path / "out.conllu"
    said = invoke(
        "train", "sample", "--dev", "sample", "-o", model, *SMALL, "--only", "parser", "--system", "nl-covington",
        "--epochs", 3, "--learning-rate", 0.03, "--loss", "best", "--log", tmp_path / "log",
        "--plot", tmp_path / "curve.svg",
    )  # fmt: skip
    assert said.stdout == ""
    assert "epoch 3 of 3" in said.stderr
    records = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [record["epoch"] for record in records] == [1, 2, 3]
    assert all(record["loss"] > 0 and record["parameters"] > 1000 for record in records)
    assert (tmp_path / "curve.svg").read_bytes().startswith(b"<?xml")
    header = rearc.load(model).header
    assert (header.model, header.system, header.oracle) == ("bilstm", "nl-covington", "dynamic")

    invoke("parse", sample(), "-m", model, "-o", parsed, "--threads", 2)
    report = json.loads(invoke("evaluate", sample(), parsed, "--json").stdout)
    assert header.scores["las"] == pytest.approx(max(record["las"] for record in records))
    assert (report["uas"], report["las"]) == pytest.approx((header.scores["uas"], header.scores["las"]))


@pytest.mark.usefixtures("tiny")
def test_options_reach_the_model(tmp_path: Path):
    (tmp_path / "v.txt").write_text("the 1 2\n")
    invoke(
        "train", "sample", "-o", tmp_path / "m.rearc", *SMALL, "--no-segmenter", "--system", "arc-eager", "--epochs", 1,
        "--loss", "margin", "--learning-rate", 0.01, "--slots", "s0 b0 s0l", "--vectors", tmp_path / "v.txt",
        "--tagger",
    )  # fmt: skip
    network = json.loads(invoke("info", tmp_path / "m.rearc", "--json").stdout)["network"]
    assert (network["loss"], network["rate"], network["shape"]["slots"]) == ("margin", 0.01, "s0 b0 s0l")
    assert network["vocabulary"]["vectors"] == 1
    (tmp_path / "in.tok").write_text("Owls see well\n")
    parsed = invoke("parse", tmp_path / "in.tok", "-m", tmp_path / "m.rearc").stdout
    upos = [line.split("\t")[3] for line in parsed.splitlines() if line]
    assert len(upos) == 3
    assert "_" not in upos


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--model", "bilstm", "--size", "huge"], "'--size': found 'huge', expected one of tiny, small, base"),
        (["--model", "bilstm", "--loss", "x"], "'--loss': found 'x', expected one of best, marginal, margin"),
        (["--model", "bilstm", "--slots", "s9"], "'--slots': found 's9', expected one of"),
        (
            ["--model", "bilstm", "--learning-rate", "7"],
            "'--learning-rate': found 7.0, expected a number between 0 and 1",
        ),
        (["--model", "bilstm", "--features", "rich-stack"], "'--features': found 'rich-stack', expected none"),
        (["--size", "small"], "'--size': found 'small', expected none, as a model of the kind perceptron"),
        (["--model", "lstm"], "lstm"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(arguments: list[str], found: str, tmp_path: Path):
    said = invoke("train", "--only", "parser", "sample", "-o", tmp_path / "m.rearc", *arguments, code=2)
    assert found in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_vectors_that_are_broken(tmp_path: Path):
    (tmp_path / "v.txt").write_text("a 1 2\nb 1\n")
    said = invoke(
        "train",
        "--only",
        "parser",
        "sample",
        "-o",
        tmp_path / "m.rearc",
        *SMALL,
        "--vectors",
        tmp_path / "v.txt",
        code=1,
    ).stderr.splitlines()[-1]
    assert said == (
        f"rearc: {tmp_path / 'v.txt'}:2: found 1 numbers, expected a word and 2 numbers; mend or remove the line"
    )


@pytest.mark.usefixtures("tiny")
def test_a_loss_that_explodes_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rearc.training.bilstm.EXPLODED", 0.0)
    said = invoke(
        "train", "--only", "parser", "sample", "-o", tmp_path / "m.rearc", *SMALL, "--epochs", 1, code=1
    ).stderr
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("rearc: found a loss of ")


def test_help():
    said = invoke("train", "--only", "parser", "--help").stdout
    for option in ("--model", "--size", "--loss", "--learning-rate", "--slots", "--vectors", "--tagger", "bilstm"):
        assert option in said


@pytest.mark.usefixtures("tiny")
def test_a_model_that_tags_serves_the_verb_tag(tmp_path: Path):
    """It writes the tags that the same model predicts when it parses; one that does not tag is refused."""
    model, tagged = tmp_path / "m.rearc", tmp_path / "tagged.conllu"
    invoke(
        "train", "--no-segmenter", "sample", "-o", model, *SMALL, "--system", "arc-hybrid", "--epochs", 1, "--tagger",
        "--no-two-taggers",
    )  # fmt: skip
    invoke("tag", sample(), "-m", model, "-o", tagged)
    gold = list(rearc.read(sample()))
    parsed = list(rearc.load(model).parse_many(gold, tags="predict"))
    found = list(rearc.read(tagged))
    assert [(s.upos, s.feats) for s in found] == [(s.upos, s.feats) for s in parsed]
    assert [s.heads for s in found] == [s.heads for s in gold]
    assert any(s.upos != g.upos for s, g in zip(found, gold, strict=True))
    invoke("train", "--only", "parser", "sample", "-o", model, *SMALL, "--system", "arc-hybrid", "--epochs", 1)
    assert "found no tagger" in invoke("tag", sample(), "-m", model, code=1).stderr
