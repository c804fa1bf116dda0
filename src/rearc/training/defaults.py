"""What is chosen where the user does not choose."""

from __future__ import annotations

from collections.abc import Sequence

from rearc.features.templates import Template, parse_template
from rearc.oracles import oracles
from rearc.systems import traits
from rearc.training.corpus import has_one_root
from rearc.training.options import ENCODER_RATE, ENCODER_SIZE, EPOCHS, MANY_WORDS, SIZE, SMALL_SIZE, UPDATES
from rearc.treebank import Sentence

BEST_ORACLES = ("upper", "static-dynamic", "dynamic", "static")  # the better first

# a detour, by an arc that can be repaired later, asks for one more right decision. A non-local arc passes words, so
# detours are too dear there (docs/oracles.md); in covington-nonmonotonic they pay on some treebanks and not on others.
# In arc-eager-nonmonotonic and arc-eager-unshift they pay on few, and their papers have repairs for optimal where
# nothing else is.
ORACLES = {
    "arc-eager-nonmonotonic": "dynamic-monotonic",
    "arc-eager-unshift": "dynamic-monotonic",
    "nl-covington-nonmonotonic": "upper-monotonic",
}

MOST_SEVERAL = 1.0  # percent of the sentences that may have several roots where a system builds one alone

BATCH = 250  # words, with what is filled up
LEAST_BATCHES = 50  # in an epoch
MANY_BATCHES = 4000  # in an epoch; where there are more, they may be twice as large, which is half as fast again

# oracles that prefer the straight way; the others teach detours, which have to be learnt together with their repairs
STRAIGHT = ("lower-monotonic", "pc-upper-monotonic", "upper-monotonic", "simulated-monotonic")

STATIC = ("static", "static-lazy")  # oracles that know one path alone, so that nothing can be explored


def choose_oracle(system: str) -> str:
    """The best of a system's oracles."""
    if system in ORACLES:
        return ORACLES[system]
    order = {name: k for k, name in enumerate(BEST_ORACLES)}
    return min(oracles(system), key=lambda name: order.get(name, len(order)))


def choose_batch(words: int) -> int:
    """How many words a network learns from at a time: fewer where there are few, so that it learns more often.

    >>> [choose_batch(words) for words in (5_000, 200_000, 1_200_000, 9_000_000)]
    [101, 250, 300, 500]
    """
    fewest, most = min(BATCH, words // LEAST_BATCHES + 1), 2 * BATCH
    return max(fewest, min(most, words // MANY_BATCHES))


def choose_epochs(model: str, words: int) -> int:
    """How often a treebank of so many words is learnt from: what counts for a network are its updates.

    >>> choose_epochs("bilstm", 200_000), choose_epochs("bilstm", 5_000)
    (20, 81)
    """
    if model == "perceptron":
        return EPOCHS[model]
    return max(EPOCHS[model], -(-UPDATES * choose_batch(words) // words))


def choose_size(words: int) -> str:
    """The size of a network that learns from so many words."""
    return SIZE if words >= MANY_WORDS else SMALL_SIZE


def choose_encoder_rate(size: int) -> float:
    """The learning rate of a pretrained encoder whose vectors have so many numbers: the narrower, the faster.

    >>> choose_encoder_rate(768), choose_encoder_rate(384)
    (5e-05, 0.0001)
    """
    return ENCODER_RATE * ENCODER_SIZE / size


def choose_single_root(given: bool | None, sentences: Sequence[Sentence]) -> bool:
    """Whether trees get one root: as the user says, else as all trees of the treebank have it."""
    return all(map(has_one_root, sentences)) if given is None else given


def suits_one_root(given: bool | None, sentences: Sequence[Sentence]) -> bool:
    """Whether a system that always ends with one root does for the treebank: a stray sentence with more is no reason
    against it."""
    several = len(sentences) - sum(map(has_one_root, sentences))
    return 100 * several <= MOST_SEVERAL * len(sentences) if given is None else given


def judges_apart(system: str, oracle: str) -> bool:
    """Whether a perceptron has weights of their own for repairs: where the oracle keeps repairs for repair."""
    return traits(system).repairs and oracle in STRAIGHT


def choose_two_taggers(size: str | None, encoder: object) -> bool:
    """Whether a network of this size gets a perceptron's tagger beside its own, where nobody says so. The smallest is
    for speed, those of the papers have none, and an encoder knows words better than a treebank does.

    >>> choose_two_taggers("small", None), choose_two_taggers("tiny", None), choose_two_taggers("base", "bert")
    (True, False, False)
    """
    return size in ("small", "base") and encoder is None


def choose_second_pass(model: str, system: str) -> bool:
    """Whether a second pass pays that nobody asked for: docs/oracles.md.

    >>> choose_second_pass("bilstm", "nl-covington"), choose_second_pass("bilstm", "arc-hybrid")
    (True, False)
    """
    return (model, system) == ("bilstm", "nl-covington")


def choose_policy(oracle: str) -> tuple[int, float]:
    """After how many epochs the prediction is followed, and with which probability."""
    return (0, 0.0) if oracle in STATIC else (1, 0.9)


def choose_features(system: str) -> str:
    """The name of a feature set for the system."""
    if traits(system).from_top:
        return "rich-attardi"
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
