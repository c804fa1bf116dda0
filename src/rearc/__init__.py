"""rearc: dependency parsing that can change its mind.

The names below load what they need when they are first used, so that importing rearc costs nothing.

>>> import rearc
>>> parser = rearc.load("en")
>>> tree = parser.parse("The old man the boats .".split())
>>> tree[3].form, tree[3].head, tree[3].deprel
('man', 0, 'root')
"""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.bridges.tables import to_arrow, to_pandas
    from rearc.constraints import Constraints
    from rearc.errors import RearcError
    from rearc.evaluation import evaluate
    from rearc.parser import Parser, load
    from rearc.training import Options, train
    from rearc.treebank import Sentence, read, write
    from rearc.version import __version__

__all__ = [
    "Constraints",
    "Options",
    "Parser",
    "RearcError",
    "Sentence",
    "__version__",
    "evaluate",
    "load",
    "read",
    "to_arrow",
    "to_pandas",
    "train",
    "write",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Constraints": "rearc.constraints",
        "Options": "rearc.training",
        "Parser": "rearc.parser",
        "RearcError": "rearc.errors",
        "Sentence": "rearc.treebank",
        "__version__": "rearc.version",
        "evaluate": "rearc.evaluation",
        "load": "rearc.parser",
        "read": "rearc.treebank",
        "to_arrow": "rearc.bridges.tables",
        "to_pandas": "rearc.bridges.tables",
        "train": "rearc.training",
        "write": "rearc.treebank",
    },
)
