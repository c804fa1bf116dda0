"""The compiled steps of an LSTM layer in training: beside a naive twin in double precision, and at their borders."""

import numpy as np
import pytest

from rearc.neural.learning import backwards, forwards

SHAPES = [(1, 1, 1, 1), (2, 3, 2, 4), (2, 5, 7, 9), (1, 4, 3, 17), (2, 6, 25, 33)]


def sigma(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def naive(given: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The outputs, a direction, a step and a sentence after the other."""
    ways, steps, sentences, width = given.shape
    hidden = width // 4
    outputs = np.zeros((ways, steps, sentences, hidden))
    for way in range(ways):
        for sentence in range(sentences):
            output = cell = np.zeros(hidden)
            for t in range(steps):
                i, f, g, o = np.split(given[way, t, sentence] + output @ weights[way], 4)
                cell = sigma(f) * cell + sigma(i) * np.tanh(g)
                output = sigma(o) * np.tanh(cell)
                outputs[way, t, sentence] = output
    return outputs


def compiled(given: np.ndarray, weights: np.ndarray) -> list[np.ndarray]:
    """gates, cells, squashed, outputs."""
    ways, steps, sentences, width = given.shape
    halves = np.repeat([0.5, 0.5, 1, 0.5], width // 4)
    gates = np.ascontiguousarray(given * halves, dtype=np.float32)
    rest = [np.empty((ways, steps, sentences, width // 4), dtype=np.float32) for _ in range(3)]
    forwards(gates, np.ascontiguousarray(weights * halves, dtype=np.float32), *rest)
    return [gates, *rest]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_outputs_and_gradients(shape: tuple[int, int, int, int]) -> None:
    ways, steps, sentences, hidden = shape
    random = np.random.default_rng(hidden)
    given = random.normal(size=(ways, steps, sentences, 4 * hidden))
    weights = random.normal(size=(ways, hidden, 4 * hidden)) / np.sqrt(hidden)
    tastes = random.normal(size=shape)
    gates, cells, squashed, outputs = compiled(given, weights)
    np.testing.assert_allclose(outputs, naive(given, weights), rtol=1e-4, atol=1e-5)
    gradients = tastes.astype(np.float32)
    factors = np.empty_like(gates)
    backwards(gates, weights.astype(np.float32), cells, squashed, gradients, factors)
    step = 1e-6
    for _ in range(20):  # what the loss gains by a small step of one number
        place = tuple(random.integers(size) for size in given.shape)
        moved = given.copy()
        moved[place] += step
        up = (naive(moved, weights) * tastes).sum()
        moved[place] -= 2 * step
        slope = (up - (naive(moved, weights) * tastes).sum()) / (2 * step)
        assert factors[place] == pytest.approx(slope, rel=2e-3, abs=2e-5)


def test_a_sentence_is_the_same_in_any_company() -> None:
    random = np.random.default_rng(3)
    given, weights = random.normal(size=(2, 6, 11, 40)), random.normal(size=(2, 10, 40))
    outputs = compiled(given, weights)[-1]
    for k in range(11):
        assert (compiled(given[:, :, k : k + 1], weights)[-1] == outputs[:, :, k : k + 1]).all()


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_nothing_to_do(size: int) -> None:
    shape = [2, 3, 2, 4]
    shape[size] = 0
    arrays = compiled(np.zeros((*shape[:3], 4 * shape[3])), np.zeros((shape[0], shape[3], 4 * shape[3])))
    assert arrays[-1].shape == tuple(shape)


def test_arrays_that_do_not_fit() -> None:
    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=np.float32)

    fitting = [zeros(2, 3, 5, 8), zeros(2, 2, 8), *(zeros(2, 3, 5, 2) for _ in range(3))]
    forwards(*fitting)
    wrong = {0: zeros(2, 3, 5, 7), 1: zeros(2, 2, 7), 2: zeros(2, 3, 4, 2), 3: zeros(1, 3, 5, 2), 4: zeros(2, 2, 5, 2)}
    for k, array in wrong.items():
        with pytest.raises(ValueError, match="expected"):
            forwards(*fitting[:k], array, *fitting[k + 1 :])
    backwards(*fitting, zeros(2, 3, 5, 8))
    for factors in (zeros(2, 3, 5, 2), zeros(2, 3, 6, 8)):
        with pytest.raises(ValueError, match="expected"):
            backwards(*fitting, factors)
    with pytest.raises((ValueError, TypeError)):
        forwards(fitting[0].astype(np.float64), *fitting[1:])
    with pytest.raises(TypeError):
        forwards(None, *fitting[1:])
