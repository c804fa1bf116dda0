"""What the verbs print."""

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.cli.stream import READABLE
from rearc.treebank import formats
from tests.cli.conftest import CANNOT, HEARING, TWO_ROOTS


def invoke(*arguments: object, code: int = 0):
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result


def report(*arguments: object) -> dict:
    return json.loads(invoke(*arguments, "--json").stdout)


def test_formats_are_those_of_the_reader():
    assert READABLE == formats.READABLE


# show ----------------------------------------------------------------------------------------------------------------


def test_show_draws_each_sentence_below_its_text(treebank: Path):
    assert (
        invoke("show", treebank).stdout
        == """\
# hearing
# A hearing is scheduled on the issue today.
    ┌───► A          DET    det
  ┌─╁───► hearing    NOUN   nsubj:pass
  ├─┃───► is         AUX    aux:pass
──┼─┃───► scheduled  VERB   root
  │ ┃ ┌─► on         ADP    case
  │ ┃ ├─► the        DET    det
  │ ┗━┷━► issue      NOUN   nmod
  ├─────► today      NOUN   obl:tmod
  └─────► .          PUNCT  punct

# cannot
# Cannot go
  ┌─► Can  AUX   aux
  ├─► not  PART  advmod
──┴─► go   VERB  root

# yes sir
──► yes  INTJ  root
──► sir  NOUN  root

"""
    )


def test_show_without_a_file_draws_the_sample():
    assert invoke("show").stdout == invoke("show", "sample").stdout
    assert "──" in invoke("show").stdout


@pytest.mark.parametrize("chosen", [["2"], ["cannot"], ["2", "cannot"]])
def test_show_one_sentence_by_number_or_id(chosen: list[str], treebank: Path):
    options = [part for name in chosen for part in ("--sentence", name)]
    shown = invoke("show", treebank, *options).stdout
    assert shown.startswith("# cannot\n")
    assert shown.count("#") == 2


