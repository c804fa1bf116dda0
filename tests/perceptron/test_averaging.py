"""Lazy averaging beside the sum of all weight vectors."""

import random

import numpy as np
import pytest

from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.tagger.learning import train
from rearc.tagger.passes import learn
from rearc.tagger.tasks import Material, Task
from rearc.tagger.templates import MORPHOLOGY, UPOS
from tests.naive.perceptron import Perceptron
from tests.naive.tagging import NaiveTask
from tests.tagger.language import treebank


def average_of(learner):
    """(keys, a row of weights for each)."""
    if isinstance(learner, TypeLearner):
        return learner.average()
    rows = learner.average()
    weights = np.zeros((len(rows.keys), learner.classes), dtype=np.float32)
    weights[np.repeat(np.arange(len(rows.keys)), rows.counts), rows.labels] = rows.weights
    return rows.keys, weights


@pytest.mark.parametrize(
    ("make", "classes"),
    [(lambda: TypeLearner(4), 4), *[(lambda n=n: LabelLearner(n, 4), n) for n in (2, 11, 70)]],
    ids=["types", "2 labels", "11 labels", "70 labels"],
)
def test_the_average_is_the_mean_of_all_weight_vectors(make, classes: int):
    """On problems that cannot be separated, from tables so small that they must grow."""
    rng = random.Random(7)
    keys = [rng.getrandbits(64) | 1 for _ in range(300)]
    learner, naive = make(), Perceptron()
    for _ in range(2000):
        features = rng.sample(keys, 6)
        scores = learner.scores(np.array(features, dtype=np.uint64))
        expected = [naive.score(features, cls) for cls in range(classes)]
        assert scores.tolist() == expected
        right, wrong = rng.randrange(classes), int(scores.argmax())
        learner.update(np.array(features, dtype=np.uint64), right, wrong)
        naive.update(features, *(([right], [wrong]) if right != wrong else ([], [])))
    found, weights = average_of(learner)
    assert found.tolist() == sorted(keys)
    average = naive.average()
    for key, row in zip(found.tolist(), weights, strict=True):
        assert row == pytest.approx([average.get((key, cls), 0.0) for cls in range(classes)], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("learner", [TypeLearner(), LabelLearner(4)], ids=["types", "labels"])
def test_classes_that_there_are_not(learner):
    with pytest.raises(ValueError, match="found the classes 4 and 0"):
        learner.update(np.array([1], dtype=np.uint64), 4, 0)
    assert average_of(learner)[0].size == learner.used == 0


@pytest.mark.parametrize("column", ["upos", "xpos", "feats"])
def test_learning_to_tag_beside_strings_and_dictionaries(column: str):
    """The same mistakes, the same features, the same averaged weights."""
    sentences = treebank(25, seed=3)
    earlier = [] if column == "upos" else [Task("upos", Material(sentences, [], None), []).learn(1, 1, 1, 0, print)]
    task = Task(column, Material(sentences, [], None), earlier)
    learner = LabelLearner(task.units)
    step = task.column.make_pass(learner)
    templates = UPOS if column == "upos" else MORPHOLOGY
    naive = NaiveTask(sentences, column, templates, lambda tag: tag.split("|") if column == "feats" else [tag])
    rng = random.Random(5)
    for _ in range(3):
        order = rng.sample(range(25), 25)
        mistakes = learn(step, task.material.words, task.given, task.gold, np.array(order, dtype=np.int64))
        assert mistakes == naive.epoch(order)
    assert learner.steps == naive.perceptron.steps
    average = naive.perceptron.average()
    rows: dict = {}
    for (feature, unit), weight in average.items():
        rows.setdefault(feature, np.zeros(task.units))[unit] = weight
    expected = np.array(list(rows.values()))
    _, weights = average_of(learner)
    assert weights.shape == expected.shape
    # which key is which feature is not known, but both have the same rows: in the order of some projection they agree
    projection = np.random.default_rng(1).normal(size=task.units)
    weights = weights[np.argsort(weights @ projection)]
    expected = expected[np.argsort(expected @ projection)]
    assert np.abs(weights - expected).max() < 1e-6


def test_the_mean_of_runs():
    """One run with dev selection and one without find the same weights where the last epoch is the best."""
    sentences = treebank(30, seed=2)
    epochs: list = []
    train(sentences, treebank(30, seed=4), epochs=4, runs=3, report=epochs.append)
    first = [e.accuracy for e in epochs if e.run == 1]
    best = first.index(max(first)) + 1
    assert [(e.run, e.epoch) for e in epochs] == [
        *((1, k) for k in (1, 2, 3, 4)), *((run, k + 1) for run in (2, 3) for k in range(best))
    ]  # fmt: skip
    assert {e.accuracy for e in epochs if e.run > 1} == {None}
