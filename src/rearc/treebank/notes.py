"""What was passed over while a file was read, in one line."""

from __future__ import annotations

from collections.abc import Mapping

# What it is once, and what it is more often; the order is that of the line.
_KINDS = {
    "utf16": ("the byte order mark of UTF-16, in which it is read", ""),
    "marks": ("a byte order mark", "{:,} byte order marks"),
    "returns": ("a carriage return", "{:,} carriage returns"),
    "blank_lines": ("a superfluous blank line", "{:,} superfluous blank lines"),
    "spaces": ("a superfluous space", "{:,} superfluous spaces"),
    "tabs": ("a tab between words", "{:,} tabs between words"),
    "no_break": ("a non-breaking space between words", "{:,} non-breaking spaces between words"),
    "trees": ("the heads of a sentence, which make no tree", "the heads of {:,} sentences, which make no trees"),
    "no_line_end": ("the missing line end of the last line", ""),
    "no_blank_line": ("the missing blank line after the last sentence", ""),
}


def note(file: str, counts: Mapping[str, int]) -> str:
    """The line, or nothing where nothing was passed over.

    >>> note("in.conllu", {"returns": 1200, "marks": 1})
    'in.conllu: passed over a byte order mark, 1,200 carriage returns'
    """
    parts = [
        once if counts[kind] == 1 else often.format(counts[kind])
        for kind, (once, often) in _KINDS.items()
        if counts.get(kind)
    ]
    return f"{file}: passed over {', '.join(parts)}" if parts else ""
