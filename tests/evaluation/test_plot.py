import random
import sys
from xml.etree import ElementTree

import pytest

from rearc.evaluation import EvaluationError, analysis, plot
from tests.evaluation.samples import random_sentence, spoil

pytest.importorskip("matplotlib", reason="plots need the extra plot")


@pytest.fixture(scope="module")
def analyses():
    rng = random.Random(3)
    gold = [random_sentence(rng, longest=40) for _ in range(30)]
    better, worse = spoil(gold, "heads", 1, share=0.1), spoil(gold, "heads", 1, share=0.5)
    return {"better": analysis(gold, better), "worse": analysis(gold, worse)}


def test_the_same_analysis_gives_the_same_bytes(analyses, tmp_path):
    for name in ("one.svg", "two.svg"):
        plot(analyses, tmp_path / name)
    made = (tmp_path / "one.svg").read_bytes()
    assert made == (tmp_path / "two.svg").read_bytes()
    plot(analyses["better"], tmp_path / "three.svg")
    assert made != (tmp_path / "three.svg").read_bytes()


def test_a_panel_for_each_breakdown_and_a_line_for_each_system(analyses, tmp_path):
    plot(analyses, tmp_path / "both.svg")
    root = ElementTree.parse(tmp_path / "both.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    groups = [element.get("id", "") for element in root.iter("{http://www.w3.org/2000/svg}g")]
    assert sum(name.startswith("axes_") for name in groups) == 7
    comments = (tmp_path / "both.svg").read_text(encoding="utf-8")
    for text in ("better", "worse", "Labelled recall by arc length", "LAS by part of speech", "nsubj:pass"):
        assert f"<!-- {text} -->" in comments


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".SVG", b"<?xml")])
def test_other_formats(analyses, tmp_path, suffix, start):
    plot(analyses["worse"], str(tmp_path / f"one{suffix}"))
    assert (tmp_path / f"one{suffix}").read_bytes().startswith(start)


def test_errors_say_what_to_do(analyses, tmp_path, monkeypatch):
    with pytest.raises(EvaluationError, match=r"the suffix '\.txt', expected one of \.svg, \.pdf, \.png"):
        plot(analyses, tmp_path / "one.txt")
    with pytest.raises(EvaluationError, match="9 systems, expected 1 to 8"):
        plot({str(k): analyses["better"] for k in range(9)}, tmp_path / "one.svg")
    with pytest.raises(EvaluationError, match="No such file or directory, expected a place that can be written to"):
        plot(analyses, tmp_path / "nowhere" / "one.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(EvaluationError, match=r"pip install 'rearc\[plot\]'"):
        plot(analyses, tmp_path / "one.svg")
    assert not list(tmp_path.iterdir())


def test_matplotlib_is_not_imported_before_it_is_needed():
    import subprocess

    code = "import sys, rearc.evaluation; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
