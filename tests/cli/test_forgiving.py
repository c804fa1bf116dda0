"""What the verbs pass over with one note, what they leave out, what they refuse, and in which encoding they write."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rearc
from rearc.cli.app import app
from rearc.tagger.tagger import Tagger
from rearc.treebank import sample
from tests.cli.conftest import CANNOT, HEARING, Run
from tests.trained import train_parser

BOTH = HEARING + CANNOT


def invoke(*arguments: object, code: int = 0, input: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)), input=input)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a tagger for UPOS and FEATS."""
    path = tmp_path_factory.mktemp("model") / "m.rearc"
    parser = train_parser(sample(), system="arc-hybrid", epochs=2)
    tagger = Tagger.train(rearc.read(sample()), columns=("upos", "feats"), epochs=3)
    rearc.Parser(parser._model, tagger).save(path)
    return path


def columns(text: str, *which: int) -> list[list[str]]:
    """These columns of the words."""
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [[fields[k] for k in which] for fields in lines if fields[0].isdigit()]


# one note -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def loose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file from another system, which in the usual form is right.conllu."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "right.conllu").write_text(BOTH)
    path = tmp_path / "loose.conllu"
    path.write_bytes(b"\xef\xbb\xbf" + BOTH[:-2].replace("\n\n", "\n\n\n").replace("\n", "\r\n").encode())
    return path


NOTE = (
    "rearc: loose.conllu: passed over a byte order mark, 18 carriage returns, a superfluous blank line, "
    "the missing line end of the last line\n"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", "loose.conllu"],
        ["tag", "loose.conllu"],
        ["show", "loose.conllu"],
        ["info", "loose.conllu", "--json"],
        ["convert", "loose.conllu", "-"],
        ["evaluate", "right.conllu", "loose.conllu", "--json"],
        ["evaluate", "loose.conllu", "right.conllu", "--conll18", "--json"],
        ["compare", "right.conllu", "right.conllu", "loose.conllu", "--rounds", "10"],
        ["oracle", "loose.conllu", "--coverage", "--system", "covington"],
    ],
    ids=" ".join,
)
def test_a_file_from_elsewhere_is_read_with_one_note(arguments: list[str], loose: Path):
    said = invoke(*arguments)
    assert said.stderr == NOTE
    if arguments[0] != "compare":  # whose table has the names
        right = [argument.replace("loose", "right") for argument in arguments]
        assert said.stdout.replace("loose", "right") == invoke(*right).stdout
    refused = invoke(*arguments, "--strict", code=1)
    assert refused.stdout == ""
    assert refused.stderr.startswith("rearc: loose.conllu:1:")
    assert refused.stderr.count("\n") == 1


def test_training_on_a_file_from_elsewhere(loose: Path):
    arguments = ["train", "loose.conllu", "-o", "m.rearc", "--system", "covington", "--epochs", "1"]
    assert NOTE in invoke(*arguments).stderr
    assert invoke(*arguments, "--strict", code=1).stderr.startswith("rearc: loose.conllu:1:")


def test_text_as_people_type_it():
    said = invoke("parse", "--format", "tokens", input="\ufeffI  saw\tJack\u00a0.\r\n\r\nYes".encode())
    assert columns(said.stdout, 1) == [["I"], ["saw"], ["Jack"], ["."], ["Yes"]]
    assert said.stderr == (
        "rearc: <stdin>: passed over a byte order mark, 2 carriage returns, a superfluous blank line, "
        "a superfluous space, a tab between words, a non-breaking space between words, "
        "the missing line end of the last line\n"
    )


PROSE = ["Owls see well.\n", "Owls see well.", "\n\nOwls see well.\n"]


@pytest.mark.parametrize("text", PROSE)
def test_prose_on_standard_input_is_text(text: str, whole_model: Path):
    for verb in ("parse", "tag"):
        known = invoke(verb, "-m", whole_model, "--format", "text", input=text)
        said = invoke(verb, "-m", whole_model, input=text)
        assert columns(said.stdout, 1) == [["Owls"], ["see"], ["well"], ["."]]
        assert said.stdout == known.stdout
        assert known.stderr == ""
        assert said.stderr == "rearc: <stdin>: found no columns, so it is read as text; --format says otherwise\n"


