"""Sentences as the text they are from: tokens, and the spaces between them as MISC has them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rearc.treebank.sentence import Sentence
from rearc.treebank.spaces import tokens_of, unescaped, value, written

_NEW = re.compile(r"#[ \t]*(newpar|newdoc)\b").match


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
        pieces: list[str] = []
        if self._is_open:
            pieces.append("\n\n" if any(map(_NEW, sentence.comments)) else " ")
            self._is_open = False
        for token in tokens_of(sentence):
            if self._is_open:
                pieces.append(" ")
            misc = token.misc
            if "Space" not in misc:
                pieces.append(token.form)
                self._is_open = True
                continue
            after = "" if value(misc, "SpaceAfter") == "No" else value(misc, "SpacesAfter")
            pieces += [unescaped(value(misc, "SpacesBefore") or ""), written(token), unescaped(after or "")]
            self._is_open = after is None
        return "".join(pieces)

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
    return "".join([text.add(sentence) for sentence in sentences]) + text.end()
