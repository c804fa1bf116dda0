"""What `rearc rank` lists."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rearc
from rearc.cli.app import app
from rearc.evaluation.ranking import MEASURES, Ranking, value_of
from rearc.treebank import Sentence, sample
from tests.trained import train_parser


def invoke(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["rank", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Knows the sample by heart, and so where it is changed."""
    sentences = list(rearc.read(sample()))
    path = tmp_path_factory.mktemp("rank") / "m.rearc"
    train_parser(sentences, dev=sentences, system="arc-hybrid-swap", oracle="static", epochs=15).save(path)
    return path


def test_a_wrong_head_is_found(model: Path, tmp_path: Path):
    sentences = list(rearc.read(sample()))
    victim = next(s for s in sentences if len(s) > 6 and s.sent_id)
    heads = victim.heads
    word = next(k for k, h in enumerate(heads, 1) if h not in (0, 1) and k != 1 and heads[0] != k and k not in heads)
    heads[word - 1] = 1
    changed = [s.replace(heads=heads) if s.sent_id == victim.sent_id else s for s in sentences]
    rearc.write(changed, tmp_path / "changed.conllu")
    report = json.loads(invoke(tmp_path / "changed.conllu", "-m", model, "--json", "--top", 500).stdout)
    found = [entry for entry in report["words"] if entry["sent_id"] == victim.sent_id and entry["word"] == word]
    assert found[0]["head"] == 1
    assert found[0]["predicted_head"] == victim.heads[word - 1]
    assert f"[{victim.forms[word - 1]}]" in found[0]["context"]
    assert found[0]["where"].startswith(str(tmp_path / "changed.conllu:"))
    assert report["words"] == sorted(report["words"], key=lambda entry: -entry["confidence"])
    table = invoke(tmp_path / "changed.conllu", "-m", model, "--top", 5).stdout
    assert "Words where the model disagrees and is sure" in table


def test_sentences_in_order(model: Path, tmp_path: Path):
    bare = [s.replace(heads=None, deprels=None) for s in rearc.read(sample())]
    rearc.write(bare, tmp_path / "bare.conllu")
    values = {}
    for measure in MEASURES:
        report = json.loads(invoke(tmp_path / "bare.conllu", "-m", model, "--json", "--by", measure, "--top", 7).stdout)
        assert "words" not in report
        values[measure] = [entry["value"] for entry in report["sentences"]]
        assert values[measure] == sorted(values[measure], reverse=measure == "wrong")
        assert len(values[measure]) == 7
    assert values["least"][0] <= values["mean"][0]


def test_what_is_refused(model: Path, tmp_path: Path):
    assert "one of" in invoke("sample", "-m", model, "--by", "nothing", code=2).output
    without = tmp_path / "w.rearc"
    train_parser(sample(), system="arc-hybrid", epochs=1).save(without)
    assert "train it with" in invoke("sample", "-m", without, code=2).output
    invoke(tmp_path / "missing.conllu", "-m", model, code=1)
    with pytest.raises(ValueError, match="without confidence"):
        value_of(Sentence(["a"]), "mean")
    with pytest.raises(ValueError, match="measure"):
        Ranking("nothing")


def test_labels_count_on_request():
    gold = Sentence(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    said = ["Confidence=0.9|LabelConfidence=0.8", "Confidence=0.9|LabelConfidence=0.8"]
    parsed = gold.replace(deprels=["y", "root"], misc=said, comments=["# confidence = 0.5"])
    for labels, count in ((False, 0), (True, 1)):
        ranking = Ranking(labels=labels)
        ranking.add(gold, parsed)
        assert len(ranking.words) == count
    assert ranking.words[0].confidence == 0.8
    assert ranking.best(3)[0][0].value == 0.5
