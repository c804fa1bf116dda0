"""Sentences as the text they are from: tokens, and the spaces between them as MISC has them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rearc.treebank.sentence import Sentence

_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_CODES = {character: "\\" + letter for letter, character in _ESCAPES.items()}
_NEW = re.compile(r"#[ \t]*(newpar|newdoc)\b").match


def spaces_said(spaces: str) -> str:
    """White space as it stands in MISC.

    >>> print(spaces_said(" \\n"))
    \\s\\n
    """
    return "".join(_CODES.get(character, character) for character in spaces)


def spaces_meant(said: str) -> str:
    """White space out of MISC.

    >>> spaces_meant(r"\\s\\n")
    ' \\n'
    """
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), said, flags=re.DOTALL)


class RunningText:
    """Gives sentences back as text, one after the other. Where MISC is silent, a space is between tokens and sentences,
    a blank line between paragraphs, and a line end behind the last sentence.

    >>> text = RunningText()
    >>> print(text.add(Sentence(["I", "can", "not"], misc=["_", "SpaceAfter=No", "_"])) + text.end(), end="")
    I cannot
    """

    def __init__(self) -> None:
        self._is_open = False  # nothing is said of what stands behind the last token

    def add(self, sentence: Sentence) -> str:
        """The next sentence, and what is between it and the one before."""
        between = ""
        if self._is_open:
            between = "\n\n" if any(map(_NEW, sentence.comments)) else " "
        text, self._is_open = _surface(sentence)
        return between + text

    def end(self) -> str:
        """What is to follow the last sentence."""
        return "\n" if self._is_open else ""


def rebuild(sentences: Iterable[Sentence]) -> str:
    """The text of sentences that a model found in it, to the last character.

    >>> yes, no = ["SpaceAfter=No", r"SpacesAfter=\\s\\s"], ["SpaceAfter=No"]
    >>> rebuild([Sentence(["Yes", "."], misc=yes), Sentence(["No"], misc=no)])
    'Yes.  No'
    """
    text = RunningText()
    return "".join([text.add(sentence) for sentence in sentences])


def _surface(sentence: Sentence) -> tuple[str, bool]:
    """The text with what is known to follow it, and whether that is not known."""
    pieces: list[str] = []
    is_open = False
    ranges = {token.start: token for token in sentence.multiwords}
    forms, misc = sentence.forms, sentence.misc
    word = 1
    while word <= len(forms):
        token = ranges.get(word)
        said = token.misc if token else misc[word - 1]
        before, form, after = _spelt(token.form if token else forms[word - 1], said)
        pieces += [" " if is_open else "", before, form, after or ""]
        is_open = after is None
        word = token.end + 1 if token else word + 1
    return "".join(pieces), is_open


def _spelt(form: str, misc: str) -> tuple[str, str, str | None]:
    """The spaces before a token, the token as it was written, the spaces behind it or None where nothing is said."""
    before, after = "", None
    if misc != "_":
        for part in misc.split("|"):
            name, _, value = part.partition("=")
            if name == "SpaceAfter" and value == "No":
                after = ""
            elif name == "SpacesAfter":
                after = spaces_meant(value)
            elif name == "SpacesBefore":
                before = spaces_meant(value)
            elif name == "SpacesInToken":
                form = spaces_meant(value)
    return before, form, after
