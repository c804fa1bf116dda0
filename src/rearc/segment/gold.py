"""The text of a treebank, and where its tokens and sentences are in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rearc.segment.characters import class_of
from rearc.segment.text import Text, Tokens
from rearc.treebank import Sentence
from rearc.treebank.spaces import behind, tokens_of, value, written

_SPACES = re.compile(r"[\s\0]*")
_STICKS_LEFT = {"stop", "close", "point"}  # to the token before it, where a treebank tells of no spaces


class Gold(NamedTuple):
    """Running text as it should be segmented."""

    text: str
    tokens: Tokens
    lasts: NDArray[np.uint8]  # 1 where a sentence ends with the token


Pieces = list[tuple[str, str]]  # tokens as they are written, each with what is behind it


def gold_text(sentences: Sequence[Pieces], ends: Sequence[str] | None = None) -> Gold:
    """The sentences one behind the other; `ends` replaces what is behind the last token of each.

    >>> gold = gold_text([[("Go", ""), ("!", " ")], [("Stop", ""), ("!", "")]])
    >>> gold.text, gold.tokens.ends.tolist(), gold.lasts.tolist()
    ('Go! Stop!', [2, 3, 8, 9], [0, 1, 0, 1])
    """
    parts: list[str] = []
    lasts: list[int] = []
    for k, pieces in enumerate(sentences):
        for token, spaces in pieces:
            parts += (token, spaces)
        lasts += [0] * (len(pieces) - 1) + [1]
        if ends is not None:
            parts[-1] = ends[k]
    places = np.cumsum([0, *map(len, parts)])
    text = "".join(parts)
    tokens = Tokens(Text(text), places[:-1:2], places[1::2])
    return Gold(text, tokens, np.array(lasts, dtype=np.uint8))


def pieces_of(sentences: Sequence[Sentence]) -> list[Pieces]:
    """The tokens of sentences with the spaces behind them: by `# text` where it fits, else by MISC, else by a guess.

    A treebank without `# text` and SpaceAfter tells nothing of spaces. There punctuation is taken to stick to what is
    before it, an opening bracket to what is behind it, and in scripts without spaces everything to everything.

    >>> from rearc.treebank import Sentence
    >>> pieces_of([Sentence(["Go", "!"])])
    [[('Go', ''), ('!', ' ')]]
    """
    result = [_by_text(sentence) or _by_misc(sentence) for sentence in sentences]
    return result if tells_spaces(sentences) else [_guessed(pieces) for pieces in result]


def tells_spaces(sentences: Sequence[Sentence]) -> bool:
    """Whether a treebank tells where spaces are: by its texts, or in MISC.

    >>> tells_spaces([Sentence(["Go", "!"])]), tells_spaces([Sentence(["Go", "!"], misc=["SpaceAfter=No", "_"])])
    (False, True)
    """
    return any(_text(s) is not None or any("Space" in misc for misc in s.misc) for s in sentences)


def _text(sentence: Sentence) -> str | None:
    for line in sentence.comments:
        name, equals, text = line[1:].partition("=")
        if equals and name.strip() == "text":
            return text.strip()
    return None


def _by_text(sentence: Sentence) -> Pieces | None:
    """None where the tokens and white space between them do not make up `# text`."""
    text = _text(sentence)
    if text is None:
        return None
    pieces: Pieces = []
    at = 0
    tokens = tokens_of(sentence)
    for token in tokens:
        form = written(token)
        if not text.startswith(form, at):
            return None
        stop = at + len(form)
        at = _SPACES.match(text, stop).end()  # type: ignore[union-attr]
        spaces = text[stop:at]
        explicit = value(token.misc, "SpacesAfter") is not None
        pieces.append((form, behind(token.misc) if explicit or token is tokens[-1] else spaces))
    return pieces if at == len(text) else None


def _by_misc(sentence: Sentence) -> Pieces:
    return [(written(token), behind(token.misc)) for token in tokens_of(sentence)]


def _guessed(pieces: Pieces) -> Pieces:
    joined = [
        (this, "" if _stick(this, then) else spaces) for (this, spaces), (then, _) in pairwise(pieces)
    ]  # fmt: skip
    return [*joined, pieces[-1]]


def _stick(this: str, then: str) -> bool:
    left, right = class_of(this[-1]), class_of(then[0])
    return left == "open" or right in _STICKS_LEFT or "ideograph" in (left, right)
