"""Attachment scores, the CoNLL 2018 metrics, error analysis and significance."""

from rearc.evaluation.analysis import Analysis, analysis
from rearc.evaluation.attachment import Scores, evaluate
from rearc.evaluation.calibration import Calibration, Reliability, calibration
from rearc.evaluation.compare import Comparison, Difference, compare
from rearc.evaluation.conll18 import Conll18, Metric, conll18
from rearc.evaluation.errors import EvaluationError
from rearc.evaluation.plot import plot, plot_calibration
from rearc.evaluation.ratio import PrecisionRecall
from rearc.evaluation.significance import Bootstrap, approximate_randomisation, holm, mcnemar, paired_bootstrap

__all__ = [
    "Analysis",
    "Bootstrap",
    "Calibration",
    "Comparison",
    "Conll18",
    "Difference",
    "EvaluationError",
    "Metric",
    "PrecisionRecall",
    "Reliability",
    "Scores",
    "analysis",
    "approximate_randomisation",
    "calibration",
    "compare",
    "conll18",
    "evaluate",
    "holm",
    "mcnemar",
    "paired_bootstrap",
    "plot",
    "plot_calibration",
]
