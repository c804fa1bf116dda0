"""Runs of every kind, in this process: their numbers are those of the other verbs."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rearc
from rearc.evaluation import analysis
from rearc.experiment.derivation import derivations
from rearc.experiment.local import run_here
from rearc.experiment.results import load, store, unpack
from rearc.experiment.run import run
from rearc.experiment.spec import read_spec
from rearc.experiment.tasks import Task, tasks_of
from rearc.systems import system
from rearc.treebank import Sentence, read
from tests.trained import train_parser


def task_of(folder: Path, setup: str, top: str = "") -> Task:
    (folder / "run.toml").write_text(f'treebanks = "treebanks"\n{top}\n[setups.a]\n{setup}\n', encoding="utf-8")
    return next(task for task in tasks_of(read_spec(folder / "run.toml")) if task["treebank"] == "one")


def test_the_scores_are_those_of_evaluate(folder):
    task = task_of(folder, 'system = "covington"\noracle = "static"\nepochs = 2', "seeds = [5]\ntest = 'mcnemar'")
    result = run(task)
    one = folder / "treebanks" / "one"
    parser = train_parser(
        one / "train.conllu", one / "dev.conllu", system="covington", oracle="static", epochs=2, seed=5
    )
    gold = list(read(one / "test.conllu"))
    parsed = list(parser.parse_many(gold, tags="given"))
    scores = rearc.evaluate(gold, parsed)
    assert (result["values"]["uas"], result["values"]["las"]) == (scores.uas, scores.las)
    assert result["values"]["non_projective_f1"] == scores.non_projective.f1
    right = [sum(a == b for a, b in zip(g.heads, p.heads, strict=True)) for g, p in zip(gold, parsed, strict=True)]
    assert unpack(result["sentences"]["heads"]).tolist() == right
    assert unpack(result["sentences"]["words"]).tolist() == list(map(len, gold))
    rows = analysis(gold, parsed).arc_length
    assert [row[1:] for row in result["classes"]["arc length"]] == [
        [r.labelled.gold, r.labelled.gold_correct, r.labelled.predicted, r.labelled.predicted_correct] for r in rows
    ]
    assert [epoch["epoch"] for epoch in result["curve"]] == [1, 2]
    assert result["epoch"] == parser.header.epoch
    assert {"rearc", "python", "numpy"} <= result["versions"].keys()


def test_differences_are_those_of_compare(folder):
    from rearc.experiment.summary import Summary

    text = (
        (folder / "spec.toml")
        .read_text("utf-8")
        .replace("[1, 2, 3]", "[1]")
        .replace("baseline", "rounds = 500\nbaseline")
    )
    (folder / "spec.toml").write_text(text, encoding="utf-8")
    spec = read_spec(folder / "spec.toml")
    tasks = [t for t in tasks_of(spec) if t["treebank"] == "one" and t["setup"] != "upper"]
    known = []
    for task in tasks:
        result = run(task)
        store(task, result)
        known.append((task, load(task)))
    one = folder / "treebanks" / "one"
    outputs = {
        name: list(
            train_parser(one / "train.conllu", one / "dev.conllu", system="covington", oracle=name, epochs=1, seed=1)
            .parse_many(read(one / "test.conllu"), tags="given")
        )
        for name in ("static", "dynamic")
    }  # fmt: skip
    expected = rearc.evaluation.compare(one / "test.conllu", outputs, rounds=500).differences
    found = Summary(spec, known).differences()
    assert [(d.a, d.b, d.metric, d.p) for d in found] == [(e.b, e.a, e.metric, e.randomisation) for e in expected]
    assert [d.difference for d in found] == pytest.approx([e.difference for e in expected])
    assert [(d.low, d.high) for d in found] == [(e.low, e.high) for e in expected]


def test_a_derivation_builds_the_tree_of_the_parser_and_is_counted(folder):
    task = task_of(folder, 'system = "covington-nonmonotonic"\noracle = "upper"\nepochs = 2\nmeasure = "derivation"')
    values = run(task)["values"]
    one = folder / "treebanks" / "one"
    parser = train_parser(
        one / "train.conllu", one / "dev.conllu", system="covington-nonmonotonic", oracle="upper", epochs=2
    )
    counts = np.zeros(4, dtype=int)
    for sentence in read(one / "test.conllu"):
        counts += counted(parser, sentence)
    arcs, replacing, gold, harmful = counts.tolist()
    assert replacing
    assert values["arc_transitions"] == arcs
    assert values["replacing"] == pytest.approx(100 * replacing / arcs)
    assert values["replacing_gold"] == pytest.approx(100 * gold / replacing)
    assert values["replacing_harmful"] == pytest.approx(100 * harmful / replacing)


def counted(parser: rearc.Parser, sentence: Sentence) -> list[int]:
    """Arc transitions, those that replace, those of these that are gold and harmful: from lists of heads."""
    made = system(parser.header.system, single_root=parser.header.single_root)
    state = made.start(len(sentence))
    counts = [0, 0, 0, 0]
    for transition in parser.derivation(sentence, tags="given"):
        before = {d: state.heads[d] for d in state.headed}
        made.apply(state, transition)
        after = {d: state.heads[d] for d in state.headed}
        if transition in ("left-arc", "right-arc"):
            counts[0] += 1
            gone = [d for d in before if after.get(d) != before[d]]
            if gone:
                counts[1] += 1
                right = any(after[d] == sentence.heads[d - 1] for d in after if before.get(d) != after[d])
                counts[2] += right
                counts[3] += not right and any(before[d] == sentence.heads[d - 1] for d in gone)
    assert [state.heads[d] if d in state.headed else 0 for d in range(1, len(sentence) + 1)] == parser.parse(
        sentence, tags="given"
    ).heads
    return counts


@pytest.mark.parametrize(
    ("name", "oracle"),
    [("covington-nonmonotonic", "upper-monotonic"), ("nl-covington", "dynamic"), ("arc-hybrid-swap", "static-dynamic")],
)
def test_derivations_of_other_systems_build_their_trees(folder, name, oracle):
    one = folder / "treebanks" / "one"
    parser = train_parser(one / "train.conllu", system=name, oracle=oracle, epochs=2)
    made = system(name, single_root=parser.header.single_root)
    for sentence in read(one / "test.conllu"):
        state = made.start(len(sentence))
        for transition in parser.derivation(sentence, tags="given"):
            made.apply(state, transition)
        assert state.is_terminal
        assert state.heads[1:] == parser.parse(sentence, tags="given").heads


def test_a_network_has_a_derivation():
    parser = rearc.load("en")
    sentence = parser.parse(["He", "left", "early"])
    values = derivations(parser, [sentence], "given")
    assert values["transitions"] == 6  # arc-hybrid has two a word
    assert values["arc_transitions"] == 3
    assert values["replacing"] == 0


def test_an_oracle_is_measured_without_training(folder):
    task = task_of(folder, 'measure = "oracle"\nsystem = "covington-nonmonotonic"\ntransitions = 200')
    values = run(task)["values"]
    assert values["lower"] <= values["loss"] <= values["pc_upper"] <= values["upper"]
    assert values["configurations"] + values["undecided"] == 200
    assert values["derivable_sentences"] == 100
    assert "lower" not in run(task_of(folder, 'measure = "oracle"\nsystem = "arc-hybrid"'))["values"]


LEARNING = 'measure = "oracle"\nsystem = "covington-nonmonotonic"\noracle = "upper"\nfollow = "learner"\n'


def test_bounds_along_the_way_of_a_learner(folder):
    """Without exploration a learner stays on optimal ways; when it follows itself, it leaves them."""
    values = run(task_of(folder, LEARNING + "transitions = 300\npolicy = [0, 1.0]"))["values"]
    assert 0 < values["lower"] <= values["loss"] <= values["pc_upper"] <= values["upper"]
    assert values["configurations"] + values["undecided"] == 300
    assert run(task_of(folder, LEARNING + "transitions = 300\npolicy = [0, 0.0]"))["values"]["upper"] == 0


def test_the_way_of_a_learner_goes_on_for_epochs(folder):
    sentences = read(folder / "treebanks" / "one" / "train.conllu")
    once = sum((len(s) + 1) * (len(s) + 2) // 2 for s in sentences)  # pairs and words: no epoch has more transitions
    values = run(task_of(folder, LEARNING + f"transitions = {once + 10}\npolicy = [0, 0.5]"))["values"]
    assert values["configurations"] + values["undecided"] == once + 10


def test_speed_and_memory_of_parsing(folder):
    values = run(task_of(folder, 'system = "arc-hybrid"\nepochs = 1\nmeasure = "parse"'))["values"]
    assert values["sentences_per_second"] > 0
    assert values["words_per_second"] > values["sentences_per_second"]
    assert values["model_mb"] > 0
    assert values["load_seconds"] > 0


CHAIN = """
import sys
for line in sys.stdin:
    parts = line.rstrip("\\n").split("\\t")
    if len(parts) == 10 and parts[0].isdecimal():
        assert parts[6:8] == ["_", "_"], "the gold tree must not be given"
        parts[6:8] = str(int(parts[0]) - 1), "root" if parts[0] == "1" else "dep"
    print("\\t".join(parts))
