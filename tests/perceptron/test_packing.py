"""Learnt weights as the few bytes of a model: what comes out beside what went in."""

import numpy as np
import pytest

from rearc.perceptron.growing import LabelLearner, TypeLearner
from rearc.perceptron.weights import (
    LEVELS,
    arrange,
    pack_labels,
    pack_types,
    quantise,
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


def test_rows_keep_their_weights():
    keys = random_keys(500)
    weights = np.random.default_rng(4).normal(size=(500, 30)).astype(np.float32)
    weights[np.random.default_rng(5).random((500, 30)) < 0.9] = 0
    weights[7] = 0
    packed = pack_labels(keys, weights)
    assert len(packed["tags"]) == np.count_nonzero(weights.any(axis=1)) < 500
    codes = quantise(weights)
    by_tag = {int(key) >> 32: row for key, row in zip(keys, codes, strict=True)}
    starts = [0, *np.cumsum(packed["counts"]).tolist()]
    for tag, start, stop in zip(packed["tags"].tolist(), starts, starts[1:], strict=False):
        row = np.zeros(30, dtype=np.int8)
        row[packed["labels"][start:stop]] = packed["codes"][start:stop]
        assert (row == by_tag[tag]).all()


def test_pruning():
    keys = random_keys(100)
    weights = np.zeros((100, 4), dtype=np.float32)
    weights[:, 2] = np.linspace(-1, 1, 100)
    assert len(pack_types(keys, weights, 0.5)["tags"]) == np.count_nonzero(np.abs(weights[:, 2]) > 0.5) == 50
    assert len(pack_types(keys, weights)["tags"]) == 100


@pytest.mark.parametrize("learner", [TypeLearner(), LabelLearner(5)], ids=["types", "labels"])
def test_a_new_learner_has_a_state_that_restores(learner: TypeLearner | LabelLearner):
    again = TypeLearner() if isinstance(learner, TypeLearner) else LabelLearner(5)
    again.restore(learner.state(), 7)
    assert (again.used, again.steps) == (0, 7)
    with pytest.raises(ValueError, match=r"different lengths|dimensions"):
        again.restore({**learner.state(), "sums": np.zeros((3, 4)) if learner.classes == 4 else np.zeros(3)}, 1)
