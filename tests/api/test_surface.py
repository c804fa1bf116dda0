"""No call from Python may crash the process, or hang it."""

import os

from tests.api.batches import fuzz
from tests.api.material import REAL, made, namespace
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


def test_real_things_are_real():
    """Else what they are passed to is never reached."""
    names = namespace()
    for sources in REAL.values():
        for source in sources:
            assert eval(source, names) is not None, source
    for target in targets():
        if (right := made(target.name)) is not None:
            eval(f"{target.source}({', '.join(right)})", names)
