"""The verbs train and parse, and info on models."""

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rearc
from rearc.cli.app import app
from rearc.features.sets import feature_sets
from rearc.oracles import oracles
from rearc.systems import systems
from rearc.treebank import sample
from tests.cli.conftest import CANNOT, HEARING, Run, command
from tests.cli.test_streams import terminal
from tests.processes import Child


def invoke(*arguments: object, code: int = 0, input: str | None = None) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)), input=input)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.rearc"
    system = ("--system", "arc-hybrid-swap", "--oracle", "static", "--epochs", 12)
    invoke("train", "--only", "parser", "sample", "--dev", "sample", "-o", path, *system, "--licence", "CC0 1.0")
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The sample without trees."""
    path = tmp_path / "bare.conllu"
    rearc.write((s.replace(heads=None, deprels=None) for s in rearc.read(sample())), path)
    return path


# train ---------------------------------------------------------------------------------------------------------------


def test_training_says_what_it_does(tmp_path: Path):
    said = invoke("train", "--only", "parser", "sample", "--dev", "sample", "-o", tmp_path / "m.rearc", "--epochs", 2)
    assert said.stdout == ""
    lines = said.stderr.splitlines()
    assert lines[0].startswith("rearc: system arc-eager-unshift: 17.5 % of the training sentences are non-projective")
    assert lines[1].startswith("rearc: 7 sentences with a non-projective tree lifted and marked (head)")
    assert lines[2].startswith("rearc: epoch 1 of 2: ")
    assert lines[3].startswith("rearc: epoch 2 of 2: ")
    assert "dev UAS" in lines[3]
    assert lines[4].startswith(f"rearc: {tmp_path / 'm.rearc'}: arc-eager-unshift, epoch 2 of 2, UAS ")
    assert [path.name for path in tmp_path.iterdir()] == ["m.rearc"]


def test_the_log_has_a_line_an_epoch(tmp_path: Path):
    logged = invoke(
        "train", "--only", "parser", "sample", "-o", tmp_path / "m.rearc", "--epochs", 3, "--log", "-"
    ).stdout
    records = [json.loads(line) for line in logged.splitlines()]
    assert [record["epoch"] for record in records] == [1, 2, 3]
    assert all(record["las"] is None and record["seconds"] > 0 for record in records)
    invoke(
        "train",
        "--only",
        "parser",
        "sample",
        "--dev",
        "sample",
        "-o",
        tmp_path / "m.rearc",
        "--epochs",
        2,
        "--log",
        tmp_path / "l",
    )
    records = [json.loads(line) for line in (tmp_path / "l").read_text().splitlines()]
    assert 0 < records[0]["las"] <= 100


@pytest.mark.parametrize("dev", [[], ["--dev", "sample"]])
def test_the_learning_curve(dev: list[str], tmp_path: Path):
    pytest.importorskip("matplotlib")
    arguments = ["train", "sample", *dev, "-o", tmp_path / "m.rearc", "--epochs", 3, "--plot"]
    for name, start in (("c.svg", b"<?xml"), ("c.png", b"\x89PNG"), ("c.pdf", b"%PDF")):
        invoke(*arguments, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert (b"LAS on dev" in (tmp_path / "c.svg").read_bytes()) == bool(dev)
    again = (tmp_path / "c.svg").read_bytes()
    invoke(*arguments, tmp_path / "c.svg")
    assert (tmp_path / "c.svg").read_bytes() == again


def test_options_reach_the_model(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("S0p+N0p S0w N0w")
    invoke(
        "train", sample(), "-o", tmp_path / "m.rearc", "--only", "parser", "--system", "arc-eager", "--oracle",
        "dynamic", "--epochs", 3, "--seed", 42,
        "--features", tmp_path / "mine.txt", "--policy", "2,0.25", "--non-projective", "head+path",
        "--several-roots", "--licence", "none",
    )  # fmt: skip
    header = rearc.load(tmp_path / "m.rearc").header
    assert (header.system, header.oracle, header.epochs, header.seed) == ("arc-eager", "dynamic", 3, 42)
    assert (header.templates, header.policy) == ("S0p+N0p S0w N0w", (2, 0.25))
    assert (header.non_projective, header.single_root, header.licence) == ("head+path", False, "none")
    assert header.train.name == "sample.conllu"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--system", "arc"],
        ["--system", "arc-hybrid", "--oracle", "upper"],
        ["--epochs", "0"],
        ["--seed", "-1"],
        ["--policy", "1"],
        ["--policy", "1,2"],
        ["--policy", "x,y"],
        ["--non-projective", "hide"],
        ["--plot", "curve.jpeg2000"],
    ],
    ids=" ".join,
)
def test_wrong_usage_of_train(arguments: list[str], tmp_path: Path):
    output = ["-o", tmp_path / "m.rearc"] if arguments else []
    assert invoke("train", "--only", "parser", "sample", *output, *arguments, code=2).stdout == ""
    assert list(tmp_path.iterdir()) == []


def said_in_the_box(*arguments: object) -> str:
    """What the command says of wrong usage, without the box."""
    return " ".join(
        invoke("train", "--only", "parser", "sample", "-o", "m.rearc", *arguments, code=2)
        .stderr.replace("│", " ")
        .split()
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--system", "arc-hybird"],
            "'--system': found 'arc-hybird', expected one of covington, covington-nonmonotonic",
        ),
        (["--system", "arc-hybird"], "; did you mean arc-hybrid?"),
        (
            ["--system", "arc-hybrid", "--oracle", "dynamik"],
            "'--oracle': found 'dynamik', expected one of static, dynamic; did you mean dynamic?",
        ),
        (["--oracle", "uper"], "'--oracle': found 'uper', expected one of"),
        (
            ["--oracle", "upper"],
            "'--oracle': found 'upper', expected for arc-eager-unshift one of dynamic, dynamic-monotonic",
        ),
        (
            ["--features", "rich-stak"],
            "'--features': found 'rich-stak', expected a file of templates, or one of the sets",
        ),
        (["--features", "rich-stak"], "did you mean rich-stack?"),
        (
            ["--system", "covington", "--non-projective", "lift"],
            "'--non-projective': found 'lift', expected none, as covington derives non-projective trees",
        ),
        (
            ["--system", "arc-hybrid", "--oracle", "static", "--policy", "1,0.5"],
            "'--policy': found '1,0.5', expected none, as the oracle static knows one path alone",
        ),
        (["--policy", "1;0.5"], "'--policy': found '1;0.5', expected K,P such as 1,0.9"),
        (["--prune", "1"], "'--prune': found 1.0, expected a share from 0 to below 1"),
        (["--size", "small"], "'--size': found 'small', expected none, as a model of the kind perceptron"),
        (["--learning-rate", "0.1"], "'--learning-rate': found 0.1, expected none"),
        (["--model", "lstm"], "'--model': found 'lstm', expected one of perceptron, bilstm; did you mean bilstm?"),
        (["--dev-encoding", "utf-9"], "'--dev-encoding': found the encoding 'utf-9'"),
    ],
)
def test_wrong_values_name_the_option_as_it_is_typed(arguments: list[str], said: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in said_in_the_box(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_the_help_says_all_there_is_to_choose(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "200")
    for _ in range(2):
        said = " ".join(invoke("train", "--only", "parser", "--help").stdout.replace("│", " ").split())
        assert said.count("Systems and their oracles") == 1
        for system in systems():
            assert f" {system}: {', '.join(oracles(system))} " in said
        for name in feature_sets():
            assert name in said or name == "labels"
        assert "[default: (15; a bilstm: 20, or more for 4,000 updates)]" in said


def test_no_input_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.conllu").write_text(HEARING)
    (tmp_path / "d.conllu").write_text(CANNOT)
    (tmp_path / "f.txt").write_text("S0p")
    (tmp_path / "link").symlink_to("t.conllu")
    for output in ("t.conllu", "d.conllu", "f.txt", tmp_path / "t.conllu", "link"):
        said = invoke(
            "train", "--only", "parser", "t.conllu", "--dev", "d.conllu", "--features", "f.txt", "-o", output, code=2
        ).stderr
        assert "which is read too, expected another file" in " ".join(said.replace("│", " ").split())
    assert (tmp_path / "t.conllu").read_text() == HEARING
    invoke(
        "train", "--only", "parser", "t.conllu", "-o", "d.conllu", "--epochs", 1
    )  # a file that is not read may be replaced


def test_dev_may_have_an_encoding_of_its_own(tmp_path: Path):
    (tmp_path / "dev.conllu").write_bytes(HEARING.replace("hearing", "hürde").encode("latin-1"))
    arguments = ["train", "sample", "--dev", tmp_path / "dev.conllu", "-o", tmp_path / "m.rearc", "--epochs", 1]
    assert "expected text in utf-8" in invoke(*arguments, code=1).stderr
    invoke(*arguments, "--dev-encoding", "latin-1")
    assert rearc.load(tmp_path / "m.rearc").header.dev.sentences == 1


def test_the_taggers_training_says_how_it_goes(tmp_path: Path):
    arguments = ["train", "sample", "-o", tmp_path / "m.rearc", "--epochs", 1, "--tagger", "--jackknife", 2]
    lines = [line for line in invoke(*arguments).stderr.splitlines() if line.startswith("rearc: tagger, ")]
    for start in ("upos, run 1 of 5: ", "feats, run 5 of 5: ", "part 1 of 2, upos: ", "part 2 of 2, feats: "):
        assert any(line.startswith(f"rearc: tagger, {start}") for line in lines)
    assert all(line.endswith(" epochs") and " % of words wrong" in line for line in lines)


def test_templates_that_are_wrong(tmp_path: Path):
    (tmp_path / "bad.txt").write_text("S0p\nN0q\n")
    said = invoke(
        "train", "--only", "parser", "sample", "-o", tmp_path / "m.rearc", "--features", tmp_path / "bad.txt", code=1
    ).stderr
    assert said == (
        f"rearc: {tmp_path / 'bad.txt'}:2: template 'N0q', column 3: found 'q', expected attributes of N0: "
        "any of w u m p t f x2 x3 c4 c6 c l d vl vr sl sr e k\n"
    )


def test_bad_sentences_may_be_skipped(tmp_path: Path):
    (tmp_path / "t.conllu").write_text(HEARING + "1\tx\t_\t_\t_\t_\t9\t_\t_\t_\n\n" + CANNOT)
    said = invoke(
        "train",
        "--only",
        "parser",
        tmp_path / "t.conllu",
        "-o",
        tmp_path / "m.rearc",
        "--epochs",
        1,
        "--skip-invalid",
        code=3,
    )
    assert "1 invalid sentence skipped" in said.stderr
    assert rearc.load(tmp_path / "m.rearc").header.train.sentences == 2


def test_progress_on_a_terminal(tmp_path: Path):
    rearc.write([s for _ in range(30) for s in rearc.read(sample())], tmp_path / "t.conllu")
    _, said = terminal(
        ["train", "--quick", "t.conllu", "-o", "m.rearc", "--epochs", "2"],
        tmp_path,
        "import rearc.cli.reading as r; r.PATIENCE = 0",
    )
    assert b"epoch 2 of 2" in said
    assert b"%" in said


# parse ---------------------------------------------------------------------------------------------------------------


def test_a_file_is_parsed_and_all_else_kept(model: Path, bare: Path, tmp_path: Path):
    invoke("parse", bare, "-m", model, "-o", tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_bytes() == sample().read_bytes()
    invoke("parse", sample(), "-m", model, "-o", tmp_path / "out.conllu.gz", "--threads", 4)
    assert list(rearc.read(tmp_path / "out.conllu.gz")) == list(rearc.read(sample()))


def test_standard_input_and_output(model: Path, bare: Path):
    text = bare.read_text("utf-8")
    assert invoke("parse", "-m", model, input=text).stdout == sample().read_text("utf-8")
    assert invoke("parse", "-", "-m", model, input=text).stdout == sample().read_text("utf-8")
    assert invoke("parse", bare, bare, "-m", model).stdout == 2 * sample().read_text("utf-8")


def test_plain_text(model: Path):
    said = invoke("parse", "-m", model, "--format", "tokens", input="Owls see\n\n\n😀\n\nπ\n")
    assert [line.split("\t")[:2] for line in said.stdout.splitlines()] == [
        ["1", "Owls"], ["2", "see"], [""], ["1", "😀"], [""], ["1", "π"], [""],
    ]  # fmt: skip
    assert "rearc: <stdin>: passed over 3 superfluous blank lines\n" in said.stderr
    assert f"3 of 3 sentences have no UPOS, which {model} goes by" in said.stderr
    assert invoke("parse", "-m", model, "--format", "tokens", input="\n").stdout == ""


@pytest.mark.parametrize("verb", ["parse", "tag"])
@pytest.mark.parametrize("arguments", [["a.tok", "b.txt"], ["a.tok", "-", "--format", "text"], ["--format", "lines"]])
def test_text_without_a_segmenter_is_refused_before_anything_is_written(
    verb: str, arguments: list[str], model_without_segmenter: Path, run: Run, tmp_path: Path
):
    for name in ("a.tok", "b.txt"):
        (tmp_path / name).write_text("Owls see .\n")
    done = run(verb, *arguments, "-m", model_without_segmenter, input="Owls see.\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--format: {model_without_segmenter} has no segmenter to split text with; --format tokens" in done.stderr


def test_text_and_tokens_in_one_go(whole_model: Path, run: Run, tmp_path: Path):
    (tmp_path / "a.tok").write_text("Owls see .\n")
    (tmp_path / "b.txt").write_text("Owls see.")
    done = run("parse", "a.tok", "b.txt", "-m", whole_model)
    assert (done.returncode, done.stderr) == (0, "")
    one, two = (s.split("\n") for s in done.stdout.split("\n\n")[:2])
    assert one[0].startswith("1\tOwls")
    assert two[:4] == ["# newdoc", "# newpar", "# sent_id = 1", "# text = Owls see."]
    assert [line.split("\t")[:9] for line in two[4:]] == [line.split("\t")[:9] for line in one]


def test_blank_lines_are_mistakes_to_the_strict(model: Path):
    said = invoke("parse", "-m", model, "--strict", input=HEARING + "\n" + CANNOT, code=1)
    assert "found a superfluous blank line" in said.stderr
    said = invoke("parse", "-m", model, "--strict", "--skip-invalid", input=HEARING + "\n" + CANNOT, code=3)
    assert said.stdout.count("\n\n") == 2


def test_other_formats(model: Path, tmp_path: Path):
    invoke("convert", sample(), tmp_path / "s.conllx")
    out = invoke("parse", tmp_path / "s.conllx", "-m", model).stdout
    assert out == (tmp_path / "s.conllx").read_text("utf-8")
    invoke("parse", tmp_path / "s.conllx", "-m", model, "-o", tmp_path / "s.conllu")
    assert [s.heads for s in rearc.read(tmp_path / "s.conllu")] == [s.heads for s in rearc.read(sample())]


def test_how_fast_it_went(model: Path, bare: Path):
    said = invoke("parse", bare, "-m", model, "-v").stderr
    assert said.startswith("rearc: 40 sentences, 364 words read, parsed and written in ")
    assert "words/s" in said


def test_a_bad_sentence_is_one_line(model: Path, run: Run):
    done = run("parse", "-m", model, input=HEARING + "2\tx\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    assert done.returncode == 1
    assert done.stderr.startswith("rearc: <stdin>:13:1: found the id '2'")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "found"),
    [
        (["-m", "nosuch"], 1, "nosuch: found no file of that name"),
        (["-m", "nosuch.rearc"], 1, "nosuch.rearc: found no such file or directory"),
        (["-m", "small.conllu"], 1, "small.conllu: found b'# sent_i' at its beginning, expected a model made by rearc"),
        (["-m", "."], 1, "found a directory"),
        (["nosuch.conllu"], 1, "nosuch.conllu: found no such file"),
        (["small.conllu", "-o", "nosuch/out.conllu"], 1, "nosuch/out.conllu: found no such file or directory"),
        (["small.conllu", "--tags", "some"], 2, "some"),
        (["small.conllu", "--tags", "predict"], 2, "no tagger"),
        (["small.conllu", "--threads", "0"], 2, "greater than or equal to 1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_parsed(
    arguments: list[str], code: int, found: str, model: Path, treebank: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(treebank.parent)
    said = invoke("parse", *(arguments if "-m" in arguments else [*arguments, "-m", model]), code=code)
    assert found in said.stderr
    assert said.stdout == ""
    if code == 1:
        assert said.stderr.count("\n") == 1


@pytest.mark.parametrize("threads", ["1", "4"])
def test_a_reader_who_has_had_enough(threads: str, model: Path, long_treebank: Path):
    with Child(
        command("parse", long_treebank, "-m", model, "--threads", threads),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_a_full_disk_leaves_no_half_file(model: Path, long_treebank: Path, tmp_path: Path):
    out = tmp_path / "out.conllu"
    small = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash"]
    parse = command("parse", long_treebank, "-m", model, "-o", out)
    done = subprocess.run([*small, *parse], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "out.conllu: found file too large" in done.stderr
    assert not [path for path in tmp_path.iterdir() if path != long_treebank]


# info ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "one"), [("arc-eager-unshift", "yes"), ("arc-eager", "no")])
def test_info_says_whether_trees_get_one_root(system: str, one: str, tmp_path: Path):
    """Some systems build no more, whatever the treebank has."""
    made = tmp_path / "m.rearc"
    invoke("train", "--only", "parser", "sample", "-o", made, "--epochs", 1, "--system", system, "--several-roots")
    row = next(line for line in invoke("info", made).stdout.splitlines() if line.startswith("one root"))
    assert row.split()[-1] == one


def test_info_says_what_a_model_is(model: Path):
    said = invoke("info", model).stdout
    for fact in ("arc-hybrid-swap", "static", "CC0 1.0", "sample: 40 sentences, 364 words", "S0wp"):
        assert fact in said
    report = json.loads(invoke("info", model, "--json").stdout)
    assert report["format"] == "rearc model"
    assert report["bytes"] == model.stat().st_size
    assert report["scores"]["las"] > 90
    assert report["weights"]["types.codes"][1] == 4
    assert report["labels"][0].keys() == {"name", "of_root", "of_word"}


def test_info_describes_one_model_at_a_time(model: Path, treebank: Path):
    assert "one model at a time" in invoke("info", model, treebank, code=2).stderr


def test_info_on_a_damaged_model(model: Path, tmp_path: Path):
    (tmp_path / "d.rearc").write_bytes(model.read_bytes()[:-1])
    said = invoke("info", tmp_path / "d.rearc", code=1).stderr
    assert said == (
        f"rearc: {tmp_path / 'd.rearc'}: found a damaged or incomplete file, expected a model made by rearc; "
        "copy or train it again\n"
    )


# a tagger beside the parser ------------------------------------------------------------------------------------------


def test_a_model_with_a_tagger_parses_bare_words(tmp_path: Path):
    path = tmp_path / "m.rearc"
    said = invoke(
        "train", "sample", "-o", path, "--no-segmenter", "--columns", "upos,feats", "--jackknife", 2, "--epochs", 3
    ).stderr
    assert "a tagger for upos, feats is trained before the parser" in said
    text = tmp_path / "in.tok"
    text.write_text("Owls see well at night .\n", encoding="utf-8")
    parsed = invoke("parse", text, "-m", path).stdout
    assert "\tOwls\t_\tNOUN\t" in parsed
    assert parsed.count("\n") == 7
    assert "\tNOUN\t" in invoke("tag", text, "-m", path).stdout
    again = tmp_path / "again.rearc"
    invoke("train", "sample", "-o", again, "--no-segmenter", "--columns", "upos,feats", "--jackknife", 2, "--epochs", 3)
    assert again.read_bytes() == path.read_bytes()


def test_jackknifing_needs_a_tagger(tmp_path: Path):
    said = invoke("train", "--only", "parser", "sample", "-o", tmp_path / "m.rearc", "--jackknife", 5, code=2).stderr
    assert "for '--jackknife': found 5, expected none without a tagger" in said
