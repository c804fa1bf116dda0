"""Products of our own: right, and a row has the same bits in any company."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rearc.neural.product import KERNELS, Packed, product, softmax

SIZES = st.one_of(st.integers(0, 40), st.sampled_from([63, 64, 65, 128, 129, 200, 257, 300, 520]))
SHAPES = st.tuples(SIZES, SIZES, SIZES)


def noise(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


def exact(rows: np.ndarray, matrix: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """In double precision, and how far a sum in single precision may be from it."""
    a, b, c = (array.astype(np.float64) for array in (rows, matrix, bias))
    terms = len(matrix) + 1
    return a @ b + c, (np.abs(a) @ np.abs(b) + np.abs(c)) * terms * 2.0**-23


@pytest.mark.parametrize("kernels", KERNELS)
@example((100, 1100, 70), True, True)  # more than one block of everything
@given(SHAPES, st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_against_double_precision(kernels: str, shape: tuple[int, int, int], has_bias: bool, rectified: bool):
    count, depth, columns = shape
    rows, matrix = noise(1, count, depth), noise(2, depth, columns)
    bias = noise(3, columns) if has_bias else np.zeros(columns, dtype=np.float32)
    packed = Packed(matrix, bias if has_bias else None, kernels=kernels)
    assert packed.shape == (depth, columns)
    found = product(rows, packed, rectified=rectified)
    expected, error = exact(rows, matrix, bias)
    assert found.dtype == np.float32
    assert found.shape == (count, columns)
    assert (np.abs(found - (np.maximum(expected, 0) if rectified else expected)) <= error).all()


@pytest.mark.parametrize("kernels", KERNELS)
@given(SHAPES, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_same_bits_alone_and_among_others(kernels: str, shape: tuple[int, int, int], random):
    count, depth, columns = shape
    rows, packed = noise(1, count, depth), Packed(noise(2, depth, columns), noise(3, columns), kernels=kernels)
    together = product(rows, packed)
    order = list(range(count))
    random.shuffle(order)
    assert product(rows[order], packed).tobytes() == together[order].tobytes()
    for k in order[:20]:
        assert product(rows[k : k + 1], packed).tobytes() == together[k].tobytes()


@pytest.mark.parametrize("kernels", KERNELS)
@example((100, 1100, 70), 40, True)
@given(SHAPES, st.integers(0, 520), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_same_bits_in_two_parts(kernels: str, shape: tuple[int, int, int], cut: int, rectified: bool):
    """A product onto another one goes on with its sums."""
    count, depth, columns = shape
    rows, matrix, bias = noise(1, count, depth), noise(2, depth, columns), noise(3, columns)
    whole = product(rows, Packed(matrix, bias, kernels=kernels), rectified=rectified)
    found = product(rows[:, :cut].copy(), Packed(matrix[:cut], bias, kernels=kernels))
    more = Packed(matrix[cut:], noise(4, columns), kernels=kernels)  # a bias that is left out
    assert product(rows[:, cut:].copy(), more, rectified=rectified, out=found, onto=True).tobytes() == whole.tobytes()


@pytest.mark.parametrize("kernels", KERNELS)
def test_the_same_bits_in_every_place(kernels: str):
    """A row among 0 to 25 others, first, last and everywhere between; and a column likewise."""
    row, matrix = noise(1, 1, 77), noise(2, 77, 70)
    packed = Packed(matrix, kernels=kernels)
    alone = product(row, packed)
    for count in range(1, 26):
        for place in range(count):
            rows = noise(3, count, 77)
            rows[place] = row
            assert product(rows, packed)[place].tobytes() == alone.tobytes()
    for columns in range(1, 70):
        fewer = Packed(matrix[:, -columns:], kernels=kernels)
        assert product(row, fewer).tobytes() == alone[:, -columns:].tobytes()


@pytest.mark.parametrize("offset", [1, 3, 7])
def test_the_same_bits_wherever_memory_begins(offset: int):
    rows, packed = noise(1, 9, 33), Packed(noise(2, 33, 21))
    memory = np.zeros(rows.size + offset, dtype=np.float32)
    moved = memory[offset:].reshape(rows.shape)
    moved[:] = rows
    room = np.zeros(9 * 21 + offset, dtype=np.float32)
    result = product(moved, packed, out=room[offset:].reshape(9, 21))
    assert result.tobytes() == product(rows, packed).tobytes() == room[offset:].tobytes()
    assert not room[:offset].any()


def test_the_same_bits_in_threads():
    rows, packed = noise(1, 501, 130), Packed(noise(2, 130, 90), noise(3, 90))
    expected = product(rows, packed).tobytes()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: product(rows, packed).tobytes(), range(40)))
    assert set(found) == {expected}


def test_kernels_that_round_once_agree():
    fused = [name for name in KERNELS if name != "portable"]
    for shape in ((1, 1, 1), (7, 300, 65), (50, 64, 129)):
        rows, matrix = noise(1, *shape[:2]), noise(2, *shape[1:])
        found = {product(rows, Packed(matrix, kernels=name)).tobytes() for name in fused}
        assert len(found) <= 1


def test_neither_layout_nor_readonly_weights_matter():
    matrix, rows = noise(1, 30, 20), noise(2, 4, 30)
    expected = product(rows, Packed(matrix)).tobytes()
    wide = np.zeros((60, 40), dtype=np.float32)
    wide[::2, ::2] = matrix
    locked = matrix.copy()
    locked.setflags(write=False)
    for same in (np.asfortranarray(matrix), wide[::2, ::2], matrix[::-1].copy()[::-1], locked):
        assert product(rows, Packed(same)).tobytes() == expected


def test_weights_are_a_copy():
    matrix, rows = noise(1, 5, 6), noise(2, 3, 5)
    packed = Packed(matrix)
    before = product(rows, packed).tobytes()
    matrix[:] = 0
    assert product(rows, packed).tobytes() == before


@pytest.mark.parametrize("kernels", KERNELS)
def test_what_is_no_number_stays_in_its_row(kernels: str):
    rows, packed = noise(1, 8, 40), Packed(noise(2, 40, 50), kernels=kernels)
    expected = product(rows, packed)
    for odd in (np.nan, np.inf, -np.inf):
        spoilt = rows.copy()
        spoilt[3, 7] = odd
        found = product(spoilt, packed)
        assert not np.isfinite(found[3]).any()
        assert np.delete(found, 3, axis=0).tobytes() == np.delete(expected, 3, axis=0).tobytes()
        assert np.isnan(product(spoilt, packed, rectified=True)[3]).any() == bool(np.isnan(odd))


ROWS, MATRIX = noise(1, 4, 6), noise(2, 6, 5)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Packed(None),
        lambda: Packed([[1.0]]),
        lambda: Packed(MATRIX.astype(np.float64)),
        lambda: Packed(MATRIX.astype(">f4")),
        lambda: Packed(MATRIX[0]),
        lambda: Packed(MATRIX, MATRIX),
        lambda: Packed(MATRIX, ROWS[0]),
        lambda: Packed(MATRIX, kernels="abacus"),
        lambda: Packed(np.broadcast_to(MATRIX[:1, :1], (1 << 40, 1 << 40))),
        lambda: Packed.__new__(Packed),
        lambda: product(ROWS, MATRIX),
        lambda: product(ROWS, None),
        lambda: product(None, Packed(MATRIX)),
        lambda: product(ROWS[:, :5], Packed(MATRIX)),
        lambda: product(ROWS[:, :5].copy(), Packed(MATRIX)),
        lambda: product(ROWS.astype(np.float64), Packed(MATRIX)),
        lambda: product(ROWS[::2], Packed(MATRIX)),
        lambda: product(np.asfortranarray(ROWS), Packed(MATRIX)),
        lambda: product(ROWS, Packed(MATRIX), out=np.zeros((4, 4), dtype=np.float32)),
        lambda: product(ROWS, Packed(MATRIX), out=np.zeros((3, 5), dtype=np.float32)),
        lambda: product(ROWS, Packed(MATRIX), out=np.zeros((4, 5))),
        lambda: product(ROWS, Packed(MATRIX), out=np.zeros((4, 10), dtype=np.float32)[:, ::2]),
        lambda: product(ROWS, Packed(MATRIX), out=np.broadcast_to(np.float32(0), (4, 5))),
        lambda: product(ROWS, Packed(MATRIX), onto=True),
        lambda: softmax(ROWS[:, ::2]),
        lambda: softmax(None),
    ],
)
def test_what_does_not_fit(wrong):
    with pytest.raises((ValueError, TypeError)):
        wrong()


# softmax -------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 70), st.sampled_from([0.1, 1.0, 10.0, 60.0]))
@settings(max_examples=60, deadline=None)
def test_softmax(width: int, scale: float):
    rows = noise(1, 9, width) * np.float32(scale)
    found = rows.copy()
    softmax(found)
    shares = np.exp((rows - rows.max(axis=1, keepdims=True)).astype(np.float64))
    expected = shares / shares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-37)
    for k in range(9):
        alone = rows[k : k + 1].copy()
        softmax(alone)
        assert alone.tobytes() == found[k].tobytes()


def test_softmax_of_little():
    for shape in ((0, 3), (3, 0)):
        softmax(np.zeros(shape, dtype=np.float32))
    one = np.full((1, 1), -1e30, dtype=np.float32)
    softmax(one)
    assert one.tolist() == [[1.0]]
    odd = np.array([[0, np.nan, np.inf, -np.inf]], dtype=np.float32)
    softmax(odd)  # whatever comes out


# the choice of kernels -----------------------------------------------------------------------------------------------

PRINT_WIDTH = "from rearc.neural.product import *; import numpy; print(Packed(numpy.zeros((1, 1), 'f')).width)"


def run_with(kernels: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "REARC_SIMD": kernels}
    return subprocess.run(
        [sys.executable, "-c", PRINT_WIDTH], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("kernels", KERNELS)
def test_kernels_by_an_environment_variable(kernels: str):
    expected = Packed(MATRIX, kernels=kernels).width
    assert run_with(kernels).stdout.split() == [str(expected)]


def test_kernels_that_are_none():
    answer = run_with("abacus")
    assert answer.returncode == 1
    assert "REARC_SIMD: found the kernels 'abacus'" in answer.stderr


def test_the_fastest_kernels_are_usual():
    if not os.environ.get("REARC_SIMD"):
        assert Packed(MATRIX).width == Packed(MATRIX, kernels=KERNELS[0]).width
