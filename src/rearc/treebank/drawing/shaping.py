"""Letters as they are seen, for what draws one letter after the other from left to right.

Browsers do this themselves, and better; CairoSVG does not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby

from rearc.treebank.drawing.characters import right_to_left

_FORMS = range(0xFE70, 0xFEFD)  # Arabic letters with their shapes, as Unicode has them for old programs
_MORE_FORMS = range(0xFB50, 0xFC00)  # of Persian, Urdu and others
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
_LAM = "\u0644"


@cache
def _shapes() -> dict[tuple[str, str], str]:
    """From letters and a position (isolated, initial, medial, final) to the shape of the letter there."""
    shapes = {}
    for code in (*_FORMS, *_MORE_FORMS):
        position, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if position in ("<isolated>", "<initial>", "<medial>", "<final>"):
            shapes["".join(chr(int(each, 16)) for each in letters), position.strip("<>")] = chr(code)
    return shapes


def visual(forms: Sequence[str]) -> list[str]:
    """The words of a sentence, each in the order and with the shapes in which it is seen.

    >>> visual(["ספר", ")", "1984"]) == ["רפס", "(", "1984"], visual(["(book)"])
    (True, ['(book)'])
    """
    leftwards = right_to_left(forms)
    return [_turned(form) if leftwards or right_to_left([form]) else form for form in forms]


def _turned(form: str) -> str:
    return "".join(reversed([_run(*run) for run in groupby(_joined(form), key=_is_rightwards)]))


def _run(rightwards: bool, letters: Iterable[str]) -> str:
    """Letters of one direction; marks come before their letter where the direction is turned round."""
    text = "".join(letters)
    return text if rightwards else text[::-1].translate(_MIRRORED)


def _is_rightwards(letter: str) -> bool:
    return unicodedata.bidirectional(letter[0]) in ("L", "EN", "AN")


def _joined(word: str) -> list[str]:
    """The letters, each with the marks on it, as their neighbours make them look."""
    letters: list[str] = []
    for character in word:
        if letters and unicodedata.combining(character):
            letters[-1] += character
        elif letters and letters[-1] == _LAM and (_LAM + character, "isolated") in _shapes():
            letters[-1] += character  # lam and alef are written as one
        else:
            letters.append(character)
    result = []
    for k, letter in enumerate(letters):
        base = letter[:2] if (letter[:2], "isolated") in _shapes() else letter[0]
        before = k > 0 and _joins_on(letters[k - 1])
        after = k + 1 < len(letters) and _joins_on(letter) and _joins_back(letters[k + 1])
        position = {(0, 0): "isolated", (0, 1): "initial", (1, 0): "final", (1, 1): "medial"}[before, after]
        result.append(_shapes().get((base, position), base) + letter[len(base) :])
    return result


def _joins_on(letter: str) -> bool:
    """Whether it joins the letter behind it: such letters have a shape for the beginning of a word."""
    ligature = letter[1:] and (letter[:2], "isolated") in _shapes()
    return (letter[0], "initial") in _shapes() and not ligature


def _joins_back(letter: str) -> bool:
    return (letter[0], "final") in _shapes()
