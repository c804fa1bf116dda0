"""The LSTM for parsing: the same as the one for training, and the same bits whatever is beside a sequence."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rearc.neural.lstm import LANES, BiLSTM, Lanes
from rearc.neural.numpy_model import product

WIDTH, HIDDEN = 6, 5
FEW = 4  # lanes, so that many sequences come one behind the other


@pytest.fixture(autouse=True, scope="module", params=[FEW, LANES])
def lanes(request: pytest.FixtureRequest) -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rearc.neural.lstm.LANES", request.param)
        patch.setattr("rearc.neural.numpy_model.LANES", request.param)
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
    for places in (laid.forward, laid.backward):
        assert len(set(places.tolist())) == total == len(places)
        assert places.size == 0 or (places.min() >= 0 and places.max() < laid.steps * lanes)
    starts = {(step, lane) for step, those in laid.starts.items() for lane in those}
    assert len(starts) == sum(n > 0 for n in lengths)
    for k, n in enumerate(lengths):
        forward, backward = (p[begins[k] : begins[k] + n] for p in (laid.forward, laid.backward))
        assert (np.diff(forward) == lanes).all()  # in one lane, step by step
        assert backward.tolist() == forward[::-1].tolist()
        if n:
            assert divmod(int(forward[0]), lanes) in starts
    assert laid.steps <= -(-total // lanes) + max(lengths, default=0)  # no lane waits long for another


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1, 5 * LANES + 3])
def test_products_do_not_depend_on_how_many_rows_there_are(count: int):
    rng = np.random.default_rng(1)
    rows, matrix, bias = (rng.normal(size=size).astype(np.float32) for size in ((count, 33), (33, 17), (17,)))
    found = product(rows, matrix, bias)
    np.testing.assert_allclose(found, rows @ matrix + bias, atol=1e-4)
    for k in range(count):
        assert product(rows[k : k + 1], matrix, bias).tobytes() == found[k : k + 1].tobytes()
