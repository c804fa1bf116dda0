"""The options of training, each described once.

The signature and the help of `rearc.train`, the options of the command `rearc train`, their checks, and the table in
docs/parsing.md follow from the fields of `Options`. What stands between `backticks` in a text is typed as it stands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from textwrap import fill
from typing import Any, cast

from rearc.errors import suggestion
from rearc.training.errors import OptionError

MODELS = ("perceptron", "bilstm")
EPOCHS = {"perceptron": 15, "bilstm": 20}
LOSSES = ("best", "marginal", "margin")
UPDATES = 4000  # of a network, at least
SIZE, SMALL_SIZE, MANY_WORDS, RATE = "base", "small", 30_000, 2e-3
ENCODER_RATE, ENCODER_SIZE = 5e-5, 768  # the rate of an encoder whose vectors have so many numbers
COLUMNS = ("upos", "xpos", "feats", "lemmas")  # that a tagger can learn
PARSER, PERCEPTRON, BILSTM = "The parser", "Perceptron models", "BiLSTM models (--model bilstm)"
PIPELINE = "From raw text to tags"


@dataclass(frozen=True)
class About:
    """All there is to say of one option beside its name, its type and its default."""

    help: str
    group: str = PARSER
    model: str | None = None  # the one kind of model that has it
    flag: str | None = None  # on the command line, where it is not the name with hyphens
    metavar: str | None = None  # what the command calls its value
    allowed: Callable[[Options], Sequence[str]] | None = None  # the names to choose from, by the other options
    valid: Callable[[Any], bool] | None = None
    expected: str | None = None  # in words, what is valid
    otherwise: str | Callable[[], str] | None = None  # what is chosen where the option is None
    read: Callable[[str], Any] | None = None  # a value out of the command line's text


def option(default: Any, help: str, group: str = PARSER, **about: Any) -> Any:
    """A field of `Options`."""
    model = {PERCEPTRON: "perceptron", BILSTM: "bilstm"}.get(group)
    return field(default=default, metadata={"about": About(help, group, **{"model": model, **about})})


def _systems(options: Options | None = None) -> Sequence[str]:
    from rearc.systems import systems

    return systems()


def _oracles(options: Options) -> Sequence[str]:
    from rearc.oracles import oracles

    if options.system is not None:
        return oracles(options.system)
    return list(dict.fromkeys(oracle for system in _systems() for oracle in oracles(system)))


def _non_projective(options: Options) -> Sequence[str]:
    from rearc.training.corpus import NON_PROJECTIVE

    return NON_PROJECTIVE


def _sizes(options: Options) -> Sequence[str]:
    from rearc.neural.shape import PRESETS

    return list(PRESETS)


def _chosen_system() -> str:
    from rearc.training.candidates import LEAST_SENTENCES, quick_choices

    return (
        f"the best on dev in short trials of several; with `--quick`, or fewer than {LEAST_SENTENCES} sentences, "
        f"by the share of non-projective sentences: {quick_choices('perceptron')} "
        f"(a bilstm: {quick_choices('bilstm')}); the command says so"
    )


def _chosen_oracle() -> str:
    from rearc.training.defaults import BEST_ORACLES, ORACLES

    best = "the first that the system has of " + ", ".join(f"`{name}`" for name in BEST_ORACLES)
    others = [f"`{oracle}` for `{system}`" for system, oracle in ORACLES.items()]
    return "; ".join([best, *others])


def _chosen_features() -> str:
    from rearc.training.defaults import choose_features

    covington, attardi = choose_features("covington"), choose_features("attardi")
    return f"`{choose_features('arc-hybrid')}`; for Covington's systems `{covington}`, for attardi `{attardi}`"


def _chosen_policy() -> str:
    from rearc.training.defaults import choose_policy

    return "`{},{:g}`; oracles that know one path alone have none".format(*choose_policy("dynamic"))


def _chosen_slots() -> str:
    from rearc.neural.shape import Shape

    return f"`{Shape.__dataclass_fields__['slots'].default}`"


def read_policy(text: str) -> tuple[int, float]:
    """K,P of the command line."""
    after, probability = text.split(",")
    return int(after), float(probability)


def _valid_policy(value: tuple[Any, ...]) -> bool:
    if len(value) != 2 or type(value[0]) is not int or type(value[1]) not in (int, float):
        return False
    return bool(0 <= value[0] < 1 << 31 and 0 <= value[1] <= 1)


def _valid_columns(names: list[str]) -> bool:
    return names[0] == "upos" and len(set(names)) == len(names) and set(names) <= set(COLUMNS)


@dataclass(frozen=True)
class Options:
    """What can be chosen before training; None is for what rearc chooses from the treebank.

    A value that no treebank could make right is refused at once.

    >>> Options(system="arc-hybrid", epochs=5).epochs
    5
    >>> Options(model="bilstn")
    Traceback (most recent call last):
    rearc.training.errors.OptionError: found model 'bilstn', expected one of perceptron, bilstm; did you mean bilstm?
    """

    model: str = option(
        "perceptron",
        "The kind of model: `perceptron`, or `bilstm`, more accurate and slower, which needs PyTorch to be trained "
        "and none to parse.",
        metavar="KIND",
        allowed=lambda options: MODELS,
    )
    system: str | None = option(None, "The transition system.", metavar="S", allowed=_systems, otherwise=_chosen_system)
    oracle: str | None = option(
        None, "One of the system's oracles.", metavar="O", allowed=_oracles, otherwise=_chosen_oracle
    )
    quick: bool = option(
        False,
        "Take a system that is right on average, without trials of others on this treebank.",
        flag="--quick",
    )
    epochs: int | None = option(
        None,
        "Passes over the treebank.",
        valid=lambda value: 1 <= value < 1 << 31,
        expected="at least 1",
        otherwise=f"{EPOCHS['perceptron']}; a bilstm: {EPOCHS['bilstm']}, or more for {UPDATES:,} updates",
    )
    seed: int = option(
        1,
        "The same seed gives the same model.",
        valid=lambda value: 0 <= value < 1 << 63,
        expected="a number from 0 to 2^63 − 1",
    )
    policy: tuple[int, float] | None = option(
        None,
        "After K epochs follow the prediction with probability P.",
        metavar="K,P",
        valid=_valid_policy,
        expected="K,P such as 1,0.9: epochs K ≥ 0 and a probability P from 0 to 1",
        otherwise=_chosen_policy,
        read=read_policy,
    )
    single_root: bool | None = option(
        None,
        "Whether a parsed tree has one root or may have several.",
        flag="--single-root/--several-roots",
        otherwise="one root if every training tree has one, or the system builds no more",
    )
    non_projective: str | None = option(
        None,
        "What becomes of non-projective trees that the system does not derive: `lift` arcs, `drop` "
        "sentences, or lift and mark the labels so that parsing brings the arcs back (`head`, `path`, `head+path`).",
        metavar="HOW",
        allowed=_non_projective,
        otherwise="`lift`",
    )
    licence: str | None = option(
        None, "The licence of the treebank, to be kept in the model.", metavar="TEXT", otherwise="none is kept"
    )
    features: str | os.PathLike[str] | None = option(
        None,
        "Feature templates: the name of a set that rearc brings, or a file.",
        PERCEPTRON,
        metavar="NAME|FILE",
        otherwise=_chosen_features,
    )
    clusters: str | os.PathLike[str] | None = option(
        None, "A file of Brown clusters for templates that look at them.", PERCEPTRON, metavar="FILE", otherwise="none"
    )
    prune: float = option(
        0.0,
        "Leave out features with weights below this share of the largest.",
        PERCEPTRON,
        metavar="SHARE",
        valid=lambda value: 0 <= value < 1,
        expected="a share from 0 to below 1",
    )
    size: str | None = option(
        None,
        "Of the network: `tiny`, `small`, `base`, or a paper's: `paper-001`, `paper-002`; `encoder` is a pretrained "
        "encoder (--encoder) without a BiLSTM.",
        BILSTM,
        metavar="NAME",
        allowed=_sizes,
        otherwise=f"`{SIZE}`; with fewer than {MANY_WORDS:,} words to learn from `{SMALL_SIZE}`",
    )
    loss: str | None = option(
        None,
        "Cross-entropy of the `best` optimal transition, of all of them (`marginal`), or `margin`.",
        BILSTM,
        metavar="NAME",
        allowed=lambda options: LOSSES,
        otherwise="`marginal`; `margin` with the size `paper-002`",
    )
    rate: float | None = option(
        None,
        "The learning rate.",
        BILSTM,
        flag="--learning-rate",
        metavar="X",
        valid=lambda value: 0 < value < 1,
        expected="a number between 0 and 1",
        otherwise=f"{RATE:g}",
    )
    slots: str | None = option(
        None,
        "The words that the network of a system with a stack sees, such as `s2 s1 s0 b0 s0l s0r`; l and r are the "
        "outermost dependents.",
        BILSTM,
        metavar="SLOTS",
        otherwise=_chosen_slots,
    )
    vectors: str | os.PathLike[str] | None = option(
        None,
        "Word vectors: text of GloVe, word2vec or fastText, word2vec's binary files, also `.gz`; safetensors with the "
        "words in a `.txt` beside it; the folder of a spaCy pipeline.",
        BILSTM,
        metavar="FILE",
        otherwise="none",
    )
    frequent_vectors: int = option(
        50_000,
        "With vectors: of how many frequent words, which come first in their file, the model keeps the vectors beside "
        "those of the treebank's words. A word takes a byte for each number.",
        BILSTM,
        metavar="N",
        valid=lambda value: 0 <= value < 1 << 24,
        expected="a number of words, 0 to 16,777,215",
    )
    tune_vectors: bool = option(
        False,
        "With vectors: whether they are trained on, or stay as they come.",
        BILSTM,
        flag="--tune-vectors/--keep-vectors",
    )
    encoder: str | os.PathLike[str] | None = option(
        None,
        "A pretrained encoder to fine-tune: a folder of the library transformers, or a name in its local cache. Of the "
        "kinds BERT, RoBERTa, XLM-RoBERTa, CamemBERT, ELECTRA, DistilBERT. Nothing is downloaded.",
        BILSTM,
        metavar="DIR|NAME",
        otherwise="none",
    )
    encoder_rate: float | None = option(
        None,
        "The encoder's learning rate.",
        BILSTM,
        metavar="X",
        valid=lambda value: 0 < value < 1,
        expected="a number between 0 and 1",
        otherwise=f"{ENCODER_RATE:g} for vectors of {ENCODER_SIZE} numbers; twice that for half as many, and so on",
    )
    only: str | None = option(
        None,
        "Train the `parser` alone: it goes by the words and tags that sentences have already.",
        PIPELINE,
        metavar="PART",
        allowed=lambda options: ("parser",),
        otherwise="all that the treebank teaches: segmenter, tagger, parser",
    )
    segmenter: bool | None = option(
        None,
        "Whether the model learns to find sentences and words in raw text.",
        PIPELINE,
        flag="--segmenter/--no-segmenter",
        otherwise="yes; where the treebank does not tell where spaces are, they are guessed",
    )
    tagger: bool | None = option(
        None,
        "Whether the model learns to tag, so that it parses bare words; a bilstm learns both jointly.",
        PIPELINE,
        flag="--tagger/--no-tagger",
        otherwise="yes, if the treebank has UPOS",
    )
    columns: str | None = option(
        None,
        "What the tagger fills in: `upos`, and some of `xpos`, `feats`, `lemmas`, separated by commas.",
        PIPELINE,
        metavar="NAMES",
        valid=lambda value: _valid_columns(value.split(",")),
        expected="upos, and some of xpos, feats, lemmas, separated by commas",
        otherwise="all of these that the treebank has",
    )
    beam: int = option(
        1,
        "Train for a beam of N derivations side by side, by max-violation updates; it is then the beam to parse with.",
        PARSER,
        metavar="N",
        model="perceptron",
        valid=lambda value: 1 <= value <= 1000,
        expected="a number from 1 to 1000",
    )
    second_pass: bool | None = option(
        None,
        "Whether the model goes through each finished tree once more and gives words other heads: better trees. A "
        "perceptron then takes three to seven times the time to train, and parses more slowly; its second pass is kept "
        "if it parses the development data better.",
        PARSER,
        flag="--second-pass/--no-second-pass",
        otherwise="yes for a bilstm where `nl-covington` is what the trials, or `--quick`, choose",
    )
    confidence: bool = option(
        True,
        "Whether the model learns from the development data how sure it may be of its trees.",
        PIPELINE,
        flag="--confidence/--no-confidence",
    )
    two_taggers: bool | None = option(
        None,
        "Whether a perceptron's tagger has its say in the tags of the network. How much it counts in each column is "
        "what tags the development data best. Tags and lemmas are better, and parsing is slower.",
        BILSTM,
        flag="--two-taggers/--no-two-taggers",
        otherwise="yes for the sizes `small` and `base` with a tagger and without an encoder",
    )
    jackknife: int = option(
        0,
        "With a tagger: tag the training sentences in K parts, each by what the others teach, as the tagger will "
        "tag new ones.",
        PIPELINE,
        metavar="K",
        model="perceptron",
        valid=lambda value: value == 0 or value >= 2,
        expected="at least 2 parts, or 0 for none",
    )

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, os.PathLike):
                value = os.fspath(value)
                object.__setattr__(self, entry.name, value)
            if value is not None or entry.default is not None:
                _check(entry, value, self)
        for entry in fields(self):
            model = about(entry).model
            if model not in (None, self.model) and getattr(self, entry.name) != entry.default:
                reason = f"none, as a model of the kind {self.model} has no such thing"
                raise OptionError(entry.name, getattr(self, entry.name), reason)
        without = self.tagger is False or (self.only is not None and not self.tagger)
        if without and self.jackknife:
            raise OptionError("jackknife", self.jackknife, "none without a tagger")
        if without and self.two_taggers:
            raise OptionError("two_taggers", True, "none without a tagger")
        if without and self.columns:
            raise OptionError("columns", self.columns, "none without a tagger")
        if self.encoder is None:
            if self.size == "encoder":
                raise OptionError("size", self.size, "another, as there is no encoder; give one (--encoder)")
            if self.encoder_rate is not None:
                raise OptionError("encoder_rate", self.encoder_rate, "none without an encoder")
        if self.beam > 1 and self.policy:
            raise OptionError("policy", self.policy, "none, as a beam explores by itself")
        for part in ("segmenter", "tagger"):
            if self.only is not None and getattr(self, part):
                raise OptionError(part, True, f"none, as the {self.only} alone is to be trained")


def about(entry: Field[Any]) -> About:
    """The description of a field."""
    return cast(About, entry.metadata["about"])


def flag_of(entry: Field[Any]) -> str:
    """The option on the command line."""
    return about(entry).flag or "--" + entry.name.replace("_", "-")


def otherwise_of(entry: Field[Any]) -> str:
    """What the option is where it is not given, in words."""
    text = about(entry).otherwise
    if text is None:
        return "no" if entry.default is False else f"{entry.default}"
    return text if isinstance(text, str) else text()


def kind_of(entry: Field[Any]) -> type:
    """The type of the option's values, but None and paths."""
    return {"str": str, "int": int, "float": float, "bool": bool, "tuple[int, float]": tuple}[
        str(entry.type).split(" | ")[0]
    ]


