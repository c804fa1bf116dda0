"""The three losses against their definitions, one number at a time."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

from rearc.neural.losses import transition_loss
from rearc.training.options import LOSSES

numbers = st.floats(-20, 20, allow_nan=False)
row = st.lists(st.tuples(numbers, st.booleans()), min_size=1, max_size=6).filter(lambda row: any(o for _, o in row))
rows = st.lists(row, min_size=1, max_size=5)
Rows = list[list[tuple[float, bool]]]


def tensors(table: Rows) -> tuple[torch.Tensor, torch.Tensor]:
    """Padded with what is not legal."""
    width = max(map(len, table))
    scores = torch.full((len(table), width), -torch.inf, dtype=torch.float64)
    optimal = torch.zeros((len(table), width), dtype=torch.bool)
    for k, entries in enumerate(table):
        for m, (score, right) in enumerate(entries):
            scores[k, m], optimal[k, m] = score, right
    return scores.requires_grad_(), optimal


def naive_loss(entries: list[tuple[float, bool]], kind: str) -> float:
    right = [score for score, optimal in entries if optimal]
    wrong = [score for score, optimal in entries if not optimal]
    total = sum(math.exp(score) for score, _ in entries)
    if kind == "best":
        return -math.log(math.exp(max(right)) / total)
    if kind == "marginal":
        return -math.log(sum(map(math.exp, right)) / total)
    return max(0.0, 1 - max(right) + max(wrong)) if wrong else 0.0


@pytest.mark.parametrize("kind", LOSSES)
@given(rows)
@settings(max_examples=100, deadline=None)
def test_against_the_definition(kind: str, table: Rows):
    scores, optimal = tensors(table)
    loss = transition_loss(scores, optimal, kind)
    assert loss.item() == pytest.approx(sum(naive_loss(entries, kind) for entries in table), abs=1e-6)
    loss.backward()
    assert scores.grad.isfinite().all()
    assert not scores.grad[scores.isinf()].any()


@pytest.mark.parametrize("kind", LOSSES)
@pytest.mark.parametrize(
    "table",
    [
        [[(3.0, True)]],
        [[(3.0, True), (-2.0, True), (0.5, True)]],
        [[(0.0, True)], [(1.0, True), (2.0, False)], [(1.0, True), (1.0, True)]],
    ],
    ids=["one", "all optimal", "among others"],
)
def test_nothing_to_choose_costs_nothing(kind: str, table: Rows):
    scores, optimal = tensors(table)
    transition_loss(scores, optimal, kind).backward()
    assert scores.grad.isfinite().all()
    for k, entries in enumerate(table):
        if all(right for _, right in entries) and (kind != "best" or len(entries) == 1):
            assert scores.grad[k].abs().max() < 1e-12


@pytest.mark.parametrize("kind", LOSSES)
def test_a_step_downhill_helps(kind: str):
    scores, optimal = tensors([[(0.0, True), (0.5, False), (0.1, True), (0.4, False)]])
    loss = transition_loss(scores, optimal, kind)
    loss.backward()
    lower = transition_loss(scores - 0.1 * scores.grad, optimal, kind)
    assert lower < loss
    assert scores.grad[0, 2] < 0  # the best of the optimal ones
    assert (scores.grad[~optimal] >= 0).all()


def test_a_large_enough_margin_is_enough():
    scores, optimal = tensors([[(1.5, True), (0.5, False)], [(9.0, True), (0.0, False)]])
    assert transition_loss(scores, optimal, "margin").item() == 0
