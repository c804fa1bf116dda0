"""The formats that UDPipe's service reads and writes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rearc.serve.parsing import read_sentences, written
from rearc.treebank import Sentence
from rearc.treebank.running_text import rebuild
from rearc.treebank.spaces import tokens_of, value

if TYPE_CHECKING:
    from rearc.parser import Parser

INPUTS = ("conllu", "horizontal", "vertical", "generic_tokenizer")
OUTPUTS = ("conllu", "horizontal", "vertical", "plaintext")
_NEW = re.compile(r"#[ \t]*(newpar|newdoc)\b").match


def read_as(format: str, data: str, options: set[str], parser: Parser, model: str) -> Iterable[Sentence]:
    """The sentences of data. "tokenizer" and "generic_tokenizer" are text, for which there is one way here."""
    if format in ("tokenizer", "generic_tokenizer"):
        format = "lines" if "presegmented" in options else "text"
        sentences = read_sentences(data.encode(), format, parser, model, ranges="ranges" in options)
        return map(_normalised, sentences) if "normalized_spaces" in options else sentences
    if format == "conllu":
        return read_sentences(data.encode(), format, parser, model, tree=True) if data.strip() else []
    lines = [line.split("\t")[0] if format == "vertical" else line for line in re.split(r"\r?\n|\r", data)]
    if format == "horizontal":
        found: Iterable[list[str]] = ([w for w in re.split("[ \t]+", line) if w] for line in lines)
    else:
        found = _groups(lines)
    numbered = enumerate((words for words in found if words), 1)
    return (Sentence([w.replace("\xa0", " ") for w in words], comments=[f"# sent_id = {k}"]) for k, words in numbered)


def _groups(lines: list[str]) -> Iterable[list[str]]:
    words: list[str] = []
    for line in [*lines, ""]:
        if line:
            words.append(line)
        else:
            yield words
            words = []


def _normalised(sentence: Sentence) -> Sentence:
    """Without what MISC says of spaces, but that there is none."""
    multiwords = [token._replace(misc=_without_spaces(token.misc)) for token in sentence.multiwords]
    return sentence.replace(misc=list(map(_without_spaces, sentence.misc)), multiwords=multiwords)


def _without_spaces(misc: str) -> str:
    parts = [part for part in misc.split("|") if not re.match("Spaces(Before|After|InToken)=", part)]
    return "|".join(parts) or "_"


def write_as(format: str, sentences: list[Sentence], *, options: set[str]) -> bytes:
    """The sentences as they are asked for."""
    if format == "conllu":
        return written(sentences, format)
    if format == "plaintext" and "normalized_spaces" not in options:
        return rebuild(sentences).encode()
    lines: list[str] = []
    for sentence in sentences:
        if lines and any(map(_NEW, sentence.comments)) and (format == "plaintext" or "paragraphs" in options):
            lines.append("\n")
        if format == "plaintext":
            lines.append(_plain(sentence) + "\n")
        else:
            words = [form.replace(" ", "\xa0") for form in sentence.forms]
            lines.append((" ".join(words) if format == "horizontal" else "\n".join(words) + "\n") + "\n")
    return "".join(lines).encode()


def _plain(sentence: Sentence) -> str:
    """Its tokens, with one space between them or none."""
    pieces = []
    for token in tokens_of(sentence):
        pieces += [token.form, "" if value(token.misc, "SpaceAfter") == "No" else " "]
    return "".join(pieces).rstrip(" ")
