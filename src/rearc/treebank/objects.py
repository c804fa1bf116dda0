"""Sentences as JSON: an object a line. docs/formats.md describes it."""

from __future__ import annotations

import json
from typing import Any

from rearc.treebank.checks import bad
from rearc.treebank.errors import TreebankError, shown
from rearc.treebank.fields import Empty, Multiword
from rearc.treebank.sentence import Sentence, Word

# A field of a word, and the column in which a sentence has it
_WORD = {
    "form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos", "feats": "feats", "head": "heads",
    "deprel": "deprels", "deps": "deps", "misc": "misc",
}  # fmt: skip
_OTHER = Multiword._fields[2:]  # the fields of a token that is no word: the same names
_RANGE = "TokenRange="
_CONFIDENCE = ("confidence", "label_confidence", "upos_confidence", "xpos_confidence", "feats_confidence")
_REMEDY = "write it as rearc does: rearc convert FILE - --to json"


def line_of(sentence: Sentence) -> str:
    """The sentence as a line of JSON.

    >>> print(line_of(Sentence(["Dogs", "bark"], heads=[2, 0]))[:64])
    {"text": "Dogs bark", "tokens": [{"form": "Dogs", "words": [1]},
    """
    content: dict[str, Any] = {}
    if sentence.sent_id is not None:
        content["sent_id"] = sentence.sent_id
    content["text"] = sentence.text
    if sentence.confidence is not None:
        content["confidence"] = sentence.confidence
    content["tokens"] = _tokens(sentence)
    content["words"] = _words(sentence)
    content["comments"] = sentence.comments
    if sentence.empties:
        content["empties"] = [{"id": node.id, **_said(node)} for node in sentence.empties]
    return json.dumps(content, ensure_ascii=False) + "\n"


def _tokens(sentence: Sentence) -> list[dict[str, Any]]:
    """The tokens as they stand in the text, with the words in them."""
    ranges = {token.start: token for token in sentence.multiwords}
    forms, misc = sentence.forms, sentence.misc
    tokens = []
    word = 1
    while word <= len(forms):
        token = ranges.get(word)
        last = token.end if token else word
        entry: dict[str, Any] = {"id": token.id} if token else {}
        entry["form"] = token.form if token else forms[word - 1]
        entry |= _place(token.misc if token else misc[word - 1])
        entry["words"] = list(range(word, last + 1))
        if token:
            entry |= _said(token, ("form",))
        tokens.append(entry)
        word = last + 1
    return tokens


def _place(misc: str) -> dict[str, int]:
    """Where a token begins and ends in the text, if its MISC tells it."""
    for part in misc.split("|"):
        start, colon, end = part.removeprefix(_RANGE).partition(":")
        if part.startswith(_RANGE) and colon and start.isdecimal() and end.isdecimal():
            return {"start": int(start), "end": int(end)}
    return {}


def _said(token: Multiword | Empty, but: tuple[str, ...] = ()) -> dict[str, str]:
    """The fields of a token that hold something."""
    return {name: value for name in _OTHER if name not in but and (value := getattr(token, name)) != "_"}


def _words(sentence: Sentence) -> list[dict[str, Any]]:
    columns: dict[str, list[Any]] = {}
    for field, column in _WORD.items():
        if field == "head":
            columns[field] = [None if head < 0 else head for head in sentence.heads]
        elif field == "form":
            columns[field] = sentence.forms
        else:
            columns[field] = [None if value == "_" else value for value in getattr(sentence, column)]
    return [
        {"id": k, **dict(zip(columns, values, strict=True)), **_confidence(sentence[k])}
        for k, values in enumerate(zip(*columns.values(), strict=True), 1)
    ]


def _confidence(word: Word) -> dict[str, float]:
    """How sure a parser was of the word, if its MISC tells it."""
    names = _CONFIDENCE if word.misc != "_" else ()
    return {name: value for name in names if (value := getattr(word, name)) is not None}


