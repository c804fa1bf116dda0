"""What Python may give to the decoders of networks; anything else would be read out of bounds. No PyTorch is needed."""

import numpy as np
import pytest

from rearc.neural.decoder import NetworkDecoder
from rearc.neural.pair import PairDecoder
from rearc.neural.stack import StackDecoder
from rearc.oracles import oracle
from rearc.systems import system

N, HIDDEN, SLOTS = 4, 3, "s0 b0"
SIZES = np.array([N, N - 1], dtype=np.intc)
HEADS = np.array([0, 2, 0, 2, 2, 0, 2, 0, 2], dtype=np.intc)


def stack(name: str = "arc-hybrid") -> StackDecoder:
    return StackDecoder(system(name), SLOTS, np.ones(HIDDEN, "f"), np.ones((HIDDEN, 4), "f"), np.ones(4, "f"))


def scores(kind: str) -> dict:
    sheets = np.zeros((2, 5), dtype=np.int64)
    if kind == "stack":
        sheets[:, 0] = 0, N + 2
        return {"values": np.ones((2 * N + 3) * 2 * HIDDEN, "f"), "sheets": sheets, "strides": np.zeros(2, np.intc)}
    area = (N + 1) ** 2
    sheets[0], sheets[1] = (0, 0, 0, area, area), (area + N + 1,) * 3 + (area + N + 1 + N * N,) * 2
    return {
        "values": np.ones(area + N + 1 + N * N + N, "f"),
        "sheets": sheets,
        "strides": np.array([N + 1, N], np.intc),
    }


KINDS = {
    "stack": (stack(), ("arc-hybrid", "dynamic")),
    "pair": (PairDecoder(system("covington")), ("covington", "dynamic")),
}


def changed(array: np.ndarray, value: int) -> np.ndarray:
    array = array.copy()
    array.flat[0] = value
    return array


WRONG = [
    ("sizes", lambda a: a + 1),
    ("sizes", lambda a: a - N),
    ("sizes", lambda a: changed(a, -1)),
    ("sizes", lambda a: changed(a, 2**31 - 1)),
    ("sizes", lambda a: a[:1]),
    ("sizes", lambda a: a.astype(float)),
    ("sizes", lambda a: a[None]),
    ("sizes", lambda a: None),
    ("values", lambda a: a[:-1]),
    ("values", lambda a: a[:0]),
    ("values", lambda a: a.astype(float)),
    ("values", lambda a: None),
    ("sheets", lambda a: a + 1),
    ("sheets", lambda a: changed(a, -1)),
    ("sheets", lambda a: changed(a, 2**62)),
    ("sheets", lambda a: changed(a, -(2**62))),
    ("sheets", lambda a: a[:, :4].copy()),
    ("sheets", lambda a: a[0]),
    ("strides", lambda a: a[:1]),
    ("strides", lambda a: a.astype(float)),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "wrong"), WRONG, ids=[f"{name}-{k}" for k, (name, _) in enumerate(WRONG)])
def test_sheets_that_lie_outside(kind: str, name: str, wrong):
    decoder, judge = KINDS[kind]
    whole = {"sizes": SIZES, **scores(kind)}
    assert len(decoder.parse(**whole)) == SIZES.sum()
    bad = whole | {name: wrong(whole[name])}
    if not (name == "sizes" and bad["sizes"] is not None and bad["sizes"].tolist() == [0, -1]):
        with pytest.raises((ValueError, TypeError)):
            decoder.parse(**bad)
    walk = {"judge": oracle(*judge, [0, 0]), "heads": HEADS, "explore": 0.0, "seed": 1}
    assert len(decoder.walk(**walk, **whole)[0])
    with pytest.raises((ValueError, TypeError)):
        decoder.walk(**walk, **bad)


@pytest.mark.parametrize("strides", [[2**31 - 1, 4], [-(2**31), 4], [-1000, 4], [1000, 4], [5, -40]])
def test_strides_of_pairs(strides: list[int]):
    with pytest.raises(ValueError, match="lie outside"):
        KINDS["pair"][0].parse(**{"sizes": SIZES, **scores("pair"), "strides": np.array(strides, np.intc)})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "change",
    [
        {"heads": HEADS[:-1]},
        {"heads": np.append(HEADS, 0)},
        {"heads": changed(HEADS[::-1], 9)[::-1]},
        {"heads": HEADS - 1},
        {"heads": np.array([0, 2, 1, 2, 2, 0, 2, 0, 2], np.intc)},
        {"heads": HEADS.astype(float)},
        {"heads": None},
        {"judge": oracle("arc-swift", "static", [0, 0])},
        {"judge": None},
    ],
    ids=range(9),
)
def test_trees_and_judges_that_do_not_fit(kind: str, change: dict):
    decoder, judge = KINDS[kind]
    whole = {"judge": oracle(*judge, [0, 0]), "heads": HEADS, "explore": 0.0, "seed": 1, "sizes": SIZES, **scores(kind)}
    with pytest.raises((ValueError, TypeError)):
        decoder.walk(**whole | change)


def test_decoders_are_made_whole():
    for make in (
        lambda: NetworkDecoder.__new__(NetworkDecoder),
        lambda: PairDecoder.__new__(PairDecoder),
        lambda: PairDecoder(None),
        lambda: StackDecoder.__new__(StackDecoder),
        lambda: StackDecoder(system("arc-eager")),
    ):
        with pytest.raises(TypeError):
            make()
    for name in ("arc-hybrid", "arc-standard-swap", "arc-eager"):
        with pytest.raises(ValueError, match="front of the buffer"):
            PairDecoder(system(name))
    bare = NetworkDecoder(system("covington"))  # it has no scores, so it parses nothing
    with pytest.raises(ValueError, match="lie outside"):
        bare.parse(**{"sizes": SIZES, **scores("pair")})


def test_weights_of_the_stack_decoder():
    decoder = stack()
    good = [np.zeros(HIDDEN, "f"), np.zeros((HIDDEN, 4), "f"), np.zeros(4, "f")]
    decoder.learn(*good)
    for k, bad in (
        (0, np.zeros(2000, "f")),
        (0, np.zeros(0, "f")),
        (1, np.zeros((2, 4), "f")),
        (2, np.zeros(3, "f")),
        (2, np.zeros(4)),
    ):
        weights = list(good)
        weights[k] = bad
        with pytest.raises(ValueError, match=r"found weights|mismatch"):
            decoder.learn(*weights)
    heads = decoder.parse(**{"sizes": SIZES, **scores("stack")}).tolist()
    for array in good:
        array[...] = np.nan  # what the decoder has is its own
    assert decoder.parse(**{"sizes": SIZES, **scores("stack")}).tolist() == heads
