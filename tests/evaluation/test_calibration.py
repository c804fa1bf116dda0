"""Calibration against hand-made and random cases."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.evaluation import EvaluationError, calibration
from rearc.evaluation.calibration import reliability
from rearc.treebank import Sentence

GOLD = [
    Sentence(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"], upos=["NOUN", "VERB"]),
    Sentence(["Yes", "!"], heads=[0, 1], deprels=["root", "punct"], upos=["INTJ", "PUNCT"]),
]


def said(sentence: Sentence, numbers: list[tuple[float, float]], whole: float) -> Sentence:
    misc = [f"Confidence={head}|LabelConfidence={both}" for head, both in numbers]
    return sentence.replace(misc=misc, comments=[f"# confidence = {whole}"])


OUTPUT = [
    said(GOLD[0].replace(deprels=["obj", "root"]), [(0.8, 0.3), (0.95, 0.9)], 0.7),
    said(GOLD[1].replace(heads=[2, 0]), [(0.4, 0.2), (0.6, 0.6)], 0.4),
]


def test_by_hand():
    found = calibration(GOLD, OUTPUT)
    assert found.heads.count == 4
    assert found.heads.right == 50
    assert found.heads.ece == pytest.approx(100 * (0.2 + 0.05 + 0.4 + 0.6) / 4)
    assert found.heads.auc == 1
    assert found.both.right == 25
    assert found.both.auc == 1
    assert found.sentences.count == 2
    assert found.sentences.right == 50
    assert found.sentences.ece == pytest.approx(100 * (0.3 + 0.4) / 2)
    assert [b.count for b in found.heads.bins] == [0, 0, 0, 0, 1, 0, 1, 0, 1, 1]
    assert found.heads.coverage[4] == (50, 100.0)
    assert found.heads.coverage[-1] == (100, 50.0)
    without = calibration(GOLD, OUTPUT, punctuation="upos")
    assert without.heads.count == 3
    assert without.sentences.count == 2


def test_of_tags_that_were_predicted():
    tagged = [sentence.replace(upos=["X", *sentence.upos[1:]]) for sentence in OUTPUT]
    more = [
        s.replace(misc=[m + f"|UposConfidence={p}" for m, p in zip(s.misc, (0.5, 0.9), strict=True)]) for s in tagged
    ]
    found = calibration(GOLD, more)
    assert [*found.tags] == ["upos"]
    assert found.tags["upos"].right == 50
    assert found.tags["upos"].ece == pytest.approx(100 * (0.5 + 0.1) / 2)
    assert found.as_dict()["upos"]["auc"] == 1
    assert [name for name, _ in found.items()][-1] == "UPOS"
    assert calibration(GOLD, [tagged[0], more[1]]).tags["upos"].count == 2  # where nothing is said, nothing counts
    assert calibration(GOLD, OUTPUT).tags == {}


def test_probabilities_that_are_true():
    rng = np.random.default_rng(1)
    p = rng.random(50_000)
    right = rng.random(50_000) < p
    found = reliability(p, right)
    assert found.ece < 1
    assert found.auc == pytest.approx(5 / 6, abs=0.01)  # ∫∫ over uniform probabilities
    assert found.errors_in_tenth == pytest.approx(100 * (0.1 - 0.005) / 0.5, abs=1)
    assert reliability(np.minimum(p + 0.2, 1), right).ece > 10
    assert reliability(np.full(50, 0.5), np.ones(50, dtype=bool)).auc is None
    naive = np.mean([(a > b) + (a == b) / 2 for a in p[:300][right[:300]] for b in p[:300][~right[:300]]])
    assert reliability(p[:300], right[:300]).auc == pytest.approx(naive)


def test_what_is_missing():
    with pytest.raises(EvaluationError, match="no comment # confidence"):
        calibration(GOLD, GOLD)
    bare = [OUTPUT[0], OUTPUT[1].replace(misc=["_", "_"])]
    with pytest.raises(EvaluationError, match="no Confidence and LabelConfidence in MISC"):
        calibration(GOLD, bare)


def test_on_the_command_line(tmp_path: Path):
    rearc.write(GOLD, tmp_path / "gold.conllu")
    rearc.write(OUTPUT, tmp_path / "out.conllu")
    base = ["evaluate", str(tmp_path / "gold.conllu"), str(tmp_path / "out.conllu"), "--calibration"]
    run = CliRunner().invoke(app, [*base, "--json"])
    assert run.exit_code == 0, run.output
    report = json.loads(run.stdout)
    assert (report["uas"], report["las"]) == (50, 25)
    assert report["calibration"]["heads"]["ece"] == pytest.approx(31.25)
    assert report["calibration"]["heads"]["coverage"][-1] == {"percent": 100, "right": 50.0}
    run = CliRunner().invoke(app, [*base])
    assert run.exit_code == 0, run.output
    assert "expected calibration error" in run.output
    assert CliRunner().invoke(app, [*base, "--analysis"]).exit_code == 2
    missing = CliRunner().invoke(app, ["evaluate", base[1], base[1], "--calibration"])
    assert missing.exit_code == 1


def test_a_picture(tmp_path: Path):
    pytest.importorskip("matplotlib")
    from rearc.evaluation import plot_calibration

    plot_calibration(calibration(GOLD, OUTPUT), tmp_path / "a.svg")
    assert "Reliability" in (tmp_path / "a.svg").read_text()
    with pytest.raises(EvaluationError, match="suffix"):
        plot_calibration(calibration(GOLD, OUTPUT), tmp_path / "a.xyz")
