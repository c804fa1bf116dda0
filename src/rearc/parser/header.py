"""What a model says about itself: the JSON header of a model file."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from rearc.search.forest import MOST as BEAM
from rearc.treebank.marks import are_marks

FORMAT = "rearc model"
VERSION = 1
LARGEST_HEADER = 1 << 24
MOST = (1 << 63) - 1  # of what is counted

UNWRITABLE = re.compile("[\t\n\r\0]")

TAGS = ("lemmas", "upos", "xpos", "feats")  # the columns a model may expect beside the forms


@dataclass(frozen=True)
class Treebank:
    """Where a model comes from."""

    name: str
    sha256: str
    sentences: int
    words: int


@dataclass(frozen=True)
class Label:
    """A label, and whether it hangs on the root, on words, or on both."""

    name: str
    of_root: bool
    of_word: bool


@dataclass(frozen=True)
class Trial:
    """A short training on a part of the treebank, by which the system was chosen."""

    round: int  # of which the better half goes on to the next
    system: str
    oracle: str
    non_projective: str
    sentences: int
    epochs: int
    las: float  # on dev, or on what was held out


@dataclass(frozen=True)
class Taught:
    """What a model learnt from another one, beside its treebank."""

    teacher: str
    sentences: int  # that the teacher parsed
    words: int
    confident: float  # heads of which the teacher was less sure taught nothing
    copies: int  # how often each sentence of the treebank counted
    alone: int  # the last so many epochs were of the treebank alone


@dataclass(frozen=True)
class Header:
    """All of a model but its weights.

    >>> import rearc
    >>> header = rearc.load("en").header
    >>> header.system, header.licence
    ('arc-hybrid', 'CC BY-SA 4.0')
    """

    rearc: str  # the version that made it
    model: str  # "perceptron"
    system: str
    single_root: bool
    oracle: str
    templates: str
    label_templates: str
    labels: tuple[Label, ...]
    expects: tuple[str, ...]  # the columns that its features look at and its training data had
    clusters: str | None  # SHA-256 of the Brown clusters in the model
    non_projective: str  # what became of non-projective training trees: "kept", "lift", "drop" or an encoding
    train: Treebank
    dev: Treebank | None
    licence: str | None
    seed: int
    policy: tuple[int, float]  # after k epochs the prediction is followed with probability p
    prune: float  # features whose weights are all below this share of the largest are left out
    epochs: int  # trained for
    epoch: int  # the one whose weights these are
    scores: dict[str, float] = field(default_factory=dict)  # on dev: uas, las
    beam: int = 1  # derivations followed side by side that it was trained for; 1 is greedy
    trials: tuple[Trial, ...] = ()  # what was tried before the system was chosen, if anything was
    repairs_apart: bool = False  # arcs that take a head away have weights of their own; of perceptrons
    taught: Taught | None = None  # by another model
    marks: dict[str, str] = field(default_factory=dict)  # that the treebank hardly has, and what they are read as

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    def encode(self) -> bytes:
        return (json.dumps(self.as_dict(), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def decode_header(data: memoryview) -> Header:
    """The header in a model file. ValueError says what is wrong with it."""
    if len(data) > LARGEST_HEADER:
        raise ValueError(f"a header of {len(data):,} bytes")
    try:
        content = json.loads(bytes(data).decode("utf-8", "surrogatepass"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise ValueError("a header that is no JSON") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError("no header of a model")
    if content.get("version") != VERSION:
        raise ValueError(f"a model of the format version {content.get('version')!r}")
    # which files of older versions do not have
    content = {"trials": [], "beam": 1, "repairs_apart": False, "taught": None, "marks": {}} | content
    known = {entry.name for entry in fields(Header)}
    if content.keys() != known | {"format", "version"}:
        strange = sorted((content.keys() ^ known) - {"format", "version"})
        raise ValueError(f"a header with other fields than it must have: {', '.join(strange)}")
    content = {name: content[name] for name in known}
    for name in ("rearc", "model", "system", "oracle", "templates", "label_templates", "non_projective"):
        _check(name, content[name], str)
    for name, most in (("seed", MOST), ("epochs", 1 << 31), ("epoch", 1 << 31)):
        _number(name, content[name], most, whole=True)
    if _number("beam", content["beam"], BEAM, whole=True) < 1:
        raise ValueError("a header with beam = 0")
    content["prune"] = _number("prune", content["prune"], 1)
    for name in ("single_root", "repairs_apart"):
        _check(name, content[name], bool)
    for name in ("clusters", "licence"):
        _check(name, content[name], str, type(None))
    content["labels"] = tuple(_record(Label, "labels", entry) for entry in _list("labels", content["labels"], dict))
    content["expects"] = tuple(_list("expects", content["expects"], str))
    content["train"] = _record(Treebank, "train", content["train"])
    content["dev"] = None if content["dev"] is None else _record(Treebank, "dev", content["dev"])
    if isinstance(content["taught"], dict):
        content["taught"] = {"alone": 0} | content["taught"]
    content["taught"] = None if content["taught"] is None else _record(Taught, "taught", content["taught"])
    content["policy"] = _policy(content["policy"])
    content["trials"] = decode_trials(content["trials"])
    _check("scores", content["scores"], dict)
    content["scores"] = {name: _number("scores", score, 100) for name, score in content["scores"].items()}
    if not are_marks(content["marks"]):
        raise ValueError(f"a header with marks = {str(content['marks'])[:40]!r}")
    if content["non_projective"] not in ("kept", "lift", "drop", "head", "path", "head+path"):
        raise ValueError(f"a header with non_projective = {content['non_projective'][:40]!r}")
    if not set(content["expects"]) <= set(TAGS):
        raise ValueError(f"a header with expects = {', '.join(content['expects'])[:40]!r}")
    names = [label.name for label in content["labels"]]
    if len(set(names)) < len(names) or any(not name or UNWRITABLE.search(name) for name in names):
        raise ValueError("a header with labels that cannot be written, or one of them twice")
    return Header(**content)


def decode_trials(values: Any) -> tuple[Trial, ...]:
    """Trials out of JSON. ValueError says what is wrong with them."""
    return tuple(_record(Trial, "trials", entry) for entry in _list("trials", values, dict))


def refuse_constant(constant: str) -> None:
    raise ValueError(constant)  # NaN and its like are no JSON


def _check(name: str, value: Any, *kinds: type) -> None:
    if type(value) not in kinds:
        raise ValueError(f"a header with {name} = {str(value)[:40]!r}")


def _number(name: str, value: Any, most: int, whole: bool = False) -> Any:
    """A number from 0 to the most there can be; what is not whole becomes a float."""
    _check(name, value, int) if whole else _check(name, value, float, int)
    if not 0 <= value <= most:
        raise ValueError(f"a header with {name} = {str(value)[:40]!r}")
    return value if whole else float(value)


def _list(name: str, values: Any, kind: type) -> list[Any]:
    _check(name, values, list)
    for value in values:
        _check(name, value, kind)
    return list(values)


def _policy(value: Any) -> tuple[int, float]:
    _check("policy", value, list)
    if len(value) != 2:
        raise ValueError(f"a header with policy = {str(value)[:40]!r}")
    return _number("policy", value[0], 1 << 31, whole=True), _number("policy", value[1], 1)


def _record(kind: type[Any], name: str, value: Any) -> Any:
    _check(name, value, dict)
    types = {"str": str, "int": int, "bool": bool, "float": float}
    if value.keys() != {entry.name for entry in fields(kind)}:
        raise ValueError(f"a header with {name} = {str(value)[:40]!r}")
    for entry in fields(kind):
        _check(name, value[entry.name], types[str(entry.type)])
        if entry.type == "int":
            _number(name, value[entry.name], MOST, whole=True)
        elif entry.type == "float":
            _number(name, value[entry.name], 100)
    return kind(**value)