def fields_of(line: str) -> dict[str, Any]:
    """What Sentence() takes, out of a line of JSON. TreebankError says what is wrong."""
    try:
        content = json.loads(line)
    except json.JSONDecodeError as error:
        raise TreebankError(None, 0, error.pos + 1, "no JSON", "an object a line", _REMEDY) from None
    except (ValueError, RecursionError):  # a number of too many digits, brackets within brackets
        raise _wrong("no JSON that can be read", "an object a line") from None
    if not isinstance(content, dict):
        raise _wrong(shown(line), "an object a line")
    words = _list(content, "words")
    if not words:
        raise _wrong("no words", "at least one")
    fields: dict[str, Any] = {column: _column(words, field) for field, column in _WORD.items() if field != "head"}
    for k, word in enumerate(words, 1):
        if word.get("id", k) != k:
            raise _wrong(f"the id {shown(str(word['id']))}", f"the id {k}")
    heads = [word.get("head") for word in words]
    fields["heads"] = None if heads == [None] * len(heads) else [-1 if head is None else head for head in heads]
    fields["comments"] = _comments(content)
    fields["multiwords"] = [
        Multiword(*_ends(token, len(words)), **_strings(token))
        for token in _list(content, "tokens")
        if _is_multiword(token)
    ]
    fields["empties"] = [Empty(*_numbers(node), **_strings(node)) for node in _list(content, "empties")]
    return fields


def _list(content: dict[str, Any], name: str) -> list[dict[str, Any]]:
    values = content.get(name) or []
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise _wrong(f"{name} that are {shown(str(values))}", "a list of objects")
    return values


def _column(words: list[dict[str, Any]], field: str) -> list[str]:
    values = []
    for word in words:
        value = word.get(field)
        if not (isinstance(value, str) or (value is None and field != "form")):
            raise _wrong(f"the {field} {shown(str(value))}", "a string")
        values.append("_" if value is None else value)
    return values


def _comments(content: dict[str, Any]) -> list[str]:
    """The comments; without them, those that say the id and the text."""
    lines = content.get("comments")
    if lines is None:
        said = [("sent_id", content.get("sent_id")), ("text", content.get("text"))]
        return [f"# {name} = {value}" for name, value in said if isinstance(value, str) and value]
    if not isinstance(lines, list):
        raise _wrong(f"comments that are {shown(str(lines))}", "a list of strings")
    return lines


def _is_multiword(token: dict[str, Any]) -> bool:
    """Whether a token has a line of its own in CoNLL-U."""
    words = token.get("words")
    if not isinstance(words, list) or not all(type(word) is int for word in words) or not words:
        raise _wrong(f"a token with the words {shown(str(words))}", "the numbers of its words")
    return len(words) > 1 or "id" in token


def _ends(token: dict[str, Any], count: int) -> tuple[int, int]:
    words = token["words"]
    if words != list(range(words[0], words[0] + len(words))) or not 1 <= words[0] <= words[-1] <= count:
        raise _wrong(f"a token with the words {shown(str(words))}", f"words that follow one another, up to {count}")
    return words[0], words[-1]


def _numbers(node: dict[str, Any]) -> tuple[int, int]:
    after, dot, index = str(node.get("id")).partition(".")
    if not (dot and after.isdecimal() and index.isdecimal() and len(after) < 10 and len(index) < 10):
        raise _wrong(f"the id {shown(str(node.get('id')))} of an empty node", "an id such as 5.1")
    return int(after), int(index)


def _strings(token: dict[str, Any]) -> dict[str, Any]:
    fields = {name: token[name] for name in _OTHER if name in token}
    for name, value in fields.items():
        if not isinstance(value, str):
            raise _wrong(f"the {name} {shown(str(value))}", "a string")
    return {"form": "_"} | fields


def _wrong(found: str, expected: str) -> TreebankError:
    return bad((None, 0), found, expected, _REMEDY)
