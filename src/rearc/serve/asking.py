"""What somebody asks of the debugger: a sentence, who is to parse it, and the transitions so far. All of it checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from rearc.errors import RearcError, suggestion
from rearc.oracles import oracles
from rearc.oracles.table import guiding_oracle
from rearc.parser import Parser
from rearc.systems import systems
from rearc.treebank import Sentence, read

WORDS = 200  # of a sentence to be stepped through: Covington's has up to 20,100 steps then
CHARACTERS = 200_000  # of it in CoNLL-U
FRAMES = 200  # configurations that are told at a time


class Unanswerable(RearcError):
    """A question that has no answer; `status` is HTTP's for it."""

    def __init__(self, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Question:
    """A way through one sentence: a state of the debugger is such a question and the number of a step."""

    sentence: Sentence
    system: str
    single_root: bool
    model: str | None = None
    parser: Parser | None = None
    oracle: str | None = None  # None where there is no gold tree
    transitions: tuple[str, ...] = ()  # that were chosen; the parser, or the oracle, goes on from there
    heads: tuple[tuple[int, int], ...] = ()  # (word, head): constraints


def question(content: object, parsers: Mapping[str, Parser]) -> Question:
    """The question that a request has in its JSON. Unanswerable says what is wrong with it."""
    asked = _object(content)
    known = {"conllu", "model", "system", "single_root", "oracle", "transitions", "heads", "start", "stop"}
    for name in asked:
        if name not in known:
            raise Unanswerable(f"found {_short(name)}, expected some of {', '.join(sorted(known))}")
    sentence = sentence_of(_text(asked, "conllu") or "")
    model = _text(asked, "model")
    parser = None
    if model is not None:
        if model not in parsers:
            raise Unanswerable(f"found the model {_short(model)}, expected one of {', '.join(parsers) or 'none'}", 404)
        parser = parsers[model]
        if _text(asked, "system") not in (None, parser.header.system):
            raise Unanswerable(
                f"found the system {_short(asked['system'])}, expected {parser.header.system}, which the model has"
            )
    system = parser.header.system if parser else _text(asked, "system")
    if system not in systems():
        raise Unanswerable(
            f"found the system {_short(system)}, expected one of {', '.join(systems())}{suggestion(system, systems())}",
            404,
        )
    single_root = asked.get("single_root", False)
    if not isinstance(single_root, bool):
        raise Unanswerable(f"found single_root {_short(single_root)}, expected true or false")
    return Question(
        sentence,
        system,
        parser.header.single_root if parser else single_root,
        model,
        parser,
        _oracle(asked, system, sentence),
        _transitions(asked),
        _heads(asked, len(sentence), parser),
    )


def sentence_of(conllu: str) -> Sentence:
    """The one sentence of a text in CoNLL-U."""
    if len(conllu) > CHARACTERS:
        raise Unanswerable(f"found {len(conllu):,} characters, expected at most {CHARACTERS:,}", 413)
    if not conllu.strip():
        raise Unanswerable("found no sentence, expected one in CoNLL-U")
    found = list(read(BytesIO(conllu.encode()), format="conllu", on_note=lambda note: None))
    if len(found) != 1:
        raise Unanswerable(f"found {len(found)} sentences, expected one in CoNLL-U")
    if len(found[0]) > WORDS:
        raise Unanswerable(
            f"found a sentence of {len(found[0]):,} words, expected at most {WORDS} to step through", 413
        )
    return found[0]


def span_of(content: object) -> tuple[int, int]:
    """From which step to which a question is about."""
    asked = _object(content)
    start, stop = asked.get("start", 0), asked.get("stop", 1)
    if type(start) is not int or type(stop) is not int or not 0 <= start < stop <= start + FRAMES:
        raise Unanswerable(
            f"found the steps {_short(start)} to {_short(stop)}, expected numbers, at most {FRAMES} at a time"
        )
    return start, stop


def _oracle(asked: dict[str, Any], system: str, sentence: Sentence) -> str | None:
    name = _text(asked, "oracle")
    if name is not None and name not in oracles(system):
        names = oracles(system)
        raise Unanswerable(
            f"found the oracle {_short(name)}, expected one of {', '.join(names)} for {system}"
            f"{suggestion(name, names)}",
            404,
        )
    if not sentence.has_heads:
        return None
    return name or guiding_oracle(system)


def _transitions(asked: dict[str, Any]) -> tuple[str, ...]:
    found = asked.get("transitions", [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise Unanswerable(f"found the transitions {_short(found)}, expected a list of their names")
    if len(found) > WORDS * (WORDS + 5):
        raise Unanswerable(f"found {len(found):,} transitions, more than there can be", 413)
    return tuple(found)


def _heads(asked: dict[str, Any], words: int, parser: Parser | None) -> tuple[tuple[int, int], ...]:
    found = asked.get("heads", [])
    remedy = "expected pairs [word, head] of numbers of words, 0 for the root"
    if not isinstance(found, list) or len(found) > words:
        raise Unanswerable(f"found the heads {_short(found)}, {remedy}")
    for pair in found:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(w) is int for w in pair):
            raise Unanswerable(f"found {_short(pair)} among the heads, {remedy}")
    if found and parser is None:
        raise Unanswerable("found heads to keep without a model, expected a model that parses within them")
    return tuple((d, h) for d, h in found)


def _object(content: object) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise Unanswerable(f"found {_short(content)}, expected an object of JSON")
    return content


def _text(asked: dict[str, Any], name: str) -> str | None:
    found = asked.get(name)
    if found is not None and not isinstance(found, str):
        raise Unanswerable(f"found the {name} {_short(found)}, expected a string")
    return found


def _short(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 80 else f"{text[:80]}…"
