"""What a spec may say, and how it is told what it may not."""

import sys
import tomllib
from pathlib import Path

import pytest

from rearc.experiment import Spec, SpecError, read_spec
from rearc.experiment.tasks import tasks_of

PLAIN = 'treebanks = "treebanks"\n[setups.a]\nsystem = "covington"\n'


def spec_of(folder: Path, text: str):
    file = folder / "s.toml"
    file.write_text(text, encoding="utf-8")
    return read_spec(file)


def first_key(spec: Spec) -> str:
    """Of the first run on the treebank one."""
    return next(task["key"] for task in tasks_of(spec) if task["treebank"] == "one")


def test_runs_are_all_combinations_the_first_seed_first(folder):
    runs = [(t["seed"], t["treebank"], t["setup"]) for t in tasks_of(read_spec(folder / "spec.toml"))]
    assert len(runs) == len(set(runs)) == 18
    assert [seed for seed, _, _ in runs] == [1] * 6 + [2] * 6 + [3] * 6


def test_a_setup_has_what_is_common_and_its_own(folder):
    setup = spec_of(
        folder, PLAIN + 'epochs = 3\npolicy = [1, 0.5]\nnon-projective = "lift"\n[common]\nepochs = 2\n'
    ).setups[0]
    assert setup.options == {
        "epochs": 3, "system": "covington", "policy": (1, 0.5), "non_projective": "lift", "only": "parser"
    }  # fmt: skip


def test_a_setup_may_have_its_own_treebanks_and_seeds(folder):
    spec = spec_of(folder, PLAIN + 'treebanks = ["two"]\nseeds = [7, 8]\n[setups.b]\nsystem = "arc-eager"\n')
    assert {(t.name, s.name, seed) for t, s, seed in spec.runs()} == {
        ("one", "b", 1), ("two", "a", 7), ("two", "b", 1), ("two", "a", 8)
    }  # fmt: skip


def test_a_command_that_knows_no_seed_is_run_once(folder):
    spec = spec_of(folder, PLAIN.replace('system = "covington"', 'command = "cat"') + "seeds = [1, 2]\n")
    assert [seed for _, _, seed in spec.runs()] == [None, None]
    spec = spec_of(folder, PLAIN.replace('system = "covington"', 'command = "cat {seed}"') + "seeds = [1, 2]\n")
    assert [seed for _, _, seed in spec.runs()] == [1, 1, 2, 2]


def test_files_are_named_from_the_spec_on_and_are_part_of_the_key(folder):
    (folder / "my.txt").write_text("L0w\n", encoding="utf-8")
    text = PLAIN + 'features = "my.txt"\n'
    first = next(iter(tasks_of(spec_of(folder, text))))
    assert first["files"]["features"] == str(folder / "my.txt")
    (folder / "my.txt").write_text("L0p\n", encoding="utf-8")
    assert next(iter(tasks_of(spec_of(folder, text))))["key"] != first["key"]