def _check(entry: Field[Any], value: Any, options: Options) -> None:
    """Refuse a value that is of another type or not among what is allowed."""
    what, kind = about(entry), kind_of(entry)
    names = {str: "text", int: "a whole number", float: "a number", bool: "True or False", tuple: "a pair of numbers"}
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise OptionError(entry.name, value, ", ".join(filter(None, [names[kind], what.expected])))
    if what.allowed is not None and value not in what.allowed(options):
        raise OptionError(entry.name, value, "one of", what.allowed(options))
    if what.valid is not None and not what.valid(value):
        raise OptionError(entry.name, value, what.expected or "")


def make_options(options: Options | None, overrides: Mapping[str, Any]) -> Options:
    """The options with some of them changed."""
    if options is not None and not isinstance(options, Options):
        raise TypeError(f"found options of the type {type(options).__name__}, expected rearc.Options")
    names = [entry.name for entry in fields(Options)]
    for name in overrides:
        if name not in names:
            raise TypeError(f"train() has no option {name!r}, expected {', '.join(names)}{suggestion(name, names)}")
    return replace(options or Options(), **overrides)


def describe() -> str:
    """The options as lines for a docstring."""
    lines = []
    for entry in fields(Options):
        default = otherwise_of(entry) if entry.default is None else repr(entry.default)
        text = f"{entry.name}: {about(entry).help} Default: {default}.".replace("`", "")
        lines.append(fill(text, 112, subsequent_indent="    "))
    return "\n".join(lines)
