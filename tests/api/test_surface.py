"""No call from Python may crash the process, or hang it."""

import os

from tests.api.batches import fuzz
from tests.api.surface import targets

EXAMPLES = int(os.environ.get("REARC_API_EXAMPLES", "20000"))
SEED = int(os.environ.get("REARC_API_SEED", "1"))


def test_no_call_ends_the_process():
    outcome = fuzz(EXAMPLES, SEED)
    assert not outcome.failures, "\n\n".join(map(str, outcome.failures))
    assert outcome.examples >= EXAMPLES
    assert (
        outcome.examples * 0.1 < outcome.raised < outcome.examples * 0.95
    )  # both what is right and what is wrong is tried


def test_what_is_tried():
    """Compiled and other modules, functions and classes with their methods; the special methods too."""
    names = {f"{target.module}.{target.name}": target for target in targets()}
    assert len(names) > 200
    assert names["rearc.treebank.trees.is_projective"].parameters == ("heads",)
    methods = dict(names["rearc.systems.base.State"].methods)
    assert {"copy", "heads", "__len__", "__init__", "__repr__"} <= methods.keys()
    assert sum(target.compiled for target in names.values()) > 90
