"""`rearc oracle`: derivations, coverage, bounds."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rearc.cli.app import app
from rearc.oracles import exact_loss, oracle, oracles
from rearc.oracles.bounds import bounds
from rearc.oracles.coverage import coverage
from rearc.oracles.trace import trace
from rearc.systems import systems, traits
from rearc.treebank import read, sample
from rearc.treebank.trees import is_projective, roots


def invoke(*arguments: object, code: int = 0):
    result = CliRunner().invoke(app, ["oracle", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def gold():
    return list(read(sample()))


@pytest.mark.parametrize(("name", "which"), [(name, which) for name in systems() for which in oracles(name)])
def test_a_derivation_as_json_rebuilds_the_tree(gold, name, which):
    report = json.loads(invoke("sample", "--system", name, "--oracle", which, "--sentence", 1, "--json").stdout)
    arcs = {}
    for step in report["steps"]:
        assert step["cost"] == 0
        assert step["transition"] in step["optimal"]
        for arc in step["removed"]:
            assert arcs.pop(arc["dependent"]) == (arc["head"], arc["label"])
        for arc in step["added"]:
            arcs[arc["dependent"]] = (arc["head"], arc["label"])
    expected = {
        d: (h, label)
        for d, (h, label) in enumerate(zip(gold[0].heads, gold[0].deprels, strict=True), 1)
        if h or d in arcs
    }
    assert arcs == expected


def test_a_derivation_as_a_table():
    shown = invoke("sample", "--system", "arc-hybrid-swap", "--sentence", "sample-9").stdout
    assert "The/1 tree/2 fell/3" in shown
    assert "arc-hybrid-swap, static oracle" in shown
    assert "swap" in shown
    assert "2→11 acl:relcl" in shown


def test_a_derivation_that_strays_takes_arcs_back():
    report = json.loads(
        invoke("sample", "--system", "covington-nonmonotonic", "--follow", 0.5, "--seed", 3, "--json").stdout
    )
    assert any(step["removed"] for step in report["steps"])
    assert any(step["cost"] > 0 for step in report["steps"])


def test_costs_of_a_trace_add_up_to_the_wrong_heads(gold):
    for seed in range(5):
        judge = oracle("covington", "dynamic", gold[8].tree)
        state = judge.start()
        steps = list(trace(judge, follow=0.7, seed=seed))
        for step in steps:
            judge.apply(state, step.transition)
        wrong = sum(a != b for a, b in zip(state.heads, gold[8].tree, strict=True))
        assert sum(step.cost for step in steps) == wrong


def test_coverage_counts_what_can_be_derived(gold):
    trees = [sentence.tree for sentence in gold]
    projective = 100 * sum(map(is_projective, trees)) / len(trees)
    assert all(len(roots(tree)) == 1 for tree in trees)
    assert projective < 100
    rows = {row.system: row for row in coverage(trees)}
    assert list(rows) == systems()
    for name, row in rows.items():
        if traits(name).limited:
            assert projective < row.sentences < 100
            assert rows["arc-hybrid"].arcs < row.arcs < 100
        else:
            assert row.sentences == pytest.approx(projective if traits(name).projective else 100)
            assert (row.arcs < 100) == traits(name).projective
        assert (row.swaps_per_sentence > 0) == name.endswith("-swap")
    words = sum(map(len, gold))
    # one shift a word, and one arc a word that does not hang on the root
    assert rows["nl-covington"].transitions_per_word == pytest.approx((2 * words - len(gold)) / words)
    report = json.loads(invoke("sample", "--coverage", "--json").stdout)
    assert report == [row.as_dict() for row in rows.values()]


def test_bounds_stand_around_the_loss(gold):
    trees = [sentence.tree for sentence in gold]
    result = bounds(trees, transitions=600, follow=0.6)
    average = result.average
    assert result.undecided == 0
    assert result.configurations == 600
    assert 0 < average["lower"] <= average["loss"] <= average["simulated"] <= average["pc-upper"] <= average["upper"]
    report = json.loads(invoke("sample", "--bounds", "--transitions", 600, "--follow", 0.6, "--json").stdout)
    assert report == result.as_dict()
    assert "relative difference" in invoke("sample", "--bounds", "--transitions", 50).stdout
    straight = invoke("sample", "--bounds", "--transitions", 50, "--oracle", "upper-monotonic").stdout
    assert "relative difference" in straight


def test_exact_loss_knows_whose_state_it_gets(gold):
    state = oracle("covington", "dynamic", gold[0].tree).start()
    with pytest.raises(ValueError, match="expected one of arc-eager"):
        exact_loss("arc-eager", state, gold[0].tree)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["sample"], "--system"),
        (["sample", "--system", "arc-fast"], "found 'arc-fast', expected one of covington"),
        (["sample", "--system", "arc-eager", "--oracle", "upper"], "expected one of static, dynamic"),
        (["sample", "--bounds", "--system", "arc-eager"], "expected one of covington-nonmonotonic"),
        (["sample", "--bounds", "--coverage"], "choose one of"),
    ],
)
def test_wrong_usage(arguments, found):
    result = invoke(*arguments, code=2)
    assert found in result.output


def test_no_such_sentence():
    assert "expected a number from 1 to" in invoke("sample", "--system", "covington", "-s", 9999, code=1).output


def test_no_tree(tmp_path: Path):
    (tmp_path / "bare.tok").write_text("no tree here\n", encoding="utf-8")
    result = invoke(tmp_path / "bare.tok", "--coverage", code=1)
    assert "found a sentence without heads, expected a tree" in result.output