@pytest.mark.parametrize("text", PROSE)
def test_prose_on_standard_input_is_tokens_where_nothing_splits_it(text: str, model: Path):
    for verb in ("parse", "tag"):
        known = invoke(verb, "-m", model, "--format", "tokens", input=text)
        said = invoke(verb, "-m", model, input=text)
        assert columns(said.stdout, 1) == [["Owls"], ["see"], ["well."]]
        assert said.stdout == known.stdout
        note = "rearc: <stdin>: found no columns, so it is read as tokens, a sentence a line; --format says otherwise\n"
        assert said.stderr == note + known.stderr


def test_comments_alone_may_be_of_a_treebank(whole_model: Path):
    said = invoke("parse", "-m", whole_model, input="# 1 fine day\n", code=1)
    assert "a sentence without words" in said.stderr


@pytest.mark.parametrize("data", [HEARING.encode(), b"\n# c\n" + HEARING.encode(), HEARING.encode("utf-16")])
def test_a_treebank_on_standard_input_is_none(data: bytes):
    assert len(columns(invoke("parse", input=data).stdout, 1)) == 9
    assert "so it is read as" not in invoke("parse", input=data).stderr


def test_columns_that_lost_their_tabs_are_no_text():
    said = invoke("parse", input=HEARING.replace("\t", " "), code=1)
    assert "found 1 column, expected 10 columns" in said.stderr
    assert "--format text" in said.stderr


# trees that are made anew --------------------------------------------------------------------------------------------

NO_TREES = {
    "cyclic": HEARING.replace("\t0\troot", "\t2\troot"),
    "partial": HEARING.replace("\t2\tdet", "\t_\t_"),
    "no numbers": HEARING.replace("\t2\tdet", "\ttwo\tdet"),
    "out of range": HEARING.replace("\t2\tdet", "\t99\tdet"),
}


@pytest.mark.parametrize("kind", NO_TREES)
def test_old_heads_do_not_matter_to_parse(kind: str):
    said = invoke("parse", input=NO_TREES[kind])
    assert (said.stdout, said.stderr) == (invoke("parse", input=HEARING).stdout, "")


def test_empty_heads_do_not_matter_to_parse():
    said = invoke("parse", input=HEARING.replace("\t2\tdet", "\t\t"))
    assert (said.stdout, said.stderr) == (invoke("parse", input=HEARING).stdout, "")


@pytest.mark.parametrize("kind", [kind for kind in NO_TREES if kind != "partial"])
def test_tag_leaves_out_heads_that_make_no_tree(kind: str, model: Path):
    said = invoke("tag", "-m", model, input=NO_TREES[kind] + CANNOT)
    assert said.stderr == "rearc: <stdin>: passed over the heads of a sentence, which make no tree\n"
    assert columns(said.stdout, 6) == [["_"]] * 9 + [["3"], ["3"], ["0"]]
    assert invoke("tag", "-m", model, "--strict", input=NO_TREES[kind], code=1).stdout == ""


def test_tag_keeps_the_heads_of_a_partial_tree(model: Path):
    said = invoke("tag", "-m", model, input=NO_TREES["partial"])
    assert said.stderr == ""
    heads = columns(said.stdout, 6)
    assert ["_"] in heads
    assert any(head != ["_"] for head in heads)


@pytest.mark.parametrize("format", ["conllx", "conll2007"])
def test_the_second_tree_of_conllx_does_not_survive(format: str, run: Run):
    lines = [line.split("\t") for line in HEARING.splitlines() if line[:1].isdigit()]
    text = "".join("\t".join([*fields[:8], fields[6], fields[7]]) + "\n" for fields in lines) + "\n"
    for tags in ("given", "predict"):
        done = run("parse", "--format", format, "--tags", tags, input=text)
        assert done.returncode == 0
        assert columns(done.stdout, 8, 9) == [["_", "_"]] * 9
    assert columns(run("tag", "--format", format, input=text).stdout, 8) == columns(text, 6)


