"""What can be asked for along with a text. The table is read by /parse and shown by /openapi.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rearc.errors import suggestion
from rearc.serve.errors import Refused

if TYPE_CHECKING:
    from rearc.parser import Parser

FORMATS = ("text", "lines", "tokens", "conllu")
MOST = 64  # trees of a sentence, and derivations side by side

PARAMETERS: dict[str, dict[str, Any]] = {
    "model": {"type": "string", "description": "A name out of /models; the first of them unless given."},
    "format": {
        "type": "string",
        "enum": list(FORMATS),
        "description": "How the body is written: text; lines, a sentence each; tokens, a sentence a line with its "
        "words between spaces; or conllu. Unless given, the content type tells.",
    },
    "to": {
        "type": "string",
        "enum": ["conllu", "json"],
        "default": "conllu",
        "description": "How the trees are written: CoNLL-U, or JSON with an object a line.",
    },
    "tags": {
        "type": "string",
        "enum": ["given", "predict", "auto"],
        "default": "auto",
        "description": "Tags to go by: those given, those that the model predicts, or given ones where there are some.",
    },
    "beam": {
        "type": "integer",
        "minimum": 1,
        "maximum": MOST,
        "description": "Derivations to follow side by side; 1 is greedy.",
    },
    "n_best": {
        "type": "integer",
        "minimum": 1,
        "maximum": MOST,
        "description": "The best trees of each sentence, one after another, up to so many.",
    },
    "confidence": {
        "type": "boolean",
        "default": False,
        "description": "Say in MISC how likely each head and label is right, if the model knows.",
    },
    "partial": {
        "type": "boolean",
        "default": False,
        "description": "Heads and labels that the input has stay; what is _ there is filled in.",
    },
    "constraints": {"type": "string", "enum": ["ud"], "description": "Rules that the trees keep."},
    "ranges": {
        "type": "boolean",
        "default": False,
        "description": "Say in MISC where each token stands in the text. JSON always says it.",
    },
}


@dataclass(frozen=True)
class Options:
    """How sentences are parsed. Those of requests that have the same options are parsed together."""

    tags: str = "auto"
    beam: int | None = None
    n_best: int | None = None
    confidence: bool = False
    partial: bool = False
    constraints: str | None = None
    trees: bool = True  # False: tags are asked for, and the trees stay as they are
    work: bool = True  # False: nothing but sentences and words is asked for


def read_parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, with values of the right types; Refused for any that is unknown or wrong.

    >>> read_parameters({"n_best": "3", "confidence": "true"})
    {'n_best': 3, 'confidence': True}
    """
    return {name: _value(name, value) for name, value in given.items()}


def _value(name: str, value: Any) -> Any:
    schema = PARAMETERS.get(name)
    if schema is None:
        known = ", ".join(PARAMETERS)
        raise Refused(400, f"found the parameter {name[:40]!r}, expected some of {known}{suggestion(name, PARAMETERS)}")
    kind = schema["type"]
    if kind == "boolean" and isinstance(value, str):
        value = {"true": True, "1": True, "false": False, "0": False}.get(value)
    elif kind == "integer" and isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        value = int(value)
    if kind == "boolean" and type(value) is bool:
        return value
    if kind == "integer" and type(value) is int and schema["minimum"] <= value <= schema["maximum"]:
        return value
    if kind == "string" and isinstance(value, str) and value in schema.get("enum", [value]):
        return value
    expected = {
        "boolean": "true or false",
        "integer": f"a whole number from 1 to {MOST}",
        "string": " or ".join(schema.get("enum", ["a string"])),
    }[kind]
    raise Refused(400, f"found {name}={str(value)[:40]!r}, expected {expected}")


def options_of(parameters: Mapping[str, Any], parser: Parser, model: str) -> Options:
    """The options among parameters; Refused where they do not go together, or with this model."""
    names = ("tags", "beam", "n_best", "confidence", "partial", "constraints")
    options = Options(**{name: parameters[name] for name in names if name in parameters})
    if options.n_best is not None and options.confidence:
        raise Refused(400, "found n_best and confidence, expected one of them: confidence is that of the best tree")
    if options.n_best is not None and options.beam is not None and options.beam < options.n_best:
        raise Refused(400, f"found beam={options.beam}, expected n_best={options.n_best} or more")
    if options.tags == "predict" and not parser.has_tagger:
        raise Refused(422, f"found tags=predict, expected a model with a tagger; {model} has none")
    if options.confidence and not parser.has_confidence:
        raise Refused(422, f"found confidence, expected a model that knows how sure it is; {model} does not")
    return options


def model_of(name: str | None, models: Mapping[str, Parser]) -> str:
    """The model that is meant; Refused where it was not named at the start."""
    if not name:
        return next(iter(models))
    if name not in models:
        raise Refused(404, f"found the model {name[:60]!r}, expected one of {', '.join(models)}")
    return name
