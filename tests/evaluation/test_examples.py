import doctest
import importlib
import pkgutil

import pytest

import rearc.evaluation

MODULES = [module.name for module in pkgutil.iter_modules(rearc.evaluation.__path__, "rearc.evaluation.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