# tags that are predicted ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", [["parse", "--tags", "predict"], ["tag"]], ids=lambda verb: verb[0])
def test_gold_does_not_pass_for_predicted(verb: list[str], model: Path, tmp_path: Path):
    out = invoke(*verb, "-m", model, input=HEARING).stdout
    assert columns(out, 2, 4) == [["_", "_"]] * 9  # LEMMA and XPOS
    assert columns(out, 3) != [["_"]] * 9
    kept = invoke(*verb, "-m", model, "--keep", "lemma,xpos", input=HEARING).stdout
    assert columns(kept, 2, 4) == columns(HEARING, 2, 4)
    assert columns(kept, 3, 5) == columns(out, 3, 5)  # which the model predicts
    assert columns(invoke(*verb, "-m", model, "--keep", " xpos", input=HEARING).stdout, 2) == [["_"]] * 9
    (tmp_path / "gold.conllu").write_text(HEARING)
    (tmp_path / "out.conllu").write_text(out)
    if verb[0] == "parse":
        scores = json.loads(
            invoke("evaluate", tmp_path / "gold.conllu", tmp_path / "out.conllu", "--conll18", "--json").stdout
        )
        assert scores["conll18"]["Lemmas"]["f1"] == scores["conll18"]["XPOS"]["f1"] == 0


@pytest.mark.parametrize("tags", ["given", "auto"])
def test_given_tags_stay(tags: str, model: Path):
    assert columns(invoke("parse", "-m", model, "--tags", tags, input=HEARING).stdout, 2, 3, 4, 5) == columns(
        HEARING, 2, 3, 4, 5
    )


# outputs -------------------------------------------------------------------------------------------------------------


