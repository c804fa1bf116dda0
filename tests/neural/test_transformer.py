"""The compiled steps of a transformer, against their definitions in double precision."""

from itertools import pairwise
from math import erf, sqrt, tanh

import numpy as np
import pytest

from rearc.neural.transformer import activate, add_and_norm, attend, means

DEFINITIONS = {
    "gelu": lambda x: x * (1 + erf(x / sqrt(2))) / 2,
    "gelu_tanh": lambda x: x * (1 + tanh(sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
    "relu": lambda x: max(x, 0.0),
}


@pytest.mark.parametrize("kind", DEFINITIONS)
def test_activations(kind: str):
    """Also of numbers behind the last whole vector."""
    given = np.concatenate([np.linspace(-12, 12, 1001), [0, -1e30, 1e30]]).astype(np.float32)
    for count in (1, 7, 9, len(given)):
        found = given[None, :count].copy()
        activate(found, kind)
        for x, y in zip(given[:count].tolist(), found[0].tolist(), strict=True):
            assert y == pytest.approx(DEFINITIONS[kind](x), abs=1e-6 * max(1, abs(x)))


@pytest.mark.parametrize("size", [1, 5, 8, 13, 32])
@pytest.mark.parametrize("heads", [1, 3])
def test_attention(size: int, heads: int):
    """Heads of any size, windows of any length."""
    rng = np.random.default_rng(size)
    starts = np.cumsum([0, 1, 0, 2, 17, 16, 40])
    rows = rng.normal(size=(starts[-1], 3 * heads * size)).astype(np.float32)
    found = attend(rows, starts, heads)
    for begin, end in pairwise(starts):
        q, k, v = rows[begin:end].astype(np.float64).reshape(-1, 3, heads, size).transpose(1, 2, 0, 3)
        scores = np.exp(q @ k.transpose(0, 2, 1) / sqrt(size))
        expected = (scores / scores.sum(axis=2, keepdims=True)) @ v
        assert np.allclose(found[begin:end], expected.transpose(1, 0, 2).reshape(end - begin, heads * size), atol=1e-5)
        assert attend(rows[begin:end], np.array([0, end - begin]), heads).tobytes() == found[begin:end].tobytes()


@pytest.mark.parametrize("size", [1, 15, 16, 50])
def test_norms(size: int):
    rng = np.random.default_rng(size)
    rows, others = rng.normal(3, 2, (2, 4, size)).astype(np.float32)
    weight, bias = rng.normal(size=(2, size)).astype(np.float32)
    for added in (others, None):
        total = rows.astype(np.float64) + (0 if added is None else added)
        deviation = np.sqrt(total.var(axis=1, keepdims=True) + 1e-5)
        found = rows.copy()
        add_and_norm(found, added, weight, bias, 1e-5)
        assert np.allclose(found, (total - total.mean(axis=1, keepdims=True)) / deviation * weight + bias, atol=1e-4)


def test_means():
    rows = np.arange(12, dtype=np.float32).reshape(4, 3)
    found = means(rows, np.array([0, 3, 1, 1, 2]), np.array([0, 2, 3, 5]))
    assert found.tolist() == [[4.5, 5.5, 6.5], [3, 4, 5], [4.5, 5.5, 6.5]]


def test_what_does_not_fit_is_refused():
    rows, vector = np.zeros((4, 6), dtype=np.float32), np.zeros(6, dtype=np.float32)
    whole = np.array([0, 4])
    for call in (
        lambda: activate(rows, "silu"),
        lambda: add_and_norm(rows, rows[:3], vector, vector, 1e-5),
        lambda: add_and_norm(rows, None, vector[:5], vector, 1e-5),
        lambda: attend(rows, whole, 0),
        lambda: attend(rows, whole, 4),
        lambda: attend(rows, np.array([0, 5]), 2),
        lambda: attend(rows, np.array([0, 3, 2, 4]), 2),
        lambda: attend(rows, np.array([], dtype=np.int64), 2),
        lambda: means(rows, np.array([4]), np.array([0, 1])),
        lambda: means(rows, np.array([-1]), np.array([0, 1])),
        lambda: means(rows, np.array([1]), np.array([0, 2])),
    ):
        with pytest.raises(ValueError, match="found"):
            call()
