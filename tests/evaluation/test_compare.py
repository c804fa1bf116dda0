import json
import random

import numpy as np
import pytest

from rearc.evaluation import (
    EvaluationError,
    approximate_randomisation,
    compare,
    evaluate,
    mcnemar,
    paired_bootstrap,
)
from tests.evaluation.samples import conllu, random_sentence, spoil


@pytest.fixture(scope="module")
def treebank():
    rng = random.Random(9)
    gold = [random_sentence(rng) for _ in range(60)]
    outputs = {
        "A": spoil(gold, "heads", 1, share=0.3),
        "B": spoil(gold, "heads", 2, share=0.3),
        "C": spoil(spoil(gold, "heads", 3, share=0.05), "labels", 3, share=0.05),
    }
    return gold, outputs


def test_scores_and_all_pairs(treebank):
    gold, outputs = treebank
    result = compare(gold, outputs, rounds=500)
    assert result.scores == {name: evaluate(gold, output) for name, output in outputs.items()}
    pairs = [(d.a, d.b, d.metric) for d in result.differences]
    assert pairs == [(a, b, m) for a, b in ("AB", "AC", "BC") for m in ("uas", "las")]
    assert [(d.a, d.b) for d in result.against_first()] == [("A", "B")] * 2 + [("A", "C")] * 2
    for d in result.differences:
        a, b = result.scores[d.a].as_dict(), result.scores[d.b].as_dict()
        assert d.difference == pytest.approx(b[d.metric] - a[d.metric])
        assert d.low <= d.difference <= d.high
        if d.b == "C":
            assert max(d.randomisation, d.bootstrap, d.mcnemar) < 0.01


def test_p_values_are_those_of_the_tests(treebank):
    gold, outputs = treebank
    difference = compare(gold, outputs, rounds=400, seed=7).differences[1]
    right = {
        name: [
            [one[k].head == other[k].head and one[k].deprel == other[k].deprel for k in range(1, len(one) + 1)]
            for one, other in zip(gold, outputs[name], strict=True)
        ]
        for name in "AB"
    }
    a, b = ([sum(sentence) for sentence in right[name]] for name in "AB")
    assert (difference.metric, difference.b) == ("las", "B")
    assert difference.randomisation == approximate_randomisation(a, b, rounds=400, seed=7)
    bootstrap = paired_bootstrap(b, a, list(map(len, gold)), samples=400, seed=7)
    assert (difference.bootstrap, difference.low, difference.high) == (
        bootstrap.p,
        bootstrap.low,
        bootstrap.high,
    )
    flat_a, flat_b = (np.concatenate(right[name]) for name in "AB")
    assert difference.mcnemar == mcnemar(int((flat_a & ~flat_b).sum()), int((flat_b & ~flat_a).sum()))


def test_it_repeats_and_other_outputs_change_nothing(treebank):
    gold, outputs = treebank
    three = compare(gold, outputs, rounds=200)
    assert three == compare(gold, outputs, rounds=200)
    two = compare(gold, {name: outputs[name] for name in "BC"}, rounds=200)
    assert two.differences == [d for d in three.differences if (d.a, d.b) == ("B", "C")]


def test_an_output_against_itself(treebank):
    gold, outputs = treebank
    for d in compare(gold, {"A": outputs["A"], "same": outputs["A"]}, rounds=50).differences:
        assert (d.difference, d.low, d.high) == (0, 0, 0)
        assert (d.randomisation, d.bootstrap, d.mcnemar) == (1, 1, 1)


def test_punctuation_and_subtypes(treebank):
    gold, outputs = treebank
    result = compare(gold, outputs, punctuation="unicode", subtypes=False, rounds=10)
    assert result.scores["C"] == evaluate(gold, outputs["C"], punctuation="unicode", subtypes=False)
    assert result.scores["C"] != evaluate(gold, outputs["C"])


def test_files_and_json(treebank, tmp_path):
    gold, outputs = treebank
    for name, sentences in {"gold": gold, **outputs}.items():
        (tmp_path / f"{name}.conllu").write_text(conllu(sentences), encoding="utf-8")
    paths = {name: tmp_path / f"{name}.conllu" for name in outputs}
    result = compare(tmp_path / "gold.conllu", paths, rounds=50)
    assert result == compare(gold, outputs, rounds=50)
    made = json.loads(json.dumps(result.as_dict()))
    assert made["scores"]["A"]["las"] == result.scores["A"].las
    assert made["differences"][0]["a"] == "A"
    assert (made["rounds"], made["seed"]) == (50, 1)


def test_errors_name_the_output(treebank):
    gold, outputs = treebank
    with pytest.raises(ValueError, match="two outputs or more, found 1"):
        compare(gold, {"A": outputs["A"]})
    with pytest.raises(EvaluationError, match="short: found 59 sentences, expected more than 59"):
        compare(gold, {"A": outputs["A"], "short": outputs["A"][:-1]})