def flat(text: str) -> str:
    """A message without the frame around it and its line breaks."""
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "option", "expected"),
    [
        (["parse", "small.conllu", "-o", "out.png"], "--output", ".conllu, .conllx"),
        (["parse", "small.conllu", "-o", "out.xml.gz"], "--output", "'.xml'"),
        (["parse", "in.txt", "-o", "out.txt"], "--output", "no place for trees"),
        (["parse", "small.conllu", "--to", "tokens"], "--to", "one of conllu, conllx, conll2007, json, text"),
        (["parse", "small.conllu", "--keep", "lemma"], "--keep", "--tags predict"),
        (["parse", "small.conllu", "--tags", "predict", "--keep", "lemma,colour"], "--keep", "'colour'"),
        (["parse", "small.conllu", "--tags=predict", "--keep", "form"], "--keep", "lemma, xpos, feats"),
        (["parse", "small.conllu", "--output-encoding", "utf-16"], "--output-encoding", "iconv"),
        (["tag", "small.conllu", "-o", "out.xml"], "--output", "'.xml'"),
        (["tag", "small.conllu", "-o", "out.txt"], "--output", "no place for tags"),
        (["tag", "small.conllu", "--keep", "colour"], "--keep", "'colour'"),
        (["convert", "small.conllu", "out.pdf"], "OUT", "--to"),
        (["show", "small.conllu", "-o", "out.conllu"], "--output", ".svg, .html, .htm, .png, .pdf"),
        (["show", "small.conllu", "-o", "out.json"], "--output", "'.json'"),
        (["show", "small.conllu", "--svg", "-o", "out.html"], "--svg", "out.html"),
        (["evaluate", "small.conllu", "small.conllu", "--plot", "out.gif"], "--plot", ".svg, .pdf, .png"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_output_that_cannot_be(
    arguments: list[str], option: str, expected: str, treebank: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(treebank.parent)
    Path("in.txt").write_text("Dogs bark\n")
    said = invoke(*arguments, code=2)
    assert said.stdout == ""
    assert option in flat(said.stderr)
    assert expected in flat(said.stderr)
    assert not list(Path.cwd().glob("out*"))


def test_json_holds_all_that_conllu_holds(treebank: Path, model: Path):
    file, other = treebank.with_name("out.json.gz"), treebank.with_name("out.conllu")
    for out in (file, other):
        assert invoke("parse", treebank, "-m", model, "-o", out).stdout == ""
    assert file.read_bytes().startswith(b"\x1f\x8b")
    assert list(rearc.read(file)) == list(rearc.read(other))
    assert invoke("convert", file, "-", "--to", "conllu").stdout == other.read_text()


def test_trees_are_drawn_as_show_draws_them(treebank: Path, model: Path):
    invoke("parse", treebank, "-m", model, "-o", treebank.with_name("out.conllu"))
    drawn = invoke("parse", treebank, "-m", model, "--to", "text").stdout
    assert drawn == "".join(f"{tree}\n\n" for tree in rearc.read(treebank.with_name("out.conllu")))
    assert drawn.count("►") == 14
    invoke("parse", treebank, "-m", model, "--to", "text", "-o", treebank.with_name("out.txt"))
    assert treebank.with_name("out.txt").read_text("utf-8") == drawn


@pytest.mark.parametrize("arguments", [["parse"], ["parse", "--threads=1"], ["tag"]], ids=" ".join)
def test_output_in_another_format_and_encoding(arguments: list[str], tmp_path: Path):
    file = tmp_path / "a.conllu"
    file.write_text(HEARING.replace("issue", "Ärger"), encoding="latin-1")
    for encoding, expected in (("same", "latin-1"), ("latin-1", "latin-1"), ("utf-8", "utf-8"), (None, "utf-8")):
        given = ["--output-encoding", encoding] if encoding else []
        invoke(*arguments, file, "--encoding", "latin-1", "-o", tmp_path / "b.conllu", *given)
        assert "Ärger".encode(expected) in (tmp_path / "b.conllu").read_bytes()
    invoke(*arguments, file, "--encoding", "latin-1", "-o", tmp_path / "b.parsed", "--to", "conllx")
    assert next(rearc.read(tmp_path / "b.parsed", format="conllx")).forms[6] == "Ärger"
    invoke("convert", file, tmp_path / "c.conllu", "--encoding", "latin-1", "--output-encoding", "same")
    assert (tmp_path / "c.conllu").read_bytes() == file.read_bytes()


def test_python_refuses_an_ending_too(tmp_path: Path):
    with pytest.raises(rearc.files.errors.FileError, match=r"found the ending '\.png', expected \.conllu"):
        rearc.write(rearc.read(sample()), tmp_path / "a.png")
    assert rearc.write(rearc.read(sample()), tmp_path / "a.png", format="conllu") == 40


# encodings of what is compared ---------------------------------------------------------------------------------------


def test_scores_of_files_in_other_encodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    text = HEARING.replace("issue", "Ärger")
    Path("latin.conllu").write_text(text, encoding="latin-1")
    Path("utf8.conllu").write_text(text, encoding="utf-8")
    Path("also.conllu").write_text(text, encoding="utf-8")
    for arguments in (
        ["evaluate", "latin.conllu", "latin.conllu", "--encoding", "latin-1"],
        ["evaluate", "latin.conllu", "utf8.conllu", "--encoding", "latin-1", "--predicted-encoding", "utf-8"],
        ["evaluate", "utf8.conllu", "latin.conllu", "--predicted-encoding", "latin-1", "--conll18"],
    ):
        assert json.loads(invoke(*arguments, "--json").stdout)["las"] == 100
    compare = ["compare", "latin.conllu", "utf8.conllu", "also.conllu", "--rounds", "10", "--json"]
    invoke(*compare, "--encoding", "latin-1", "--predicted-encoding", "utf-8")
    assert "the byte 0xc4" in invoke(*compare, code=1).stderr


def test_las_is_the_same_score_with_and_without_conll18(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(BOTH)
    Path("out.conllu").write_text(BOTH.replace("nsubj:pass", "nsubj").replace("\t4\taux:pass", "\t2\taux:pass"))
    plain, task = (
        json.loads(invoke("evaluate", "gold.conllu", "out.conllu", "--json", *more).stdout)
        for more in ([], ["--conll18"])
    )
    assert (task["uas"], task["las"]) == (plain["uas"], plain["las"])
    assert plain["las"] == pytest.approx(100 * 10 / 12)
    assert task["conll18"]["LAS"]["f1"] == pytest.approx(100 * 11 / 12)  # which knows no subtypes


def test_a_message_about_a_whole_sentence_has_no_column(run: Run):
    done = run("info", "-", input=CANNOT.replace("\t0\troot", "\t1\troot"))
    assert done.stderr.startswith("rearc: <stdin>:1: found no root, expected")


def test_messages_name_files_of_which_no_sentence_is_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(BOTH)
    Path("blank.conllu").write_text("\n")
    said = invoke("evaluate", "gold.conllu", "blank.conllu", code=1).stderr
    assert "blank.conllu: found 0 sentences, expected more than 0, as in gold.conllu" in said


def test_a_page_of_standard_input_has_a_title(run: Run):
    assert "<title>standard input</title>" in run("show", "-", "--html", input=HEARING).stdout


def test_oracle_asks_for_a_system(treebank: Path):
    assert "found nothing, expected one of covington," in flat(invoke("oracle", treebank, code=2).stderr)
