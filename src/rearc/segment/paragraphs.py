"""A stream of text in pieces that can be segmented one by one: paragraphs, and parts of very long ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LIMIT = 1 << 18  # characters of a paragraph that are looked at together
BATCH = 1 << 16  # short paragraphs of a block are taken together up to about so many characters

_LINE = r"(?:\r(?!\n)|[\n\x85\u2028])"
_BREAK = re.compile(rf"{_LINE}[\s\0]*?{_LINE}|\u2029")  # what ends a paragraph, as text.pyx sees it
_SPACES = re.compile(r"[\s\0]*")


def spaces_end(text: str, at: int = 0) -> int:
    """Where the white space ends that begins here.

    >>> spaces_end("a  b", 1), spaces_end("a", 0)
    (3, 0)
    """
    return _SPACES.match(text, at).end()  # type: ignore[union-attr]


def content_end(text: str) -> int:
    """Where the white space at the end begins.

    >>> content_end("a b  "), content_end(" ")
    (3, 0)
    """
    at = len(text)
    while at and (text[at - 1].isspace() or text[at - 1] == "\0"):
        at -= 1
    return at


def line_parts(line: str, limit: int = LIMIT) -> Iterator[str]:
    """A line, or if it is too long to be a sentence its parts: cut behind white space, or anywhere if there is none.

    >>> list(line_parts("one two  threefour", 6))
    ['one ', 'two  ', 'threef', 'our']
    """
    begin = 0
    while len(line) - begin > limit:
        part = line[begin : begin + limit]
        cut = max(part.rfind(" "), part.rfind("\t")) + 1 or limit
        yield part[:cut]
        begin += cut
    yield line[begin:]


def pieces(blocks: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """(text, whole): paragraphs with the white space behind them, as soon as they are there, or a part of a long one.

    A paragraph ends with two line ends that have nothing but white space between them. White space before the first
    paragraph belongs to it. A part that is not whole ends with a character that is no white space.

    >>> list(pieces(["One.\\n", "\\nTwo.\\nMore"]))
    [('One.\\n\\n', True), ('Two.\\nMore', True)]
    """
    held: list[str] = []  # of the paragraph at work
    size = 0
    opened = False  # whether a part of it went out
    spaces: list[str] = []  # behind what is held; they may turn out to end the paragraph
    begun = False  # whether anything but white space was seen
    for block in blocks:
        if not content_end(block):
            spaces.append(block)
            continue
        text = "".join(spaces) + block
        stop = content_end(text)
        spaces = [text[stop:]]
        begin = last = 0  # of what goes out next, and the end of the last paragraph in it
        for found in _BREAK.finditer(text, 0 if begun else spaces_end(text), stop):
            if found.start() < last:
                continue  # the same white space has another line end
            end = spaces_end(text, found.end())
            if held or opened:
                yield "".join(held) + text[:end], True
                held, size, opened, begin = [], 0, False, end
            elif end - begin > BATCH and last > begin:
                yield text[begin:last], True
                begin = last
            last = end
        begun = True
        if last > begin:
            yield text[begin:last], True
        held.append(text[last:stop])
        size += stop - last
        if size > LIMIT:
            yield "".join(held), False
            held, size, opened = [], 0, True
    if begun:
        yield "".join(held + spaces), True