def test_the_key_changes_with_what_matters_and_with_nothing_else(folder):
    key = first_key(spec_of(folder, PLAIN))
    (folder / "treebanks").rename(folder / "moved")
    moved = PLAIN.replace('"treebanks"', '"moved"')
    assert first_key(spec_of(folder, "title = 'x'\n" + moved)) == key
    for other in (
        moved + "epochs = 4\n",
        "score = 'dev'\n" + moved,
        "subtypes = false\n" + moved,
        "seeds = [2]\n" + moved,
    ):
        assert first_key(spec_of(folder, other)) != key
    with (folder / "moved" / "one" / "train.conllu").open("a", encoding="utf-8") as file:
        file.write("# a comment\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert first_key(spec_of(folder, moved)) != key


def test_files_as_universal_dependencies_names_them(folder):
    for part in ("train", "dev", "test"):
        (folder / "treebanks" / "one" / f"{part}.conllu").rename(
            folder / "treebanks" / "one" / f"xx_one-ud-{part}.conllu"
        )
    assert spec_of(folder, PLAIN).treebanks[0].parts["dev"].name == "xx_one-ud-dev.conllu"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seeds = [1", "s.toml: found Unclosed array"),
        ("seeds = [1]\nscore = 'tset'\n=", "s.toml:3: found "),
        ("seeds = [1]\n" + PLAIN.replace("[setups.a]", "[setup.a]"), "found no setups, expected at least one"),
        ("sead = 1\n" + PLAIN, "s.toml:1: found the key 'sead', expected some of"),
        ("sead = [1]\n" + PLAIN, "did you mean seeds?"),
        ("seeds = [1, 1]\n" + PLAIN, "s.toml:1: found seeds = [1, 1], expected at least one number, and none twice"),
        ("seeds = 3\n" + PLAIN, "found seeds = 3, expected a list"),
        ("baseline = 'b'\n" + PLAIN, "found baseline = 'b', expected a setup: a"),
        ("compare = [['a', 'a']]\n" + PLAIN, "expected pairs of setups"),
        ("test = 'chi'\n" + PLAIN, "expected one of randomisation, bootstrap, mcnemar"),
        ("tables = ['lass']\n" + PLAIN, "did you mean las?"),
        ("level = 2\n" + PLAIN, "expected a number between 0 and 1"),
        (PLAIN.replace("covington", "covingtn"), "s.toml:3: found system = 'covingtn' in [setups.a], expected one of"),
        (PLAIN + "epoch = 3\n", "s.toml:4: found epoch = 3 in [setups.a], expected text"),
        (PLAIN + "epocs = 3\n", "s.toml:4: found the key 'epocs' in [setups.a], expected some of"),
        (PLAIN + 'features = "bad.txt"\n', "found in [setups.a]: "),
        (PLAIN + "seed = 3\n", "found the key 'seed' in [setups.a]"),
        (PLAIN + 'measure = "speed"\n', "expected one of scores, parse, oracle, derivation"),
        (PLAIN + 'measure = "oracle"\nepochs = 3\n', "an oracle is measured without training"),
        (PLAIN + 'measure = "oracle"\nfollow = 2.0\n', "expected a probability from 0 to 1"),
        (PLAIN + 'measure = "oracle"\nfollow = "me"\n', 'expected a probability from 0 to 1, or "learner"'),
        (PLAIN + 'measure = "oracle"\nfollow = "learner"\nbeam = 4\n', "expected one of system, oracle, single_root"),
        (PLAIN + 'treebanks = ["tow"]\n', "found treebanks = 'tow' in [setups.a], expected some of one, two"),
        (PLAIN + "[setups.b]\ncommand = 'x {in}'\n", "expected {input}, {output}"),
        (PLAIN + "[setups.b]\ncommand = 'x'\nepochs = 2\n", "s.toml:6: found the key 'epochs' in [setups.b]"),
        (PLAIN + "[setups.'a/b']\nsystem = 'covington'\n", "expected one without slashes"),
        (PLAIN.replace('"treebanks"', '"nowhere"'), "expected a folder with a folder for each treebank"),
        (PLAIN.replace('"treebanks"', '{ folder = "treebanks", names = ["tow"] }'), "did you mean two?"),
        (PLAIN.replace('"treebanks"', '{ x = { train = "t", test = "t", dev = "t" } }'), "no file"),
        (PLAIN.replace('treebanks = "treebanks"', ""), "found no treebanks"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(folder, text, said):
    (folder / "bad.txt").write_text("S0w\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        spec_of(folder, text)
    assert said in str(caught.value)
    assert "s.toml" in str(caught.value)


def test_a_treebank_without_dev_can_be_scored_on_test_alone(folder):
    (folder / "treebanks" / "one" / "dev.conllu").unlink()
    with pytest.raises(SpecError, match="no dev for the treebank one"):
        spec_of(folder, PLAIN)
    assert spec_of(folder, PLAIN + 'epoch = "last"\n').treebanks


def test_every_spec_of_the_papers_can_be_read(folder, monkeypatch):
    """Also where nothing can be trained, as there is no PyTorch: reports of what was measured need none."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("importlib.util.find_spec", {}.get)
    place = Path(__file__).parents[2] / "experiments"
    specs = sorted(place.rglob("*.toml"))
    if not specs:
        pytest.skip("no specs beside the tests")
    given = [tomllib.loads(spec.read_text("utf-8"))["treebanks"] for spec in specs]
    for name in {name for one in given if isinstance(one, dict) for name in one.get("names", [])}:
        (folder / "treebanks" / name).symlink_to(folder / "treebanks" / "one")
    for spec in specs:
        assert list(read_spec(spec, folder / "treebanks").runs()), spec


def test_other_folders_take_the_place_of_the_specs(folder):
    (folder / "s.toml").write_text('results = "here"\n' + PLAIN.replace('"treebanks"', '"nowhere"'), encoding="utf-8")
    spec = read_spec(folder / "s.toml", folder / "treebanks", folder / "there")
    assert spec.results == folder / "there"
    assert [treebank.name for treebank in spec.treebanks] == ["one", "two"]


def test_the_spec_of_the_help_can_be_read(folder):
    from typer.testing import CliRunner

    from rearc.cli.app import app

    lines = [line.strip() for line in CliRunner().invoke(app, ["experiment", "--help"]).output.split("\n")]
    text = "\n".join(line for line in lines if line.startswith(("treebanks = ", "seeds = ", "baseline = ", "setups.")))
    assert [setup.options["oracle"] for setup in spec_of(folder, text).setups] == ["static", "dynamic"]