def test_show_svg_and_html_by_option_or_name(treebank: Path, tmp_path: Path):
    svg = invoke("show", treebank, "--svg").stdout
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    page = invoke("show", treebank, "--html").stdout
    assert page.count("<section>") == 3
    for name, content in (("a.svg", svg), ("a.html", page)):
        assert invoke("show", treebank, "-o", tmp_path / name).stdout == ""
        assert (tmp_path / name).read_text(encoding="utf-8") == content
    invoke("show", treebank, "-o", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == invoke("show", treebank).stdout


def test_show_words_without_trees(tmp_path: Path):
    (tmp_path / "words.tok").write_text("Dogs bark\n")
    assert invoke("show", tmp_path / "words.tok").stdout == "# Dogs bark\n    Dogs\n    bark\n\n"


def test_the_picture_in_the_documentation_is_that_of_the_sample():
    picture = Path(__file__).parents[2] / "docs" / "pictures" / "tree.svg"
    assert invoke("show", "sample", "--sentence", "sample-9", "--svg").stdout == picture.read_text("utf-8")


# info ----------------------------------------------------------------------------------------------------------------


def test_info_counts(treebank: Path):
    found = report("info", treebank)
    sizes = {key: value for key, value in found.items() if isinstance(value, int)}
    assert sizes == {
        "sentences": 3, "words": 14, "tokens": 13, "multiword_tokens": 1, "empty_nodes": 1, "forms": 14, "lemmas": 14,
    }  # fmt: skip
    assert found["words_per_sentence"] == pytest.approx(14 / 3)
    assert found["longest_sentence"] == {
        "words": 9, "number": 1, "sent_id": "hearing", "file": str(treebank), "line": 1,
    }  # fmt: skip
    assert found["labels"]["root"] == 4
    assert list(found["labels"])[:2] == ["root", "det"]
    assert found["upos"]["NOUN"] == 4
    assert found["xpos"]["NN"] == 4
    assert found["features"] == {"Number=Sing": 4, "PronType=Art": 2, "Definite=Def": 1, "Definite=Ind": 1}
    trees = found["trees"]
    assert trees["roots"] == {"1": 2, "2": 1}
    assert (trees["trees"], trees["single_root"], trees["multiple_roots"]) == (3, 2, 1)
    assert trees["depth"] == {
        "mean": pytest.approx((4 + 2 + 1) / 3),
        "max": 4,
        "distribution": {"1": 1, "2": 1, "4": 1},
    }
    assert trees["arc_length"]["max"] == 5
    assert trees["arc_length"]["mean"] == pytest.approx((1 + 2 + 1 + 2 + 1 + 5 + 4 + 5 + 2 + 1) / 10)
    assert found["non_projectivity"] == {
        "arcs": 1,
        "arcs_percent": pytest.approx(100 / 14),
        "sentences": 1,
        "sentences_percent": pytest.approx(100 / 3),
        "planar": 2,
        "planar_percent": pytest.approx(200 / 3),
        "well_nested": 3,
        "well_nested_percent": 100,
        "crossing_arcs": 3,
        "crossing_arcs_percent": pytest.approx(300 / 14),
        "gap_degree": {"0": 2, "1": 1},
        "edge_degree": {"0": 2, "1": 1},
    }


def test_info_of_several_files_is_of_all_together_and_of_each(treebank: Path, tmp_path: Path):
    other = tmp_path / "other.conllu"
    other.write_text(CANNOT)
    both = report("info", treebank, other)
    assert (both["sentences"], both["words"], both["forms"], both["labels"]["aux"]) == (4, 17, 14, 2)
    assert both["trees"]["roots"] == {"1": 3, "2": 1}
    assert both["longest_sentence"]["sent_id"] == "hearing"
    assert both["files"] == {str(file): report("info", file) for file in (treebank, other)}


def test_info_table_shows_every_tag_and_label(treebank: Path):
    shown = invoke("info", treebank, treebank.parent / "small.conllu").stdout
    found = report("info", treebank)
    for key in ("upos", "xpos", "features", "labels"):
        for value, count in found[key].items():
            assert f"{value} {count}" in shown
    assert "non-projective arcs" in shown


def test_info_without_trees(tmp_path: Path):
    (tmp_path / "words.tok").write_text("Dogs bark\nCats\n")
    found = report("info", tmp_path / "words.tok")
    assert (found["sentences"], found["words"], found["trees"]["trees"]) == (2, 3, 0)
    assert found["non_projectivity"]["arcs_percent"] is None
    assert "words" in invoke("info", tmp_path / "words.tok").stdout


# convert -------------------------------------------------------------------------------------------------------------


def test_convert_counts_what_the_format_has_no_place_for(treebank: Path, tmp_path: Path):
    result = invoke("convert", treebank, tmp_path / "out.conllx")
    assert result.stderr == (
        f"rearc: {tmp_path}/out.conllx: the format conllx has no place for "
        "3 comments, 1 MISC, 1 multiword token, 1 empty node\n"
    )
    lines = (tmp_path / "out.conllx").read_text().splitlines()
    assert not [line for line in lines if line.startswith("#") or "-" in line.split("\t")[0]]
    assert [s.heads for s in rearc.read(tmp_path / "out.conllx")] == [s.heads for s in rearc.read(treebank)]


def test_convert_to_text_by_option(treebank: Path):
    assert invoke("convert", treebank, "-", "--to", "tokens").stdout.splitlines() == [
        "A hearing is scheduled on the issue today .",
        "Can not go",
        "yes sir",
    ]


def test_convert_between_encodings_and_compressed_files(tmp_path: Path):
    text = HEARING.replace("hearing", "Anhörung")
    (tmp_path / "a.conllu").write_bytes(text.encode("latin-1"))
    invoke("convert", tmp_path / "a.conllu", tmp_path / "b.conllu.gz", "--encoding", "latin-1")
    assert gzip.decompress((tmp_path / "b.conllu.gz").read_bytes()).decode() == text
    invoke("convert", tmp_path / "b.conllu.gz", tmp_path / "c.conllu", "--output-encoding", "latin-1")
    assert (tmp_path / "c.conllu").read_bytes() == text.encode("latin-1")


def test_convert_onto_itself(treebank: Path):
    before = treebank.read_bytes()
    invoke("convert", treebank, treebank)
    assert treebank.read_bytes() == before


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_projectivised_trees_are_projective_and_come_back(encoding: str, treebank: Path, tmp_path: Path):
    result = invoke("convert", treebank, tmp_path / "projective.conllu", "--projectivise", encoding)
    assert result.stderr == "rearc: 1 arc lifted in 1 sentence\n"
    assert report("info", tmp_path / "projective.conllu")["non_projectivity"]["arcs"] == 0
    result = invoke("convert", tmp_path / "projective.conllu", tmp_path / "back.conllu", "--deprojectivise", encoding)
    assert result.stderr == "rearc: 1 arc brought back in 1 sentence\n"
    assert (tmp_path / "back.conllu").read_text() == treebank.read_text()


def test_single_root_skips_or_refuses(treebank: Path):
    result = invoke("convert", treebank, "-", "--single-root", "--skip-invalid", code=3)
    assert result.stdout == HEARING + CANNOT
    assert TWO_ROOTS not in result.stdout


def test_real_treebanks_convert_to_the_same_bytes(treebanks: Path, tmp_path: Path):
    files = sorted(treebanks.glob("*/test.conllu"))
    assert files
    for file in files:
        invoke("convert", file, tmp_path / "out.conllu")
        assert (tmp_path / "out.conllu").read_bytes() == file.read_bytes(), file


# evaluate and compare ------------------------------------------------------------------------------------------------


def test_evaluate(treebank: Path, predicted: Path):
    found = report("evaluate", treebank, predicted)
    assert found["uas"] == pytest.approx(100 * 11 / 14)
    assert found["las"] == pytest.approx(100 * 11 / 14)
    assert found["label_accuracy"] == pytest.approx(100 * 13 / 14)
    shown = invoke("evaluate", treebank, predicted).stdout
    assert "78.57" in shown
    assert "92.86" in shown
    assert rearc.evaluate(treebank, predicted).uas == found["uas"]


def test_evaluate_options_reach_the_scores(treebank: Path, predicted: Path, tmp_path: Path):
    assert report("evaluate", treebank, predicted, "--punctuation", "upos")["uas"] == pytest.approx(100 * 10 / 13)
    assert report("evaluate", treebank, predicted, "--punctuation", "unicode")["uas"] == pytest.approx(100 * 10 / 13)
    bare = tmp_path / "bare.conllu"
    bare.write_text(treebank.read_text().replace("nsubj:pass", "nsubj"))
    assert report("evaluate", treebank, bare)["las"] == pytest.approx(100 * 13 / 14)
    assert report("evaluate", treebank, bare, "--no-subtypes")["las"] == 100


def test_evaluate_analysis_and_plot(treebank: Path, predicted: Path, tmp_path: Path):
    shown = invoke("evaluate", treebank, predicted, "--analysis", "--plot", tmp_path / "plot.svg").stdout
    for title in ("Arc length", "Distance to the root", "Sentence length", "Label", "Part of speech"):
        assert f"\n{title}" in shown
    assert ElementTree.parse(tmp_path / "plot.svg").getroot().tag.endswith("svg")
    found = report("evaluate", treebank, predicted, "--analysis")
    assert found["uas"] == pytest.approx(100 * 11 / 14)
    assert {"arc_length", "root_distance", "sentence_length", "label", "pos"} == set(found["analysis"])


def test_evaluate_conll18(tmp_path: Path):
    gold, other = tmp_path / "gold.conllu", tmp_path / "other.conllu"
    gold.write_text(HEARING + CANNOT)
    other.write_text(HEARING + CANNOT.replace("2\tnot\tnot\tPART\tRB\t_\t3", "2\tnot\tnot\tPART\tRB\t_\t1"))
    found = report("evaluate", gold, other, "--conll18")
    assert found["uas"] == found["conll18"]["UAS"]["f1"] == pytest.approx(100 * 11 / 12)
    assert found["conll18"]["Tokens"]["f1"] == 100
    assert "BLEX" in invoke("evaluate", gold, other, "--conll18").stdout


def test_compare(treebank: Path, predicted: Path, tmp_path: Path):
    best = tmp_path / "best.conllu"
    best.write_bytes(treebank.read_bytes())
    found = report("compare", treebank, predicted, best, "--rounds", 100)
    assert found["scores"][str(best)]["las"] == 100
    assert [each["metric"] for each in found["differences"]] == ["uas", "las"]
    for each in found["differences"]:
        assert each["difference"] == pytest.approx(100 * 3 / 14)
        assert 0 < each["randomisation"] <= 1
        assert {"bootstrap", "mcnemar"} <= set(each)
    assert found == report("compare", treebank, predicted, best, "--rounds", 100, "--seed", 1)
    only = report("compare", treebank, predicted, best, "--rounds", 100, "--test", "mcnemar")
    assert "mcnemar" in only["differences"][0]
    assert "bootstrap" not in only["differences"][0]
    shown = invoke("compare", treebank, predicted, best, treebank, "--rounds", 100).stdout
    assert shown.count("+21.43") == 4
    assert shown.count("+0.00") >= 2
