"""Experiments: treebanks × setups × seeds, from a spec to tables with significance.

The names below load what they need when they are first used.
"""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.experiment.errors import ExperimentError, SpecError
    from rearc.experiment.spec import Spec, read_spec
    from rearc.experiment.summary import Summary

__all__ = ["ExperimentError", "Spec", "SpecError", "Summary", "read_spec"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "ExperimentError": "rearc.experiment.errors",
        "Spec": "rearc.experiment.spec",
        "SpecError": "rearc.experiment.errors",
        "Summary": "rearc.experiment.summary",
        "read_spec": "rearc.experiment.spec",
    },
)
