"""Beam search against its naive twin and against all derivations there are, for every system."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from rearc.neural.beam import NetworkBeam
from rearc.systems import systems, traits
from tests.lockstep import space, states
from tests.naive.beam import all_derivations, as_logarithms, naive_beam
from tests.naive.configurations import lists_of
from tests.neural.test_walk import Scores

SEEDS = 6


def found(scores: Scores, size: int, scale: float) -> list[tuple[tuple[int, ...], float]]:
    """The trees of a sentence of words that all have the same length, as the compiled beam has them."""
    (n,) = scores.sizes
    strides = np.array([scores.row], dtype=np.intc)
    counts, values, heads, labels, margins = NetworkBeam(scores.decoder, size, scale).parse(
        scores.values, np.array([n], dtype=np.intc), scores.sheets, strides, size
    )
    assert len(values) == counts[0]
    assert (labels == -1).all()
    assert not np.isnan(margins).any()
    trees = [(0, *tree) for tree in heads.reshape(-1, n).tolist()]
    return list(zip(trees, values.tolist(), strict=True))


def steps_of(name: str, single_root: bool, n: int, scores: Scores, scale: float) -> Callable[[Any], dict[str, float]]:
    known = states(name, single_root, n)

    @cache
    def steps(c: Any) -> dict[str, float]:
        state = known[c]
        legal = state.system.legal(state)
        return as_logarithms(dict(zip(legal, scores.of(0, state, legal)[0], strict=True)), scale)

    return steps


@pytest.mark.parametrize("single_root", [False, True], ids=["any", "one"])
@pytest.mark.parametrize("name", systems())
def test_like_the_naive_beam(name: str, single_root: bool):
    for n in (1, 2, 3, 4 if traits(name).monotonic else 3):
        known = states(name, single_root, n)
        by_words = traits(name).family == "covington"
        words_left = (lambda c: len(lists_of(known[c])[-1])) if by_words else None  # noqa: B023
        for seed in range(SEEDS):
            scores = Scores(name, single_root, [n], seed)
            for scale in (0.0, 0.003):
                steps = steps_of(name, single_root, n, scores, scale)
                for size in (1, 2, 5):
                    expected = naive_beam(space(name, single_root, n), size, steps, words_left)
                    compiled = found(scores, size, scale)
                    assert [tree for tree, _ in compiled] == [tree for tree, _ in expected]
                    assert [score for _, score in compiled] == pytest.approx([score for _, score in expected])


@pytest.mark.parametrize("name", systems())
def test_a_wide_beam_finds_the_best_derivation_of_every_tree(name: str):
    for seed in range(2):
        scores = Scores(name, False, [3], seed)
        expected = all_derivations(space(name, False, 3), steps_of(name, False, 3, scores, 0.002))
        assert dict(found(scores, 1000, 0.002)) == pytest.approx(expected)


@pytest.mark.parametrize("single_root", [False, True], ids=["any", "one"])
@pytest.mark.parametrize("name", systems())
def test_a_beam_of_one_is_the_greedy_parser(name: str, single_root: bool):
    sizes = [9, 1, 14, 2, 5]
    scores = Scores(name, single_root, sizes, 3)
    places = (
        scores.values,
        np.array(sizes, dtype=np.intc),
        scores.sheets,
        np.full(len(sizes), scores.row, dtype=np.intc),
    )
    for scale in (0.0, 0.01):
        counts, _, heads, _, _ = NetworkBeam(scores.decoder, 1, scale).parse(*places)
        assert counts.tolist() == [1] * len(sizes)
        assert heads.tolist() == scores.decoder.parse(*places).tolist()


def test_what_a_beam_refuses():
    scores = Scores("arc-hybrid", False, [3], 1)
    places = (
        scores.values,
        np.array([3], dtype=np.intc),
        scores.sheets,
        np.array([scores.row], dtype=np.intc),
    )
    for size, scale in ((0, 1.0), (1001, 1.0), (2, -1.0), (2, float("nan")), (2, float("inf"))):
        with pytest.raises(ValueError, match="expected"):
            NetworkBeam(scores.decoder, size, scale)
    with pytest.raises(TypeError):
        NetworkBeam(None, 2, 1.0)
    beam = NetworkBeam(scores.decoder, 2, 1.0)
    for most in (0, 3):
        with pytest.raises(ValueError, match="expected 1 to 2"):
            beam.parse(*places, most)
    with pytest.raises(ValueError, match="outside"):
        beam.parse(places[0][:5], *places[1:])
    none = np.zeros(0, dtype=np.intc)
    assert [array.size for array in beam.parse(places[0], none, scores.sheets[:0], none)] == [0] * 5
