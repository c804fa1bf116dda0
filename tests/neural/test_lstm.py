"""The LSTM for parsing: the same as the one for training, and the same bits whatever is beside a sequence."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.neural.direction import Direction
from rearc.neural.lstm import LANES, BiLSTM, Lanes, Repeated
from rearc.neural.product import KERNELS

WIDTH, HIDDEN = 6, 5
FEW = 4  # lanes, so that many sequences come one behind the other


@pytest.fixture(autouse=True, scope="module", params=[FEW, LANES])
def lanes(request: pytest.FixtureRequest) -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rearc.neural.lstm.LANES", request.param)
        yield request.param


def random_lstm(layers: int) -> tuple[BiLSTM, dict[str, np.ndarray]]:
    rng = np.random.default_rng(7)
    tensors = {}
    for k in range(layers):
        width = 2 * HIDDEN if k else WIDTH
        for part, shape in (("input", (2, width)), ("recurrent", (2, HIDDEN)), ("bias", (2,))):
            tensors[f"{k}.{part}"] = rng.normal(size=(*shape, 4 * HIDDEN)).astype(np.float32)
    return BiLSTM.from_tensors(tensors, layers), tensors


def sequences(lengths: list[int]) -> list[np.ndarray]:
    return [np.random.default_rng([n, k]).normal(size=(n, WIDTH)).astype(np.float32) for k, n in enumerate(lengths)]


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_against_the_layer_for_training(layers: int):
    torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')
    from rearc.neural.recurrence import BiLSTMLayer

    lstm, tensors = random_lstm(layers)
    lengths = [3, 1, 8, 5, *range(1, 41), *[7, 2, 9] * LANES]
    data = sequences(lengths)
    found, _ = lstm.run(np.concatenate(data), lengths)
    inputs = torch.zeros(len(lengths), max(lengths), WIDTH)
    for k, sequence in enumerate(data):
        inputs[k, : len(sequence)] = torch.from_numpy(sequence)
    for k in range(layers):
        layer = BiLSTMLayer(inputs.shape[2], HIDDEN)
        layer.load_state_dict({part: torch.from_numpy(tensors[f"{k}.{part}"]) for part in layer.state_dict()})
        with torch.no_grad():
            inputs = layer(inputs, torch.tensor(lengths))
    expected = np.concatenate([inputs[k, :n].numpy() for k, n in enumerate(lengths)])
    np.testing.assert_allclose(found, expected, atol=1e-5)
    ends = lstm.ends(np.concatenate(data), lengths)
    for k, n in enumerate(lengths):
        np.testing.assert_allclose(ends[k, :HIDDEN], inputs[k, n - 1, :HIDDEN], atol=1e-5)
        np.testing.assert_allclose(ends[k, HIDDEN:], inputs[k, 0, HIDDEN:], atol=1e-5)


@given(st.lists(st.integers(0, 12), max_size=40), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_same_bits_alone_and_among_others(lengths: list[int], random):
    lstm, _ = random_lstm(2)
    data = sequences(lengths)
    alone = [lstm.run(sequence, [len(sequence)])[0] for sequence in data]
    order = list(range(len(lengths)))
    random.shuffle(order)
    empty = np.zeros((0, WIDTH), dtype=np.float32)
    together, _ = lstm.run(np.concatenate([empty, *(data[k] for k in order)]), [lengths[k] for k in order])
    expected = np.concatenate([np.zeros((0, 2 * HIDDEN), dtype=np.float32), *(alone[k] for k in order)])
    assert together.tobytes() == expected.tobytes()


@given(st.lists(st.integers(0, 12), max_size=40), st.integers(1, 9), st.integers(0, WIDTH))
@settings(max_examples=30, deadline=None)
def test_the_same_bits_where_rows_are_the_same(lengths: list[int], different: int, beside: int):
    """Inputs that come from a table are multiplied once; what stands beside it is added."""
    rng = np.random.default_rng([different, beside, *lengths])
    table = rng.normal(size=(different, WIDTH - beside)).astype(np.float32)
    more = rng.normal(size=(sum(lengths), beside)).astype(np.float32)
    inputs = Repeated(table, rng.integers(different, size=sum(lengths)), more if beside else None)
    plain, tensors = random_lstm(2)
    found, _ = BiLSTM.from_tensors(tensors, 2, beside).run(inputs, lengths)
    assert found.tobytes() == plain.run(inputs.whole(), lengths)[0].tobytes()


def test_the_inputs_are_left_alone():
    lstm, _ = random_lstm(2)
    inputs = np.concatenate(sequences([4, 2]))
    before = inputs.copy()
    lstm.run(inputs, [4, 2])
    assert (inputs == before).all()


def test_many_sequences(lanes: int):
    lstm, _ = random_lstm(2)
    data = sequences([k % 7 for k in range(3 * lanes)])
    together, _ = lstm.run(np.concatenate(data), [len(sequence) for sequence in data])
    alone = [lstm.run(sequence, [len(sequence)])[0] for sequence in data]
    assert together.tobytes() == np.concatenate(alone).tobytes()


def test_nothing_at_all():
    lstm, _ = random_lstm(2)
    outputs, _ = lstm.run(np.zeros((0, WIDTH), dtype=np.float32), [])
    assert outputs.shape == (0, 2 * HIDDEN)


@given(st.lists(st.integers(0, 30), max_size=120))
@settings(max_examples=60, deadline=None)
def test_lanes_hold_each_element_once(lanes: int, lengths: list[int]):
    laid = Lanes(lengths)
    total = sum(lengths)
    begins = np.cumsum([0, *lengths])
    firsts = {int(begins[k]) for k, n in enumerate(lengths) if n}
    lasts = {int(begins[k + 1]) - 1 for k, n in enumerate(lengths) if n}
    active = laid.active.tolist()
    assert sum(active) == total
    assert all(lanes >= a >= b > 0 for a, b in pairwise(active))
    for (elements, previous), starts, back in ((laid.forward, firsts, 1), (laid.backward, lasts, -1)):
        assert sorted(elements.tolist()) == list(range(total))
        place = {}
        at = 0
        for step, count in enumerate(active):
            for lane in range(count):
                element, before = int(elements[at]), int(previous[at])
                if element in starts:
                    assert before == -1
                else:  # in one lane, step by step
                    assert before == element - back
                    assert place[before] == (step - 1, lane)
                place[element] = (step, lane)
                at += 1
    if total:
        assert len(active) <= total / active[0] + max(lengths)  # no lane waits long for another
        assert active[0] == min(lanes, -(-total // max(lengths)))


# one direction -------------------------------------------------------------------------------------------------------


def noise(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


def direction(width: int, hidden: int, kernels: str | None = None) -> Direction:
    weights = noise(1, width, 4 * hidden), noise(2, hidden, 4 * hidden), noise(3, 4 * hidden)
    return Direction(*weights, kernels=kernels)


def exact_outputs(inputs: np.ndarray, hidden: int) -> np.ndarray:
    """Of one sequence, by the definition, in double precision."""
    width = inputs.shape[1]
    w, u, b = (
        a.astype(np.float64) for a in (noise(1, width, 4 * hidden), noise(2, hidden, 4 * hidden), noise(3, 4 * hidden))
    )
    state = cell = np.zeros(hidden)
    outputs = np.zeros((len(inputs), hidden))
    for k, row in enumerate(inputs.astype(np.float64)):
        i, f, g, o = np.split(row @ w + state @ u + b, 4)
        i, f, o = (1 / (1 + np.exp(-x)) for x in (i, f, o))
        cell = f * cell + i * np.tanh(g)
        state = outputs[k] = o * np.tanh(cell)
    return outputs


def outputs_of(one: Direction, inputs: np.ndarray, column: int = 0, more: int = 0) -> np.ndarray:
    """Of one sequence, and what stands beside it in the memory for outputs."""
    out = np.full((len(inputs), column + one.hidden + more), 7, dtype=np.float32)
    elements = np.arange(len(inputs))
    one.run(inputs, elements, elements - 1, np.ones(len(inputs), dtype=np.int64), out, column)
    return out


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize("hidden", [1, 3, 4, 7, 8, 9, 16, 17, 50])
def test_by_the_definition(kernels: str, hidden: int):
    inputs = noise(9, 12, 10)
    found = outputs_of(direction(10, hidden, kernels), inputs, column=2, more=3)
    np.testing.assert_allclose(found[:, 2 : 2 + hidden], exact_outputs(inputs, hidden), atol=2e-5)
    assert (found[:, :2] == 7).all()
    assert (found[:, 2 + hidden :] == 7).all()


@pytest.mark.parametrize("kernels", KERNELS)
def test_tanh(kernels: str):
    """As far as it can be seen through an LSTM of one unit."""
    xs = np.concatenate([np.linspace(-12, 12, 4001), np.geomspace(1e-30, 1, 500)]).astype(np.float32)
    # σ(o) tanh(c), where the cell is wide open, so that c is 1, and o is twice x
    weights = np.array([[0, 0, 0, 2]], dtype=np.float32)
    bias = np.array([100, -100, 100, 0], dtype=np.float32)
    one = Direction(weights, np.zeros((1, 4), dtype=np.float32), bias, kernels=kernels)
    out = np.empty((len(xs), 1), dtype=np.float32)
    one.run(xs[:, None], np.arange(len(xs)), np.full(len(xs), -1), [len(xs)], out, 0)
    expected = np.tanh(1.0) * (0.5 * np.tanh(xs.astype(np.float64)) + 0.5)
    np.testing.assert_allclose(out[:, 0], expected, atol=4e-7)
    # and g alone: all gates at ½
    one = Direction(
        np.array([[0, 0, 1, 0]], dtype=np.float32), np.zeros((1, 4), dtype=np.float32), bias * 0, kernels=kernels
    )
    one.run(xs[:, None], np.arange(len(xs)), np.full(len(xs), -1), [len(xs)], out, 0)
    expected = 0.5 * np.tanh(0.5 * np.tanh(xs.astype(np.float64)))
    np.testing.assert_allclose(out[:, 0], expected, rtol=1e-6)


def test_kernels_that_round_once_agree():
    inputs = noise(9, 30, 10)
    found = {outputs_of(direction(10, 21, name), inputs).tobytes() for name in KERNELS if name != "portable"}
    assert len(found) <= 1


@pytest.mark.parametrize("kernels", KERNELS)
def test_more_lanes_than_gates_are_computed_at_once(kernels: str):
    """Two steps of 700 sequences."""
    one, inputs = direction(4, 6, kernels), noise(9, 1400, 4)
    together = np.empty((1400, 6), dtype=np.float32)
    previous = np.concatenate([np.full(700, -1), np.arange(700)])
    one.run(inputs, np.arange(1400), previous, [700, 700], together, 0)
    for k in (0, 5, 699):
        assert together[[k, 700 + k]].tobytes() == outputs_of(one, inputs[[k, 700 + k]]).tobytes()


def test_threads_side_by_side():
    lstm, _ = random_lstm(2)
    lengths = [k % 23 for k in range(150)]
    inputs = np.concatenate(sequences(lengths))
    expected = lstm.run(inputs, lengths)[0].tobytes()
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: lstm.run(inputs, lengths)[0].tobytes(), range(40)))
    assert found == {expected}


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 3e38])
def test_what_is_no_number_stays_in_its_sequence(odd: float):
    lstm, _ = random_lstm(2)
    data = sequences([5, 6, 7])
    expected = lstm.run(np.concatenate(data), [5, 6, 7])[0]
    data[1][2, 3] = odd
    found = lstm.run(np.concatenate(data), [5, 6, 7])[0]
    others = np.r_[0:5, 11:18]
    assert found[others].tobytes() == expected[others].tobytes()


ONE, INPUTS = direction(3, 2), noise(9, 4, 3)
TWO = Direction(noise(1, 3, 8), noise(2, 2, 8), noise(3, 8), more=1)
ORDER, BEFORE, ACTIVE = [0, 1, 2, 3], [-1, 0, 1, 2], [1, 1, 1, 1]


def room(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.float32)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 1), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(3, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 4), 3),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 4), -1),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 4)[:, ::2], 0),
        lambda: ONE.run(INPUTS[:, :2].copy(), ORDER, BEFORE, ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS.astype(np.float64), ORDER, BEFORE, ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, [0, 1, 2, 4], BEFORE, ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, [0, 1, 2, -1], BEFORE, ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, [-1, 0, 1, 4], ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, [-2, 0, 1, 2], ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, [1, 2, 1], room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, [2, 2, 0], room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, [1, 1], room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, [2147483647, 2147483647], room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER[:3], BEFORE, ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, [ORDER], BEFORE, ACTIVE, room(4, 2), 0),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 2), 0, places=[0, 1, 2, 4]),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 2), 0, places=[0, 1, 2, -1]),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 2), 0, places=[0, 1, 2]),
        lambda: ONE.run(INPUTS[:0], ORDER, BEFORE, ACTIVE, room(4, 2), 0, places=ORDER),
        lambda: ONE.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 2), 0, more=room(4, 1)),
        lambda: TWO.run(INPUTS, ORDER, BEFORE, ACTIVE, room(4, 2), 0, more=room(4, 1)),
        lambda: TWO.run(INPUTS[:, :2].copy(), ORDER, BEFORE, ACTIVE, room(4, 2), 0),
        lambda: TWO.run(INPUTS[:, :2].copy(), ORDER, BEFORE, ACTIVE, room(4, 2), 0, more=room(3, 1)),
        lambda: TWO.run(INPUTS[:, :2].copy(), ORDER, BEFORE, ACTIVE, room(4, 2), 0, more=room(4, 2)),
        lambda: Direction(room(3, 8), room(2, 8), room(8), more=4),
        lambda: Direction(room(3, 8), room(2, 8), room(8), more=-1),
        lambda: Direction(room(3, 8), room(2, 8), room(7)),
        lambda: Direction(room(3, 8), room(2, 7), room(8)),
        lambda: Direction(room(3, 7), room(2, 8), room(8)),
        lambda: Direction(room(3, 8).astype(np.float64), room(2, 8), room(8)),
        lambda: Direction(room(3, 8), room(2, 8), room(8), kernels="abacus"),
        lambda: Direction.__new__(Direction),
    ],
)
def test_what_does_not_fit(wrong):
    with pytest.raises((ValueError, TypeError)):
        wrong()
