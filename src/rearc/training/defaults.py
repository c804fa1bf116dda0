"""What is chosen where the user does not choose."""

from __future__ import annotations

from collections.abc import Sequence

from rearc.features.templates import Template, parse_template
from rearc.oracles import oracles
from rearc.systems import traits
from rearc.treebank import Sentence
from rearc.treebank.trees import is_projective

# percent of the sentences: with more non-projective ones a system that derives them pays. On the treebanks with 29 to
# 67 % of them, covington-nonmonotonic has the best mean LAS on dev of all systems (experiments/oracles.py); with BiLSTM
# models it is nl-covington (experiments/neural.py: two treebanks out of three).
SHARE = 10.0
NON_PROJECTIVE = {"perceptron": "covington-nonmonotonic", "bilstm": "nl-covington"}
NEARLY_PROJECTIVE = "arc-hybrid"
BEST_ORACLES = ("upper", "static-dynamic", "dynamic", "static")  # the better first

# a non-local arc passes words, so a detour by an arc that can be repaired is too dear for a network
ORACLES = {("bilstm", "nl-covington-nonmonotonic"): "upper-monotonic"}

STATIC = ("static", "static-lazy")  # oracles that know one path alone, so that nothing can be explored


def choose_system(model: str, sentences: Sequence[Sentence]) -> tuple[str, str]:
    """A system for the kind of model and the treebank, and why."""
    share = 100 * sum(not is_projective(s.tree) for s in sentences) / len(sentences)
    found = f"{share:.1f} % of the training sentences are non-projective"
    if share > SHARE:
        return NON_PROJECTIVE[model], f"{found}, more than {SHARE:g} %"
    return NEARLY_PROJECTIVE, f"{found}, not more than {SHARE:g} %"


def choose_oracle(model: str, system: str) -> str:
    """The best of a system's oracles for the kind of model."""
    if (model, system) in ORACLES:
        return ORACLES[model, system]
    order = {name: k for k, name in enumerate(BEST_ORACLES)}
    return min(oracles(system), key=lambda name: order.get(name, len(order)))


def choose_policy(oracle: str) -> tuple[int, float]:
    """After how many epochs the prediction is followed, and with which probability."""
    return (0, 0.0) if oracle in STATIC else (1, 0.9)


def choose_features(system: str) -> str:
    """The name of a feature set for the system."""
    return "rich-covington" if traits(system).family == "covington" else "rich-stack"


def xpos_in_place_of_feats(sentences: Sequence[Sentence]) -> bool:
    """Whether XPOS tells what FEATS tells elsewhere: FEATS is empty, and there are more kinds of XPOS than of UPOS."""
    if any(s._column("feats") is not None for s in sentences):
        return False
    upos, xpos = ({tag for s in sentences for tag in s._column(name) or ()} for name in ("upos", "xpos"))
    return len(xpos) > len(upos)


def looking_at_xpos(templates: Sequence[Template]) -> list[Template]:
    """The templates with XPOS wherever they look at FEATS.

    >>> from rearc.features.templates import parse_templates
    >>> [template.text for template in looking_at_xpos(parse_templates("S0pf N0w"))]
    ['S0pt', 'N0w']
    """
    # the letter f stands for nothing else in a template, and t for nothing but XPOS
    changed = (parse_template(template.text.replace("f", "t")) for template in templates)
    return list({template.text: template for template in changed}.values())
