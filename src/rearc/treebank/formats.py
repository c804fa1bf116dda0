"""Which format and which encoding a file has."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from rearc.files.errors import FileError
from rearc.files.names import suffix_of
from rearc.treebank.errors import shown

READABLE = ("conllu", "conllx", "conll2007", "tokens", "json")
FORMATS = (*READABLE, "text")
SUFFIXES = {
    ".conllu": "conllu",
    ".conllx": "conllx",
    ".conll": "conllx",
    ".conll06": "conllx",
    ".conll2006": "conllx",
    ".conll07": "conll2007",
    ".conll2007": "conll2007",
    ".json": "json",
    ".jsonl": "json",
    ".tok": "tokens",
    ".txt": "text",
}


def format_of(name: str, format: str | None = None) -> str:
    """The format asked for, or else the one that the file's name tells, or else CoNLL-U.

    >>> format_of("danish.conll.gz")
    'conllx'
    """
    if format is None:
        return SUFFIXES.get(suffix_of(name), "conllu")
    if format not in FORMATS:
        raise FileError(name, f"the format {format!r}", f"one of {', '.join(FORMATS)}", "choose one of these")
    return format


def format_to_read(name: str, format: str | None = None) -> str:
    """The same for a treebank to be read: plain text has no sentences yet."""
    format = format_of(name, format)
    if format not in READABLE:
        raise FileError(
            name, "plain text", "sentences",
            "let a model find them (rearc parse), or say the format tokens: a sentence a line, words between spaces",
        )  # fmt: skip
    return format


def format_to_write(name: str, format: str | None = None, formats: Sequence[str] = FORMATS) -> str:
    """The same for a file to be written, where an ending that stands for none of these formats is refused.

    >>> format_to_write("parsed")
    'conllu'
    """
    suffix = suffix_of(name)
    known = [each for each, format_of_it in SUFFIXES.items() if format_of_it in formats]
    if format is None and suffix and suffix not in known:
        raise FileError(
            name, f"the ending {shown(suffix)}", f"{', '.join(known)}, each also with .gz or .xz, or none",
            "choose one of these, or say the format",
        )  # fmt: skip
    return format_of(name, format)


def codec_of(name: str, encoding: str) -> str:
    """The codec's canonical name; it must agree with ASCII, as lines are cut before they are decoded."""
    ascii_bytes = bytes(range(128)) + b"\x1b$B0!\x1b(B ~{0!~} +AGE- \\u0041"  # what codecs with shifts take as such
    try:
        codec = codecs.lookup(encoding)
        text = ascii_bytes.decode(encoding)
        agrees = text == ascii_bytes.decode("ascii") and text.encode(encoding) == ascii_bytes
    except LookupError as error:
        raise FileError(
            name, f"the encoding {shown(encoding)}", "a text encoding that Python knows",
            "give a name such as utf-8, latin-1 or gbk",
        ) from error  # fmt: skip
    except ValueError:
        agrees = False
    if not agrees:
        raise FileError(
            name, f"the encoding {shown(encoding)}",
            "an encoding in which ASCII characters are single bytes",
            "convert the file first: iconv -f ENCODING -t UTF-8",
        )  # fmt: skip
    return codec.name
