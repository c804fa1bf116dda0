"""The examples in the docstrings say what happens."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["errors", "fields", "formats", "reader", "sentence", "writer"])
def test_examples(name: str) -> None:
    result = doctest.testmod(import_module(f"rearc.treebank.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
