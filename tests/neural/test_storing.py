"""Weights rounded for a model file, and read again."""

from pathlib import Path

import numpy as np
import pytest

from rearc.files.tensors import decode_tensors
from rearc.neural.storing import pack, unpack
from rearc.parser import ModelError, Parser, load
from rearc.parser.container import read_container
from tests.neural.test_model_file import REFUSED, described, rewritten

RNG = np.random.default_rng(5)


def test_how_much_rounding_takes_away():
    """A row of a table is right to half a step of 127; all else to 11 bits."""
    weights = {"words": RNG.normal(0, 3, (50, 7)).astype("f"), "bias": RNG.normal(0, 3, 99).astype("f")}
    weights["words"][3] = 0
    back = unpack(pack(weights, {"words"}))
    largest = np.abs(weights["words"]).max(axis=1, keepdims=True)
    assert (np.abs(back["words"] - weights["words"]) <= largest / 253).all()
    np.testing.assert_allclose(back["bias"], weights["bias"], rtol=2**-11)
    assert {array.dtype for array in back.values()} == {np.dtype(np.float32)}


def test_what_is_stored_is_stored_alike_again():
    weights = {"words": RNG.normal(0, 3, (50, 7)).astype("f"), "root": RNG.normal(0, 3, 9).astype("f")}
    once = pack(weights, {"words"})
    again = pack({name: np.asarray(array) for name, array in unpack(once).items()}, {"words"})
    assert all((once[name] == again[name]).all() for name in ("words", "root"))


def test_what_training_should_not_come_to():
    """Weights of no use are stored without a warning, and 16 bits make nothing infinite of the large ones."""
    odd = np.array([[np.nan, 1e30], [np.inf, 1], [1e-45, 0]], "f")
    for tables in ((), ("root",)):
        with np.errstate(invalid="ignore"):
            back = unpack(pack({"root": odd}, tables))["root"]
        assert back.shape == odd.shape
    assert unpack(pack({"root": odd[:1, 1]}, ()))["root"].tolist() == [65504.0]


def test_tables_without_rows_and_weights_of_32_bits():
    empty = pack({"words": np.zeros((0, 3), "f")}, {"words"})
    assert unpack(empty)["words"].shape == (0, 3)
    whole = np.array([0.1, 1e30], "f")
    assert unpack({"root": whole})["root"] is whole


def test_a_model_file_is_small_and_parses_as_its_parser_did(
    parsers: dict[str, Parser], models: dict[str, Path], bare: list
):
    for kind, parser in parsers.items():
        stored = decode_tensors(read_container(models[kind])["weights.safetensors"])
        for name, array in stored.items():
            table = f"{name}.scale" in stored
            assert array.dtype == (np.int8 if table else np.float32 if name.endswith(".scale") else np.float16)
        assert stored["words.weight"].dtype == np.int8
        assert list(load(models[kind]).parse_many(bare)) == list(parser.parse_many(bare))


@pytest.mark.parametrize("scale", [None, np.zeros(3, "f"), np.zeros((2, 2), "f"), np.zeros((), "f"), "float64"])
def test_scales_that_do_not_fit(scale, models: dict[str, Path], tmp_path: Path):
    if isinstance(scale, str):
        stored = decode_tensors(read_container(models["pair"])["weights.safetensors"])
        scale = stored["words.weight.scale"].astype(scale)
    file = rewritten(
        models["pair"], tmp_path / "wrong.rearc", described(models["pair"]), **{"words.weight.scale": scale}
    )
    with pytest.raises(ModelError, match=rf"{REFUSED}|weights do not fit"):
        load(file)
