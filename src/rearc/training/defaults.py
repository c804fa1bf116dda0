"""What is chosen where the user does not choose."""

from __future__ import annotations

from collections.abc import Sequence

from rearc.oracles import oracles
from rearc.treebank import Sentence
from rearc.treebank.trees import is_projective

# percent of the sentences: with more non-projective ones a system that derives them pays. On the treebanks with 29 to
# 67 % of them, covington-nonmonotonic has the best mean LAS on dev of all systems (experiments/oracles.py); with BiLSTM
# models it is nl-covington (experiments/neural.py: two treebanks out of three).
SHARE = 10.0
NON_PROJECTIVE = {"perceptron": "covington-nonmonotonic", "bilstm": "nl-covington"}
NEARLY_PROJECTIVE = "arc-hybrid"
BEST_ORACLES = ("upper", "static-dynamic", "dynamic", "static")  # the better first

STATIC = ("static", "static-lazy")  # oracles that know one path alone, so that nothing can be explored


def choose_system(model: str, sentences: Sequence[Sentence]) -> tuple[str, str]:
    """A system for the kind of model and the treebank, and why."""
    share = 100 * sum(not is_projective(s.tree) for s in sentences) / len(sentences)
    found = f"{share:.1f} % of the training sentences are non-projective"
    if share > SHARE:
        return NON_PROJECTIVE[model], f"{found}, more than {SHARE:g} %"
    return NEARLY_PROJECTIVE, f"{found}, not more than {SHARE:g} %"


def choose_oracle(system: str) -> str:
    """The best of a system's oracles."""
    order = {name: k for k, name in enumerate(BEST_ORACLES)}
    return min(oracles(system), key=lambda name: order.get(name, len(order)))


def choose_policy(oracle: str) -> tuple[int, float]:
    """After how many epochs the prediction is followed, and with which probability."""
    return (0, 0.0) if oracle in STATIC else (1, 0.9)


def choose_features(system: str) -> str:
    """The name of a feature set for the system."""
    return "rich-covington" if "covington" in system else "rich-stack"
