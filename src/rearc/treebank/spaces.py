r"""White space in MISC, so that a text can be rebuilt from its tokens.

SpaceAfter=No: nothing is behind the token. SpacesAfter=\s\n: this is. Neither: one space; but behind the last token of
a text nothing is known then. SpacesBefore stands at the first token of a text that begins with white space.
SpacesInToken is how a token is written whose inner white space is not single spaces. In the values \s is a space, \t a
tab, \r and \n line ends, \p a bar, \\ a backslash (UDPipe writes it so), and \u0085 any other white space by its
number.
"""

from __future__ import annotations

import re

from rearc.treebank.fields import Multiword
from rearc.treebank.sentence import Sentence, Word

_ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": "\\\\"}
_MEANT = {sign: character for character, sign in _ESCAPES.items()}
_TO_ESCAPE = re.compile(r"[\s\0|\\]")
_ESCAPED = re.compile(r"\\(?:[strnp\\]|u[0-9A-Fa-f]{4})")
_SPACES = re.compile(r"[\s\0]+")


def escaped(text: str) -> str:
    r"""As it stands in MISC.

    >>> escaped(" \n\x85")
    '\\s\\n\\u0085'
    """
    return _TO_ESCAPE.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04X}", text)


def unescaped(text: str) -> str:
    r"""What a value of MISC means.

    >>> unescaped("\\s\\n\\u0085")
    ' \n\x85'
    """
    return _ESCAPED.sub(lambda m: _MEANT.get(m[0]) or chr(int(m[0][2:], 16)), text)


def value(misc: str, name: str) -> str | None:
    """What MISC says of a name.

    >>> value("Gloss=dog|SpaceAfter=No", "SpaceAfter")
    'No'
    """
    for part in misc.split("|"):
        key, equals, found = part.partition("=")
        if equals and key == name:
            return found
    return None


def behind(misc: str) -> str:
    """The white space behind a token.

    >>> behind("SpaceAfter=No"), behind("_")
    ('', ' ')
    """
    if "Space" not in misc:
        return " "
    spaces = value(misc, "SpacesAfter")
    if spaces is not None:
        return unescaped(spaces)
    return "" if value(misc, "SpaceAfter") == "No" else " "


def written(token: Word | Multiword) -> str:
    """A token as it stands in the text."""
    form = value(token.misc, "SpacesInToken") if "SpacesInToken" in token.misc else None
    return token.form if form is None else unescaped(form)


def misc_of(before: str, token: str, after: str, is_last: bool = False) -> str:
    r"""MISC of a token as it is written, with the white space around it; before: at the first token of a text alone.

    >>> misc_of("", "dog", ""), misc_of("", "dog", " "), misc_of("\n", "dog", "  ")
    ('SpaceAfter=No', '_', 'SpacesBefore=\\n|SpacesAfter=\\s\\s')
    >>> misc_of("", "dog", " ", is_last=True)
    'SpacesAfter=\\s'
    """
    usual = "" if is_last else " "
    if not before and after in ("", usual) and form_of(token) == token:
        return "_" if after else "SpaceAfter=No"
    parts = []
    if not after:
        parts.append("SpaceAfter=No")
    if before:
        parts.append(f"SpacesBefore={escaped(before)}")
    if after not in ("", usual):
        parts.append(f"SpacesAfter={escaped(after)}")
    if form_of(token) != token:
        parts.append(f"SpacesInToken={escaped(token)}")
    return "|".join(parts) or "_"


def form_of(token: str) -> str:
    r"""The form of a token: white space in it is one space.

    >>> form_of("1\n000")
    '1 000'
    """
    return token if token.isalnum() else _SPACES.sub(" ", token)


def tokens_of(sentence: Sentence) -> list[Word | Multiword]:
    """The tokens: words, and multiword tokens in place of theirs.

    >>> from rearc.treebank import Multiword, Sentence
    >>> [token.form for token in tokens_of(Sentence(["do", "n't", "go"], multiwords=[Multiword(1, 2, "don't")]))]
    ["don't", 'go']
    """
    if not sentence.multiwords:
        return list(sentence)
    tokens: list[Word | Multiword] = []
    at = 1
    for span in sentence.multiwords:
        tokens += [sentence[k] for k in range(at, span.start)]
        tokens.append(span)
        at = span.end + 1
    return tokens + [sentence[k] for k in range(at, len(sentence) + 1)]
