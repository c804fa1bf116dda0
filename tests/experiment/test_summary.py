"""Means, deviations, differences and marks, against naive versions."""

from itertools import product

import numpy as np
import pytest

from rearc.evaluation import approximate_randomisation, mcnemar, paired_bootstrap
from rearc.experiment.spec import read_spec
from rearc.experiment.summary import Summary, seed_pairs, sums_by_sentence
from rearc.experiment.tables import shown_values, tables
from rearc.experiment.tasks import tasks_of
from tests.experiment.conftest import made_up
from tests.naive import experiment as naive


def test_seeds_are_grouped_and_averaged(summary, raw):
    for treebank, setup in product(("one", "two"), ("static", "dynamic", "upper")):
        for metric, side in (("uas", 0), ("las", 1)):
            values = [100 * float(raw[treebank, setup, seed][side].mean()) for seed in (1, 2, 3)]
            cell = summary.cell(treebank, setup, metric)
            assert (cell.mean, cell.sd, cell.seeds) == (
                pytest.approx(naive.mean(values)), pytest.approx(naive.sd(values)), 3
            )  # fmt: skip


def test_the_average_is_that_of_the_treebanks(summary):
    cells = [summary.cell(treebank, "upper", "las").mean for treebank in ("one", "two")]
    assert summary.average("upper", "las", ["one", "two"]) == pytest.approx(naive.mean(cells))
    assert summary.average("upper", "las", ["one", "three"]) is None


def test_differences_are_those_of_all_seeds_together(summary, raw):
    found = {(d.a, d.b, d.treebank, d.metric): d for d in summary.differences()}
    pairs = [("dynamic", "static"), ("upper", "static"), ("upper", "dynamic")]
    assert set(found) == {(*pair, t, m) for pair, t, m in product(pairs, ("one", "two"), ("uas", "las"))}
    for metric, side in (("uas", 0), ("las", 1)):
        family = []
        for pair, treebank in product(pairs, ("one", "two")):
            flags = [{seed: raw[treebank, name, seed][side].tolist() for seed in (1, 2, 3)} for name in pair]
            a, b = naive.randomisation_counts(flags[0], flags[1], 10)
            difference = found[(*pair, treebank, metric)]
            assert difference.difference == pytest.approx(100 * (sum(a) - sum(b)) / 1200)
            assert difference.p == approximate_randomisation(a, b)
            interval = paired_bootstrap(a, b, [30] * 40)
            assert (difference.low, difference.high) == (interval.low, interval.high)
            family.append(difference)
        assert [d.corrected for d in family] == pytest.approx(naive.holm([d.p for d in family]))


def test_marks_and_bold_follow_the_numbers(summary):
    uas, las, *_ = tables(summary)
    assert [uas.title, las.title] == ["UAS", "LAS"]
    assert las.columns == ["", "one", "two", "average"]
    for row in las.rows:
        setup = row[0].text
        for item, treebank in zip(row[1:3], ("one", "two"), strict=True):
            cell = summary.cell(treebank, setup, "las")
            assert item.text == f"{cell.mean:.2f} ± {cell.sd:.2f}"
            assert item.bold == (setup == "upper")
            tested = summary.against_baseline(setup, treebank, "las")
            assert item.mark == ("*" if tested and tested.corrected < 0.05 else "")
    marks = {row[0].text: [item.mark for item in row[1:3]] for row in las.rows}
    assert marks["upper"] == ["*", "*"]
    assert marks["static"] == ["", ""]


def test_the_other_tests(folder, raw):
    for test in ("mcnemar", "bootstrap"):
        text = (folder / "spec.toml").read_text("utf-8").replace("baseline", f'test = "{test}"\nbaseline')
        (folder / "other.toml").write_text(text, encoding="utf-8")
        spec = read_spec(folder / "other.toml")
        known = [
            (t, made_up(np.ones(400), *raw[t["treebank"], t["setup"], t["seed"]], t["seed"])) for t in tasks_of(spec)
        ]
        found = Summary(spec, known).against_baseline("dynamic", "one", "uas")
        a, b = ([raw["one", name, seed][0] for seed in (1, 2, 3)] for name in ("dynamic", "static"))
        if test == "mcnemar":
            only_a = sum(x and not y for i in range(3) for x, y in zip(a[i], b[i], strict=True))
            only_b = sum(y and not x for i in range(3) for x, y in zip(a[i], b[i], strict=True))
            assert found.p == mcnemar(only_a, only_b)
        else:
            sums = [np.sum(side, axis=0).reshape(-1, 10).sum(axis=1) for side in (a, b)]
            assert found.p == paired_bootstrap(*sums, [30] * 40).p


def test_what_has_no_seed_stands_beside_every_seed():
    words, right = np.ones(20), np.arange(20) % 2 == 0
    alone = made_up(words, right, right, None)
    seeded = [made_up(words, ~right if seed == 2 else right, right, seed) for seed in (1, 2)]
    assert [pair[0]["seed"] for pair in seed_pairs([alone], seeded)] == [None, None]
    sizes, a, b = sums_by_sentence(seed_pairs(seeded, [alone]), "heads")
    assert (sizes.tolist(), a.tolist(), b.tolist()) == ([20, 20], [10, 10], [10, 10])


def test_seeds_that_one_side_lacks_are_left_out():
    words, right = np.ones(20), np.arange(20) % 2 == 0
    first = [made_up(words, right, right, seed) for seed in (1, 2)]
    second = [made_up(words, right, right, seed) for seed in (2, 3)]
    assert [(a["seed"], b["seed"]) for a, b in seed_pairs(first, second)] == [(2, 2)]


def test_failed_and_missing_runs_are_in_the_report(summary):
    first, second, *rest = summary.tasks
    known = [(first, {"error": "it broke"}), (second, None), *((task, None) for task in rest)]
    broken = Summary(summary.spec, known)
    (table,) = tables(broken)
    assert table.title == "Failed runs"
    assert [item.text for item in table.rows[0]] == [first["treebank"], first["setup"], "1", "it broke"]
    assert len(broken.missing) == 17
    assert shown_values(broken) == []
