"""Characters as numbers: code points, their lower case, their classes."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

# A class is known to the compiled code by its place here. Outside is before and behind a text.
CLASSES = (
    "outside", "space", "line", "upper", "lower", "letter", "ideograph", "digit", "mark", "stop", "open", "close",
    "quote", "dash", "point", "symbol", "flag", "other",
)  # fmt: skip

_SIZE = 0x110000
_BY_CATEGORY = {
    "Lu": "upper", "Lt": "upper", "Ll": "lower", "Lm": "letter", "Lo": "letter", "Nd": "digit", "Nl": "symbol",
    "No": "symbol", "Mn": "mark", "Mc": "mark", "Me": "mark", "Ps": "open", "Pe": "close", "Pi": "quote", "Pf": "quote",
    "Pd": "dash", "Pc": "point", "Po": "point", "Sm": "symbol", "Sc": "symbol", "Sk": "symbol", "So": "symbol",
}  # fmt: skip
_LINES = "\n\r\x85\u2028\u2029"
_STOPS = "….!?。！？।؟۔։܀｡"
_QUOTES = "\"'`´“”„‟‘’‚‛«»"
# Scripts that are written without spaces between words: Thai, Lao, Tibetan; Burmese; Khmer; Han, Kana.
_WITHOUT_SPACES = (
    (0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F),
    (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
# Besides the combining marks, what belongs to the character before it: joiners, skin tones, the letters of flags' tags.
_ATTACHED = ((0x200C, 0x200D), (0x1F3FB, 0x1F3FF), (0xE0020, 0xE007F))
_FLAGS = ((0x1F1E6, 0x1F1FF),)  # two of them are a flag

_NUMBER = {name: number for number, name in enumerate(CLASSES)}
# Filled as characters are met; the class 0 is not yet. Threads may do so at the same time: all of them write the same.
_classes: NDArray[np.uint8] = np.zeros(_SIZE, dtype=np.uint8)
_lower: NDArray[np.uint32] = np.zeros(_SIZE, dtype=np.uint32)


def class_of(character: str) -> str:
    """The class of a character. NUL, which no file of a treebank can hold, is white space.

    >>> class_of("É"), class_of("中"), class_of("…"), class_of("\\r")
    ('upper', 'ideograph', 'stop', 'line')
    """
    code = ord(character)
    for members, name in ((_LINES, "line"), (_STOPS, "stop"), (_QUOTES, "quote")):
        if character in members:
            return name
    if character.isspace() or not code:
        return "space"
    for ranges, name in ((_ATTACHED, "mark"), (_FLAGS, "flag")):
        if _within(code, ranges):
            return name
    category = unicodedata.category(character)
    if category == "Lo" and _within(code, _WITHOUT_SPACES):
        return "ideograph"
    return _BY_CATEGORY.get(category, "other")


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


def look_up(text: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8]]:
    """The code points of a text, their lower case where that is one character, and their classes.

    >>> codes, lower, classes = look_up("Ab")
    >>> bytes(lower.tolist()), [CLASSES[k] for k in classes]
    (b'ab', ['upper', 'lower'])
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32, copy=False)
    classes = _classes[codes]
    if not classes.all():
        for code in set(codes[classes == 0].tolist()):  # np.unique would import numpy.ma
            character = chr(code)
            small = character.lower()
            _lower[code] = ord(small) if len(small) == 1 else code
            _classes[code] = _NUMBER[class_of(character)]
        classes = _classes[codes]
    return codes, _lower[codes], classes
