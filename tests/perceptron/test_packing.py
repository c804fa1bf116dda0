"""Learnt weights as the few bytes of a model: what comes out beside what went in."""

import numpy as np
import pytest

from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.weights import (
    LEVELS,
    LabelWeights,
    Rows,
    TypeWeights,
    arrange,
    pack_labels,
    pack_types,
    quantise,
    sum_rows,
    table_size,
)


def random_keys(count: int, seed: int = 1) -> np.ndarray:
    keys = np.random.default_rng(seed).integers(1, 1 << 63, count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    return np.sort(keys)


def test_levels_are_symmetric_and_rise():
    codes = np.arange(-127, 128, dtype=np.int8)
    levels = LEVELS[codes.view(np.uint8)]
    assert (np.diff(levels.astype(int)) > 0).all()
    assert (levels == -levels[::-1]).all()
    assert levels.max() == 32767


def test_quantised_weights_are_near():
    weights = np.random.default_rng(2).normal(size=(1000, 4)).astype(np.float32) ** 3
    levels = LEVELS[quantise(weights).view(np.uint8)] * (np.abs(weights).max() / 32767)
    assert (np.abs(levels - weights) <= 0.025 * np.abs(weights) + 0.0002 * np.abs(weights).max()).all()
    assert not quantise(np.zeros((3, 4), dtype=np.float32)).any()
    assert quantise(np.zeros((0, 4), dtype=np.float32)).shape == (0, 4)


@pytest.mark.parametrize("count", [0, 1, 10, 11, 1000])
def test_keys_are_found_again_from_their_place(count: int):
    keys = random_keys(count)
    keys[: count // 2] |= np.uint64(0xFFF)  # many want the same place
    places, tags, order = arrange(keys)
    taken = np.flatnonzero(np.unpackbits(places, bitorder="little"))
    assert len(places) * 8 == table_size(count) > 1.5 * count
    assert sorted(order) == list(range(count))
    table = dict(zip(taken.tolist(), zip(tags.tolist(), order.tolist(), strict=True), strict=True))
    for number, key in enumerate(keys.tolist()):
        at = key % table_size(count)
        while table[at] != (key >> 32, number):
            at = (at + 1) % table_size(count)


def rows_of(keys: np.ndarray, weights: np.ndarray) -> Rows:
    rows, labels = np.nonzero(weights)
    counts = np.bincount(rows, minlength=len(keys)).astype(np.uint32)
    return Rows(keys, counts, labels.astype(np.uint16), weights[rows, labels])


def test_rows_keep_their_weights():
    keys = random_keys(500)
    weights = np.random.default_rng(4).normal(size=(500, 30)).astype(np.float32)
    weights[np.random.default_rng(5).random((500, 30)) < 0.9] = 0
    weights[7] = 0
    packed = pack_labels(rows_of(keys, weights))
    assert len(packed["tags"]) == np.count_nonzero(weights.any(axis=1)) < 500
    codes = quantise(weights)
    by_tag = {int(key) >> 32: row for key, row in zip(keys, codes, strict=True)}
    starts = [0, *np.cumsum(packed["counts"]).tolist()]
    for tag, start, stop in zip(packed["tags"].tolist(), starts, starts[1:], strict=False):
        row = np.zeros(30, dtype=np.int8)
        row[packed["labels"][start:stop]] = packed["codes"][start:stop]
        assert (row == by_tag[tag]).all()


def test_types_score_as_the_levels_of_their_weights_do():
    """Each feature for itself, though many want the same place."""
    keys = random_keys(400)
    keys[::2] |= np.uint64(0x3FF)
    weights = np.random.default_rng(6).normal(size=(400, 4)).astype(np.float32)
    scorer = TypeWeights(pack_types(keys, weights))
    levels = LEVELS[quantise(weights).view(np.uint8)].astype(int)
    assert [scorer.scores(keys[k : k + 1]).tolist() for k in range(400)] == levels.tolist()
    assert not scorer.scores(random_keys(200, seed=9)).any()


@pytest.mark.parametrize("labels", [1, 7, 40, 300])
def test_labels_score_as_the_levels_of_their_weights_do(labels: int):
    """Rows of all lengths, from one label to all of them."""
    rng = np.random.default_rng(labels)
    keys = random_keys(200)
    weights = rng.normal(size=(200, labels)).astype(np.float32)
    weights[rng.random((200, labels)) > np.linspace(0, 1, 200)[:, None]] = 0
    scorer = LabelWeights(pack_labels(rows_of(keys, weights)), labels)
    levels = LEVELS[quantise(weights).view(np.uint8)].astype(int)
    for _ in range(50):
        chosen = rng.choice(200, size=20, replace=False)
        assert scorer.scores(keys[chosen]).tolist() == levels[chosen].sum(axis=0).tolist()
    assert scorer.nbytes < 200 * (labels + 1) * 2


def test_a_row_takes_the_room_of_its_weights():
    """What a model file can make of a few bytes is bounded, however many labels it has."""
    keys = random_keys(1000)
    rows = Rows(keys, np.ones(1000, np.uint32), np.full(1000, 59_999, np.uint16), np.ones(1000, np.float32))
    assert LabelWeights(pack_labels(rows), 60_000).nbytes == 1000 * 6
    with pytest.raises(ValueError, match="65,536 labels"):
        LabelWeights(pack_labels(rows), 65_536)


def test_sums_of_rows():
    rng = np.random.default_rng(3)
    keys = random_keys(60)
    tables = [rng.integers(-2, 3, (60, 9)).astype(np.float32) for _ in range(2)]
    parts = [np.sort(rng.choice(60, 40, replace=False)) for _ in range(2)]
    first, second = (rows_of(keys[part], table[part]) for part, table in zip(parts, tables, strict=True))
    total = np.zeros((60, 9), dtype=np.float32)
    for part, table in zip(parts, tables, strict=True):
        total[part] += table[part]
    found = sum_rows(first, second)
    expected = rows_of(keys[np.union1d(*parts)], total[np.union1d(*parts)])
    assert found.keys.tolist() == expected.keys.tolist()
    starts = [0, *np.cumsum(found.counts).tolist()]
    for start, stop, number in zip(starts, starts[1:], np.union1d(*parts), strict=False):
        assert found.labels[start:stop].tolist() == sorted(set(found.labels[start:stop].tolist()))
        row = np.zeros(9)
        row[found.labels[start:stop]] = found.weights[start:stop]
        assert row.tolist() == total[number].tolist()


def test_pruning():
    keys = random_keys(100)
    weights = np.zeros((100, 4), dtype=np.float32)
    weights[:, 2] = np.linspace(-1, 1, 100)
    assert len(pack_types(keys, weights, 0.5)["tags"]) == np.count_nonzero(np.abs(weights[:, 2]) > 0.5) == 50
    assert len(pack_types(keys, weights)["tags"]) == 100


@pytest.mark.parametrize("labels", [4, 40, 400])
def test_label_weights_go_on_from_their_state(labels: int):
    """What is learnt behind a restored state is what would have been learnt without it."""
    rng = np.random.default_rng(labels)
    keys = random_keys(50)
    one, two = LabelLearner(labels, 4), LabelLearner(labels, 4)
    for step in range(3000):
        some, right, wrong = rng.choice(keys, 5, replace=False), *rng.integers(0, labels, 2)
        one.update(some, right, wrong)
        two.update(some, right, wrong)
        if step == 1500:
            state, steps = two.state(), two.steps
            two = LabelLearner(labels, 4)
            two.restore(state, steps)
    assert all((a == b).all() for a, b in zip(one.average(), two.average(), strict=True))
    assert one.nbytes < 400_000 + 50 * labels * 12


def test_states_that_do_not_fit():
    learner = LabelLearner(5)
    learner.update(random_keys(3), 1, 2)
    state = learner.state()
    for name, array in {
        "keys": state["keys"] * np.uint64(0),
        "cells": state["cells"][::-1].copy(),
        "weights": state["weights"][:1],
    }.items():
        with pytest.raises(ValueError, match=r"found|different"):
            LabelLearner(5).restore({**state, name: array}, 1)
    for cells in ([-1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 15]):
        with pytest.raises(ValueError, match="found cells out of order"):
            LabelLearner(5).restore({**state, "cells": np.array(cells, dtype=np.int64)}, 1)
    with pytest.raises(ValueError, match="found -1 steps"):
        LabelLearner(5).restore(state, -1)
    with pytest.raises(ValueError, match="expected a new one"):
        learner.restore(state, 1)


@pytest.mark.parametrize("make", [TypeLearner, lambda bits=14: LabelLearner(4, bits)], ids=["types", "labels"])
def test_what_a_learner_is_not_made_of(make):
    for bits in (-1, 0, 3, 33):
        with pytest.raises(ValueError, match="found a table of"):
            make(bits)
    with pytest.raises(ValueError, match="key 0"):
        make().update(np.array([0], dtype=np.uint64), 0, 1)
    with pytest.raises(ValueError, match="found 9000 features"):
        make().update(np.ones(9000, dtype=np.uint64), 0, 1)


@pytest.mark.parametrize("learner", [TypeLearner(), LabelLearner(5)], ids=["types", "labels"])
def test_a_new_learner_has_a_state_that_restores(learner: TypeLearner | LabelLearner):
    again = TypeLearner() if isinstance(learner, TypeLearner) else LabelLearner(5)
    again.restore(learner.state(), 7)
    assert (again.used, again.steps) == (0, 7)
    with pytest.raises(ValueError, match=r"different lengths|dimensions"):
        again.restore({**learner.state(), "sums": np.zeros((3, 4)) if learner.classes == 4 else np.zeros(3)}, 1)
