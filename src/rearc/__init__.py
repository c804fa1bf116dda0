"""rearc: dependency parsing that can change its mind.

The names below load what they need when they are first used, so that importing rearc costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rearc.evaluation import evaluate
    from rearc.parser import load
    from rearc.training import train
    from rearc.treebank import read, write

__all__ = ["evaluate", "load", "read", "train", "write"]

_HOMES = {
    "evaluate": "rearc.evaluation",
    "load": "rearc.parser",
    "read": "rearc.treebank",
    "train": "rearc.training",
    "write": "rearc.treebank",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rearc' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
