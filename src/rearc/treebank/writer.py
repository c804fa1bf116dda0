"""Writing treebanks."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat

from rearc.files.names import File, name_of
from rearc.files.targets import Target
from rearc.treebank.errors import TreebankError, shown
from rearc.treebank.formats import codec_of, format_to_write
from rearc.treebank.objects import line_of
from rearc.treebank.running_text import RunningText
from rearc.treebank.sentence import Sentence

_BLOCK = 1 << 18
_PLAIN = ("conllx", "conll2007")  # where DEPS and MISC are PHEAD and PDEPREL
_NUMBERS = [str(k) for k in range(512)]  # nearly all ids and heads, made once


def write(
    sentences: Iterable[Sentence] | Sentence,
    target: File,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    losses: Counter[str] | None = None,
    flush: bool = False,
) -> int:
    """Write sentences, or one sentence, and return how many they were.

    target: a path (.gz and .xz are packed), "-" for standard output, or an open binary stream. A file appears
    under its name only when all of it is written. BrokenPipeError is passed on.
    format: as for read(), or "text": the running text, with the spaces that MISC tells. Without it, a file whose
        ending stands for no format is refused.
    flush: write each sentence as soon as it is there, for somebody who waits for it.
    losses: counts what the format has no place for, such as {"comments": 2, "multiword tokens": 1}.

    >>> import io
    >>> out = io.BytesIO()
    >>> write([Sentence(["Dogs", "bark"])], out, format="tokens"), out.getvalue()
    (1, b'Dogs bark\\n')
    """
    file = name_of(target, "<stdout>")
    format = format_to_write(file, format)
    encoding = codec_of(file, encoding)
    if isinstance(target, io.TextIOBase):
        raise TreebankError(file, 0, 0, "a text stream", "a binary stream", "open it in binary mode ('wb')")
    if isinstance(sentences, Sentence):
        sentences = [sentences]
    count = 0
    text = RunningText()

    def blocks() -> Iterator[bytes]:
        nonlocal count
        block: list[bytes] = []
        size = 0
        try:
            for sentence in sentences:
                line = text.add(sentence) if format == "text" else _LINES[format](sentence, format)
                data = _encoded(sentence, line, encoding)
                if losses is not None:
                    losses.update(_lost(sentence, format))
                count += 1
                block.append(data)
                size += len(data)
                if size >= _BLOCK or flush:
                    yield b"".join(block)
                    block.clear()
                    size = 0
        except Exception:  # on a stream, what was good is not lost with what was bad behind it
            yield b"".join(block)
            raise
        yield b"".join(block) + text.end().encode()

    with Target(target, file) as stream:
        for block in blocks():
            stream.write(block)
            if flush:
                stream.flush()
    return count


def _encoded(sentence: Sentence, text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise TreebankError(
            sentence.file, sentence.line, 0, f"the character {character!r} (U+{ord(character):04X})",
            f"characters that {encoding} has", "write the file in utf-8",
        ) from None  # fmt: skip


def _tokens_line(sentence: Sentence, _: str) -> str:
    forms = sentence.forms
    text = " ".join(forms)
    if text.count(" ") >= len(forms):
        word = next(k for k, form in enumerate(forms, 1) if " " in form)
        raise TreebankError(
            sentence.file, sentence._line_of(word), 0, f"a space in the word {shown(forms[word - 1])}",
            "words without spaces, as the format tokens separates words by them",
            "write another format, such as conllu",
        )  # fmt: skip
    return text + "\n"


def _conll_lines(sentence: Sentence, format: str) -> str:
    n = len(sentence)
    numbers = _NUMBERS if n < len(_NUMBERS) else [str(k) for k in range(n + 1)]
    same_meaning = (format in _PLAIN) == (sentence.format in _PLAIN)
    fields: list[Iterable[str]] = [
        sentence._column(name) or repeat("_") for name in ("forms", "lemmas", "upos", "xpos", "feats")
    ]
    if sentence.has_heads:
        fields.append([numbers[head] if head >= 0 else "_" for head in sentence.heads])
    else:
        fields.append(repeat("_"))
    fields.append(sentence._column("deprels") or repeat("_"))
    for name in ("deps", "misc"):
        fields.append((same_meaning and sentence._column(name)) or repeat("_"))
    lines = list(map("\t".join, zip(numbers[1 : n + 1], *fields, strict=False)))
    if format == "conllu":
        if sentence.multiwords or sentence.empties:
            lines = _with_other_tokens(sentence, lines)
        lines[:0] = sentence.comments
    lines.append("\n")
    return "\n".join(lines)


def _object_line(sentence: Sentence, _: str) -> str:
    return line_of(sentence.replace(deps=None, misc=None) if sentence.format in _PLAIN else sentence)


_LINES: dict[str, Callable[[Sentence, str], str]] = {
    "conllu": _conll_lines,
    "conllx": _conll_lines,
    "conll2007": _conll_lines,
    "tokens": _tokens_line,
    "json": _object_line,
}


def _with_other_tokens(sentence: Sentence, lines: list[str]) -> list[str]:
    """The lines of the words with those of the empty nodes and multiword tokens in their places."""
    before: dict[int, list[str]] = {}
    for empty in sentence.empties:
        before.setdefault(empty.after + 1, []).append("\t".join((empty.id, *empty[2:])))
    for multiword in sentence.multiwords:
        before.setdefault(multiword.start, []).append("\t".join((multiword.id, *multiword[2:])))
    merged: list[str] = []
    for word, line in enumerate(lines, 1):
        merged += before.get(word, ())
        merged.append(line)
    return merged + before.get(len(lines) + 1, [])


def _lost(sentence: Sentence, format: str) -> dict[str, int]:
    """What the format has no place for, and how often the sentence has it."""
    whole = ("conllu", "json")  # these have a place for everything
    if format in whole and sentence.format not in _PLAIN:
        return {}
    counts = {}
    if format not in whole:
        counts["comments"] = len(sentence.comments)
        counts["multiword tokens"] = len(sentence.multiwords)
        counts["empty nodes"] = len(sentence.empties)
    plain = sentence.format in _PLAIN
    lost = {"PHEAD" if plain else "DEPS": "deps", "PDEPREL" if plain else "MISC": "misc"}
    if format in ("tokens", "text"):
        lost |= {"LEMMA": "lemmas", "UPOS": "upos", "XPOS": "xpos", "FEATS": "feats", "DEPREL": "deprels"}
        counts["HEAD"] = sum(head >= 0 for head in sentence.heads)
    elif plain == (format in _PLAIN):
        lost = {}
    for name, column in lost.items():
        counts[name] = sum(1 for value in sentence._column(column) or () if value != "_")
    return {name: count for name, count in counts.items() if count}
