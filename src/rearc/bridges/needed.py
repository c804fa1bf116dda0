"""What a bridge leads to."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rearc.errors import RearcError


class Missing(RearcError):
    """A package that a bridge needs is not installed."""


def needed(module: str, extra: str) -> Any:
    """The module; where it is missing, the error says which extra brings it.

    >>> needed("no_such_package", "tables")
    Traceback (most recent call last):
    rearc.bridges.needed.Missing: found no no_such_package, expected the extra `tables`; pip install 'rearc[tables]'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.split(".")[0]:
            raise
        found = f"found no {error.name}, expected the extra `{extra}`"
        raise Missing(f"{found}; pip install 'rearc[{extra}]'") from None
