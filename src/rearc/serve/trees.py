"""What the page shows: sentences out of a text or of CoNLL-U, parsed by one model or by two."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import Any

from rearc.parser import Parser
from rearc.parser.document import Numbering
from rearc.serve.asking import Unanswerable
from rearc.treebank import Sentence, read
from rearc.treebank.drawing import draw_svg
from rearc.treebank.objects import line_of

SENTENCES = 200  # on one page
WORDS = 5_000  # on one page: a picture a sentence, and two with two models
GIVEN = "given"  # in place of a second model: the trees that the CoNLL-U has
_ROW = re.compile(r"^\d+\t", re.MULTILINE)


def is_conllu(text: str) -> bool:
    """Whether a text is meant as CoNLL-U.

    >>> is_conllu("1\\tDogs\\t_"), is_conllu("Dogs bark.")
    (True, False)
    """
    return _ROW.search(text) is not None


def sentences_of(text: str, parser: Parser | None, *, need_trees: bool = True) -> Iterator[Sentence]:
    """The sentences of a text, or of CoNLL-U. Without a segmenter each line is one, and spaces part its words."""
    if is_conllu(text):
        data = text if text.endswith("\n") else f"{text}\n"
        return read(BytesIO(data.encode()), format="conllu", need_trees=need_trees, on_note=lambda note: None)
    if parser is not None and parser.segmenter is not None:
        return iter(Numbering().sentences(parser.segmenter.segment(text)))
    return (Sentence(words) for words in map(str.split, text.splitlines()) if words)


def limited(sentences: Iterator[Sentence], most: int = SENTENCES, words: int = WORDS) -> list[Sentence]:
    """The sentences, unless they are too many for a page."""
    found: list[Sentence] = []
    for sentence in islice(sentences, most + 1):
        found.append(sentence)
        words -= len(sentence)
        if words < 0 or len(found) > most:
            raise Unanswerable(
                f"found more than {most} sentences or {WORDS:,} words, expected fewer on a page; rearc parse takes any",
                413,
            )
    return found


def trees(content: object, parsers: Mapping[str, Parser]) -> dict[str, Any]:
    """The sentences that a request asks for, with their trees by a model and, if it names another, by that one too."""
    asked = content if isinstance(content, dict) else {}
    text, model, other = asked.get("text"), asked.get("model"), asked.get("other")
    if not isinstance(text, str) or not isinstance(model, str) or not (other is None or isinstance(other, str)):
        raise Unanswerable("found no text and model, expected an object with strings of these names")
    parser = _parser(model, parsers)
    given = limited(sentences_of(text, parser, need_trees=False))
    parsed = list(parser.parse_many(given))
    compared: list[Sentence] | None = None
    if other == GIVEN:
        compared = [each if each.has_tree else each.replace(heads=None) for each in given]
    elif other is not None:
        compared = list(_parser(other, parsers).parse_many(given))
    return {
        "model": model,
        "other": other,
        "has_given": any(each.has_tree for each in given),
        "sentences": [
            _shown(tree) | ({"other": _tree(compared[k])} if compared and compared[k].has_tree else {})
            for k, tree in enumerate(parsed)
        ],
    }


def file_of(content: object) -> tuple[str, str]:
    """Trees in CoNLL-U as another kind of file: its text, and its media type."""
    asked = content if isinstance(content, dict) else {}
    conllu, kind = asked.get("conllu"), asked.get("to")
    if not isinstance(conllu, str) or kind not in ("svg", "json"):
        raise Unanswerable("found no conllu, or no to, expected trees and one of svg, json")
    found = limited(sentences_of(conllu, None, need_trees=False))
    if kind == "svg":
        return draw_svg(found), "image/svg+xml"
    return "".join(map(line_of, found)), "application/x-ndjson"


def listed(content: object, parsers: Mapping[str, Parser]) -> dict[str, Any]:
    """The sentences of a text one by one, as the debugger takes them."""
    asked = content if isinstance(content, dict) else {}
    text, model = asked.get("text"), asked.get("model")
    if not isinstance(text, str) or not (model is None or isinstance(model, str)):
        raise Unanswerable("found no text, expected an object with one, and a model if there is one")
    found = limited(sentences_of(text, None if model is None else _parser(model, parsers)))
    return {"sentences": [example(each) for each in found]}


def example(sentence: Sentence) -> dict[str, Any]:
    """A sentence to begin with."""
    return {"text": sentence.text, "conllu": sentence.to_conllu(), "gold": sentence.has_heads}


def _parser(model: str, parsers: Mapping[str, Parser]) -> Parser:
    if model not in parsers:
        raise Unanswerable(f"found the model {model[:80]!r}, expected one of {', '.join(parsers)}", 404)
    return parsers[model]


def _shown(tree: Sentence) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(line_of(tree))
    return {
        "sent_id": content.get("sent_id"),
        "text": content["text"],
        "words": content["words"],
        "conllu": tree.to_conllu(),
    }


def _tree(tree: Sentence) -> dict[str, Any]:
    return {"heads": tree.heads, "deprels": tree.deprels, "upos": tree.upos, "conllu": tree.to_conllu()}
