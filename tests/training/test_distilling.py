"""What a student learns from a teacher."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rearc
from rearc.cli.app import app
from rearc.parser import Parser
from rearc.training import TrainingError
from rearc.training.corpus import make_corpus
from rearc.training.distilling import LONGEST, distil, joined, lessons
from rearc.treebank import Sentence, sample
from tests.trained import train_parser

TEXT = "The owl hunts at night. It sees the mice, and the mice do not see it. Owls sleep by day."


@pytest.fixture(scope="module")
def teacher(sentences: list[Sentence]) -> Parser:
    return rearc.load("en")


def test_lessons_are_what_the_teacher_makes(teacher: Parser, sentences: list[Sentence]):
    bare = [Sentence(s.forms) for s in sentences] + [Sentence(["a"]), Sentence(["a"] * (LONGEST + 1))]
    fit = [s for s in bare if 2 <= len(s) <= LONGEST]
    assert list(lessons([teacher], bare)) == list(teacher.parse_many(fit, tags="predict"))
    found = list(lessons([teacher], bare, 0.9, threads=2))
    sure = [s for s in teacher.parse_many(fit, tags="predict", confidence=True) if max(w.confidence for w in s) >= 0.9]
    assert [s.forms for s in found] == [s.forms for s in sure]
    for one, other in zip(found, sure, strict=True):
        assert one.upos == other.upos
        for word, same in zip(one, other, strict=True):
            expected = (same.head, same.deprel) if same.confidence >= 0.9 else (-1, "_")
            assert (word.head, word.deprel) == expected
    assert any(not s.has_tree for s in found)


def test_the_treebank_counts_as_often_as_it_is_said(sentences: list[Sentence]):
    gold = make_corpus("gold", sentences[:3])
    corpus, taught = joined(gold, sentences[5:7], "t", 0.5, 4, 2)
    assert corpus.sentences == [*(sentences[:3] * 4), *sentences[5:7]]
    words = sum(map(len, sentences[5:7]))
    assert (taught.teacher, taught.sentences, taught.words, taught.confident, taught.copies) == ("t", 2, words, 0.5, 4)
    assert (corpus.own, corpus.alone, taught.alone) == (3, 2, 2)
    with pytest.raises(TrainingError, match="found no sentence that the teacher could teach"):
        joined(gold, [], "t", 0.5, 4, 0)


def test_a_student_learns_what_is_in_no_treebank(sentences: list[Sentence]):
    """Words that the treebank lacks are parsed as the teacher does."""
    strange = [Sentence(["zorp", "blim", "frob"], heads=[2, 3, 0], deprels=["x", "y", "root"])] * 20
    knows = train_parser(strange, system="arc-hybrid", epochs=5)
    text = [Sentence(["zorp", "blim", "frob"])] * 30
    options = {"system": "arc-hybrid", "epochs": 5, "only": "parser", "seed": 1}
    gold = [Sentence(["a", "b", "c"], heads=[0, 1, 2], deprels=["root", "z", "z"])] * 5
    student = distil(knows, text, gold, **options)
    assert student.parse(strange[0]).heads == [2, 3, 0]
    assert student.parse(gold[0]).heads == [0, 1, 2]
    assert train_parser(gold, **options).parse(strange[0]).heads != [2, 3, 0]


@pytest.mark.parametrize("system", ["arc-eager", "covington-nonmonotonic", "nl-covington"])
def test_of_any_system_from_raw_text(teacher: Parser, system: str, tmp_path: Path):
    options = {"system": system, "epochs": 2, "confident": 0.7}
    student = distil(teacher, [TEXT], sample(), sample(), **options)
    assert student.header.taught.sentences == 3
    student.save(tmp_path / "s.rearc")
    again = rearc.load(tmp_path / "s.rearc")
    assert again.header == student.header
    assert [s.heads for s in again(TEXT)] == [
        s.heads for s in distil("en", [TEXT], sample(), sample(), **options)(TEXT)
    ]


def test_what_cannot_be_taught(teacher: Parser, sentences: list[Sentence]):
    unsure = train_parser(sentences[:9], system="arc-hybrid", epochs=1)
    text = sentences[:3]
    for options, found in (
        ({"confident": 1.0}, "found confident 1.0, expected a probability"),
        ({"confident": -0.1}, "found confident -0.1"),
        ({"confident": "x"}, "found confident 'x'"),
        ({"copies": 0}, "found 0 copies, expected a whole number from 1 to 1,000"),
        ({"copies": 1.5}, "found 1.5 copies"),
        ({"alone": -1}, "found -1 epochs of the treebank alone"),
        ({"alone": 3, "epochs": 3, "quick": True}, "found 3 epochs that learn from the treebank alone, expected fewer"),
    ):
        with pytest.raises(TrainingError, match=found):
            distil(teacher, text, sentences, **options)
    with pytest.raises(TrainingError, match="found a teacher that does not know how sure it is"):
        distil(unsure, text, sentences, confident=0.5)
    with pytest.raises(TrainingError, match="found raw text and a teacher without a segmenter"):
        distil(unsure, [TEXT], sentences)
    with pytest.raises(TrainingError, match="found no sentence that the teacher could teach"):
        distil(teacher, [], sentences)
    with pytest.raises(TypeError, match=r"no option 'epoch'"):
        distil(teacher, [TEXT], sentences, epoch=1)


def test_the_verb(tmp_path: Path):
    text, student = tmp_path / "text.txt", tmp_path / "s.rearc"
    text.write_text(TEXT + "\n\n" + TEXT, encoding="utf-8")
    common = ["distil", "en", "--text", str(text), "--treebank", "sample", "-o", str(student)]
    few = ["--system", "arc-hybrid", "--epochs", "1"]
    result = CliRunner().invoke(app, [*common, *few, "--dev", "sample", "--confident", "0.5", "--words", "12"])
    assert result.exit_code == 0, result.output
    header = json.loads(CliRunner().invoke(app, ["info", str(student), "--json"]).output)
    assert header["taught"] == {"teacher": "en", "sentences": 2, "words": 19, "confident": 0.5, "copies": 1, "alone": 0}
    shown = CliRunner().invoke(app, ["info", str(student)]).output
    assert "en: 2 sentences, 19 words" in shown
    for wrong, code, said in (
        (["--confident", "2"], 2, "--confident"),
        (["--copies", "0"], 2, "--copies"),
        (["--oracle", "static-lazy"], 2, "--oracle"),
    ):
        result = CliRunner().invoke(app, [*common, *few, *wrong])
        assert (result.exit_code, said in result.output) == (code, True), result.output
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    result = CliRunner().invoke(app, [*common[:2], "--text", str(empty), *common[4:], *few])
    assert result.exit_code == 1
    assert "found no sentence that the teacher could teach" in result.output
    for name in (str(text), str(student)):
        again = [*common[:-1], name, "--text", str(student)] if name == str(student) else [*common[:-1], name]
        result = CliRunner().invoke(app, [*again, *few])
        assert result.exit_code == 2  # a model over what is read
    assert text.read_text(encoding="utf-8").startswith("The owl")
