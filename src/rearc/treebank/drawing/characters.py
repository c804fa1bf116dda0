"""Characters that can be shown, and the room they take."""

import re
import unicodedata
from collections.abc import Iterable

from rich.cells import cell_len

# Control characters would command the terminal; XML has no way to write them or the two non-characters.
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

_RIGHT_TO_LEFT = ("R", "AL")
_NOT_LEFT_TO_RIGHT = (*_RIGHT_TO_LEFT, "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_NARROW = set("ijltfrI1|!.,:;'()[]{}/\\ -`´’‘·")
_BROAD = set("mwMWQOGCDNHUA@%&—…ＭШЩЮЖМшщюжмω")


def showable(text: str) -> str:
    """The text with a replacement character for each control character.

    >>> showable("a\\x1b[31mb")
    'a�[31mb'
    """
    return _UNSHOWABLE.sub("\ufffd", text)


def pad(text: str, width: int) -> str:
    """The text filled with spaces to so many terminal columns.

    >>> pad("木", 4) + "|"
    '木  |'
    """
    return isolated(text) + " " * (width - cell_len(text))


def isolated(text: str) -> str:
    """The text so that, if it is written from right to left, what stands around it keeps its order.

    >>> isolated("ספר") == "\\u2068ספר\\u2069", isolated("book")
    (True, 'book')
    """
    return f"\u2068{text}\u2069" if any(unicodedata.bidirectional(c) in _NOT_LEFT_TO_RIGHT for c in text) else text


def right_to_left(texts: Iterable[str]) -> bool:
    """Whether most of the letters are written from right to left."""
    directions = [unicodedata.bidirectional(character) for text in texts for character in text]
    return sum(each in _RIGHT_TO_LEFT for each in directions) > directions.count("L")


def em_width(text: str) -> float:
    """About how wide the text is in a common sans-serif font, in units of its size; rather too much than too little."""
    return sum(_em(character) for character in text)


def _em(character: str) -> float:
    if character in _NARROW:
        return 0.36
    if character in _BROAD:
        return 0.86
    cells = cell_len(character)
    return 0.0 if cells == 0 else 1.02 if cells == 2 else 0.68 if character.isupper() else 0.6
