"""The examples in the documentation of parsing and training."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name", ["parser.errors", "parser.tensors", "training.loop", "features.clusters", "features.sets"]
)
def test_examples(name: str):
    result = doctest.testmod(import_module(f"rearc.{name}"))
    assert result.attempted
    assert not result.failed
