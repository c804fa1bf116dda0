"""The same numbers in every format."""

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from rearc.experiment.report import FORMATS, write_report

pytest.importorskip("matplotlib", reason="figures need matplotlib, the extra plot")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def reports(summary, place: Path) -> dict[str, str]:
    """The report in each format."""
    texts = {}
    for suffix in FORMATS:
        file = place / f"report{suffix}"
        write_report(summary, file)
        texts[suffix] = file.read_text("utf-8")
    return texts


def test_every_format_has_the_same_means(reports, summary):
    cell = summary.cell("two", "upper", "las")
    assert f"**{cell.mean:.2f} ± {cell.sd:.2f}**\\*" in reports[".md"]
    assert f"\\textbf{{{cell.mean:.2f} $\\pm$ {cell.sd:.2f}}}$^{{*}}$" in reports[".tex"]
    assert f"<b>{cell.mean:.2f} ± {cell.sd:.2f}</b><sup>*</sup>" in reports[".html"]
    found = [c for c in json.loads(reports[".json"])["cells"] if (c["treebank"], c["setup"]) == ("two", "upper")]
    assert [c["mean"] for c in found if c["value"] == "las"] == [cell.mean]
    rows = [r for r in csv.DictReader(reports[".csv"].split("\n")) if (r["treebank"], r["setup"]) == ("two", "upper")]
    assert [float(r["mean"]) for r in rows if r["value"] == "las" and not r["minus"]] == [cell.mean]
    differences = [r for r in rows if r["value"] == "las" and r["minus"]]
    assert {r["minus"] for r in differences} == {"static", "dynamic"}
    assert all(float(r["p"]) <= float(r["p_holm"]) <= 1 for r in differences)


def test_the_page_stands_alone(reports):
    assert not re.search(r'(?:src|href)="(?!#)', reports[".html"])
    assert "<svg" in reports[".html"]
    body = reports[".html"]
    for table in re.findall(r"<table>.*?</table>", body, re.DOTALL):
        ElementTree.fromstring(table)


def test_figures_lie_beside_markdown_and_latex(reports, place):
    named = re.findall(r"!\[.*?\]\((.*?)\)", reports[".md"])
    assert "report-las.svg" in named
    for name in named:
        ElementTree.parse(place / name)
    pdfs = re.findall(r"includegraphics\[.*?\]\{(.*?)\}", reports[".tex"])
    assert pdfs
    assert all((place / name).read_bytes().startswith(b"%PDF") for name in pdfs)


def test_tables_of_markdown_have_as_many_cells_as_columns(reports):
    for block in re.findall(r"(?:^\|.*\n)+", reports[".md"], re.MULTILINE):
        assert len({line.count(" |") for line in block.strip().split("\n")}) == 1, block


def test_letters_that_latex_takes_for_its_own(summary):
    from rearc.experiment.report import _tex

    assert _tex("en_ewt 50 % {a} − b ± 1") == r"en\_ewt 50 \% \{a\} $-$ b $\pm$ 1"


def test_the_same_results_give_the_same_bytes(summary, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_report(summary, tmp_path / name / "report.html")
    assert (tmp_path / "a" / "report.html").read_bytes() == (tmp_path / "b" / "report.html").read_bytes()