"""


def test_an_outside_command_gets_words_and_tags_and_no_tree(folder):
    (folder / "chain.py").write_text(CHAIN, encoding="utf-8")
    command = f'command = ["{sys.executable}", "{{spec}}/chain.py"]'
    result = run(task_of(folder, command))
    gold = list(read(folder / "treebanks" / "one" / "test.conllu"))
    right = sum(head == k for s in gold for k, head in enumerate(s.heads))
    assert result["values"]["uas"] == pytest.approx(100 * right / sum(map(len, gold)))


def test_an_outside_command_may_be_trained_and_may_name_its_files(folder):
    train = "import shutil, sys; open(sys.argv[2], 'w').write(open(sys.argv[1]).read()[:9] + sys.argv[3])"
    parse = (
        "import sys; assert open(sys.argv[1]).read().endswith('7');"
        "lines = [l.split('\\t') for l in open(sys.argv[2])];"
        "[l.__setitem__(slice(6, 8), ['0', 'root']) for l in lines if l[0].isdecimal()];"
        "open(sys.argv[3], 'w').write(''.join('\\t'.join(l) for l in lines))"
    )
    quoted = [f"'''{text}'''" for text in (train, parse)]
    setup = (
        f"train_command = ['{sys.executable}', '-c', {quoted[0]}, '{{train}}', '{{model}}', '{{seed}}']\n"
        f"command = ['{sys.executable}', '-c', {quoted[1]}, '{{model}}', '{{input}}', '{{output}}']"
    )
    result = run(task_of(folder, setup, "seeds = [7]"))
    assert "error" not in result, result
    gold = list(read(folder / "treebanks" / "one" / "test.conllu"))
    assert result["values"]["uas"] == pytest.approx(100 * len(gold) / sum(map(len, gold)))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-command-at-all", "no-such-command-at-all: no such file or directory; install the command"),
        (f"{sys.executable} -c 'raise SystemExit(\"alas\")'", "ended with the exit code 1: alas"),
        (f"{sys.executable} -c 'pass'", "found an empty file"),
        (f"{sys.executable} -c 'pass' {{output}}", "wrote no output"),
    ],
)
def test_a_command_that_fails_says_why(folder, command, said):
    assert said in run(task_of(folder, f'command = """{command}"""'))["error"]


def test_a_training_that_fails_says_why(folder):
    task = task_of(folder, 'system = "covington"\nepochs = 1')
    Path(task["files"]["train"]).write_text("1\tonly\n\n", encoding="utf-8")
    result = run(task)
    assert "train.conllu" in result["error"]
    assert "\n" not in result["error"]


def test_a_long_training_goes_on_from_its_checkpoint_and_leaves_none_of_no_use(folder):
    pytest.importorskip("torch", reason="no PyTorch; pip install 'rearc[neural]'")
    task = task_of(folder, 'model = "bilstm"\nsize = "small"\nsystem = "arc-hybrid"\nepochs = 2')
    checkpoint = folder / "checkpoint"
    whole = run(task, checkpoint)
    assert not checkpoint.exists()
    checkpoint.write_bytes(b"of another version")
    assert run(task, checkpoint)["values"]["las"] == whole["values"]["las"]
    train_parser(
        task["files"]["train"], task["files"]["dev"], model="bilstm", size="small", system="arc-hybrid", epochs=2,
        checkpoint=checkpoint,
    )  # fmt: skip
    assert checkpoint.exists()  # behind the first epoch
    gone_on = run(task, checkpoint)
    assert "going on behind epoch 1" in gone_on["notes"]
    assert (gone_on["values"]["las"], gone_on["sentences"]) == (whole["values"]["las"], whole["sentences"])
    assert not checkpoint.exists()


def test_a_mistake_of_the_program_is_one_line_too(folder, monkeypatch):
    def broken(*_: object) -> None:
        raise TypeError("not\nlike that")

    monkeypatch.setattr("rearc.experiment.command.run_command", broken)
    assert run(task_of(folder, 'command = "cat"'))["error"] == "TypeError: not like that"


def test_what_goes_wrong_beside_the_runs_is_said_and_not_waited_for(tmp_path):
    """A run whose process cannot be started is a failed run; what is no task at all is an error."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    task = {"result": str(blocked / "result.json"), "key": "0" * 40}
    [(_, result)] = run_here([task], 1)
    assert "file" in result["error"]
    with pytest.raises(TypeError):
        list(run_here([1, 2], 2))
    with pytest.raises(ValueError, match="found 0 jobs"):
        list(run_here([task], 0))
