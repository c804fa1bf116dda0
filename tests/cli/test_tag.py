"""The verb tag."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rearc
from rearc.cli.app import app
from rearc.parser import Parser
from rearc.tagger.tagger import Tagger
from rearc.treebank import Sentence, sample
from tests.cli.conftest import CANNOT, HEARING, Run
from tests.trained import train_parser


def invoke(*arguments: object, code: int = 0, input: str | None = None) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)), input=input)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.rearc"
    parser = train_parser(sample(), system="arc-hybrid", epochs=1)
    tagger = Tagger.train(rearc.read(sample()), columns=("upos", "feats"), epochs=5)
    Parser(parser._model, tagger).save(path)
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The words of the sample, and nothing else."""
    path = tmp_path / "bare.conllu"
    rearc.write((Sentence(s.forms, comments=s.comments) for s in rearc.read(sample())), path)
    return path


def test_tags_are_filled_in(model: Path, bare: Path, tmp_path: Path):
    out = tmp_path / "out.conllu"
    said = invoke("tag", bare, "-m", model, "-o", out)
    assert (said.stdout, said.stderr) == ("", "")
    gold = list(rearc.read(sample()))
    tagged = list(rearc.read(out))
    assert [s.comments for s in tagged] == [s.comments for s in gold]
    assert [s.upos for s in tagged] == [s.upos for s in gold]
    assert [s.feats for s in tagged] == [s.feats for s in gold]
    assert all(s.xpos == ["_"] * len(s) and not s.has_tree for s in tagged)
    assert invoke("tag", bare, "-m", model).stdout == out.read_text(encoding="utf-8")
    both = invoke("tag", bare, bare, "-m", model).stdout
    assert both == 2 * out.read_text(encoding="utf-8")


def test_what_is_not_tagged_stays(model: Path, run: Run):
    done = run("tag", "-m", model, "--keep", "lemma,XPOS", input=CANNOT)
    assert (done.returncode, done.stderr) == (0, "")
    before, after = ([line.split("\t") for line in text.splitlines()] for text in (CANNOT, done.stdout))
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        assert [v for k, v in enumerate(old) if k not in (3, 5)] == [v for k, v in enumerate(new) if k not in (3, 5)]


def test_plain_text(model: Path):
    said = invoke("tag", "-m", model, "--format", "tokens", "-v", input="The tree fell .\n\nfell\n")
    tagged = [line.split("\t") for line in said.stdout.splitlines()]
    assert [fields[3] for fields in tagged if len(fields) == 10] == ["DET", "NOUN", "VERB", "PUNCT", "VERB"]
    assert "rearc: <stdin>: passed over a superfluous blank line\n" in said.stderr
    assert "2 sentences, 5 words read, tagged and written in" in said.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "found"),
    [
        (["-m", "nosuch"], 1, "nosuch: found no file of that name"),
        (["-m", "small.conllu"], 1, "small.conllu: found b'# sent_i' at its beginning, expected a model made by rearc"),
        (["-m", "no_tagger.rearc"], 1, "no_tagger.rearc: found no tagger, expected a model with a tagger"),
        (["nosuch.conllu"], 1, "nosuch.conllu: found no such file"),
        (["small.conllu", "-o", "nosuch/out.conllu"], 1, "nosuch/out.conllu: found no such file or directory"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_tagged(
    arguments: list[str], code: int, found: str, model: Path, treebank: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(treebank.parent)
    if "no_tagger.rearc" in arguments:
        train_parser(sample(), system="arc-hybrid", epochs=1).save("no_tagger.rearc")
    said = invoke("tag", *(arguments if "-m" in arguments else [*arguments, "-m", model]), code=code)
    assert found in said.stderr
    assert said.stdout == ""


def test_invalid_sentences(model: Path, run: Run):
    bad = "2\tyes\t_\t_\t_\t_\t0\tdep\t_\t_\n\n"
    done = run("tag", "-m", model, input=HEARING + bad + HEARING)
    assert done.returncode == 1
    assert done.stderr.startswith("rearc: <stdin>:13:1: found the id '2'")
    done = run("tag", "-m", model, "--skip-invalid", input=HEARING + bad + HEARING)
    assert done.returncode == 3
    assert done.stdout.count("sent_id") == 2


def test_info_says_what_the_tagger_is(model: Path):
    said = invoke("info", model).stdout
    assert "Templates of FEATS" in said
    columns = json.loads(invoke("info", model, "--json").stdout)["tagger"]
    assert [column["name"] for column in columns] == ["upos", "feats"]
    assert "NOUN" in columns[0]["classes"]
