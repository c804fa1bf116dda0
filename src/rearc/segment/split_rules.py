r"""Split rules: which words a token consists of, as short strings that many tokens share.

The rule `f|>~-lo>|lo` makes two words of *mantê-lo*: the token without *-lo* at its end, and *lo*. The parts of a rule
stand between |:

- first f or k: whether the texts of the rule follow the case of the token, or are kept as they are;
- then each word, as a text, or as what is left of the token: the text that goes from its front, >, what comes in its
  place, ~, and the same of its back. At most one word is of this kind.

A backslash stands before backslashes, |, > and ~ that belong to a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

WHOLE = "f|>~>"  # the token is one word
_TEXT = r"(?:[^\\|>~]|\\.)"
_WORD = re.compile(rf"({_TEXT}*)>({_TEXT}*)~({_TEXT}*)>({_TEXT}*)|({_TEXT}+)", re.DOTALL)
_RULE = re.compile(r"[fk](?:\|(?:[^\\|]|\\.)+)+", re.DOTALL)
_PART = re.compile(r"\|((?:[^\\|]|\\.)+)", re.DOTALL)
_SPECIAL = re.compile(r"[\\|>~]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LONG = 100  # characters; difflib takes too long over longer ones, and no rule would be of use for other tokens

Split = Callable[[str], list[str]]


def make_split(token: str, words: Sequence[str]) -> str:
    """The rule that makes these words from this token.

    >>> make_split("Kerry's", ["Kerry", "'s"]), make_split("Du", ["De", "le"]), make_split("du", ["du"])
    ("f|>~'s>|'s", 'f|de|le', 'f|>~>')
    """
    if not token or not words or not all(words):
        raise ValueError(f"found the token {token[:40]!r} with {len(words)} words, expected some text for each of them")
    if [*words] == [token]:
        return WHOLE
    stem, (start, place, size) = max(
        ((k, _common(token, word)) for k, word in enumerate(words)), key=lambda found: (found[1][2], -found[0])
    )
    for mode, change in (("f", str.lower), ("k", str)):
        parts = [_escape(change(word)) for word in words]
        if size > 1:
            front, back = token[:start], token[start + size :]
            before, behind = words[stem][:place], words[stem][place + size :]
            a, b, c, d = (_escape(change(text)) for text in (front, before, back, behind))
            rule = "|".join([mode, *parts[:stem], f"{a}>{b}~{c}>{d}", *parts[stem + 1 :]])
            if apply_split(rule, token) == [*words]:
                return rule
        rule = "|".join([mode, *parts])
        if apply_split(rule, token) == [*words]:
            return rule
    raise AssertionError("unreachable: texts as they are make any words")


def apply_split(rule: str, token: str) -> list[str]:
    """The words that the rule makes of the token; the token itself where the rule takes away what is not there, or all.

    >>> apply_split("f|>~'s>|'s", "NPR'S"), apply_split("f|de|le", "Du")
    (['NPR', "'S"], ['De', 'le'])
    """
    return compile_split(rule)(token)


@lru_cache(maxsize=1 << 16)
def compile_split(rule: str) -> Split:
    """The rule as a function from tokens to words. ValueError if it is none.

    >>> compile_split("f|de|le")("DU")
    ['DE', 'LE']
    """
    parts = [_WORD.fullmatch(part) for part in _PART.findall(rule)] if _RULE.fullmatch(rule) else [None]
    matches = [match for match in parts if match]
    stems = [k for k, match in enumerate(matches) if match[1] is not None]
    if len(matches) < len(parts) or len(stems) > 1:
        raise ValueError(f"found the split rule {rule[:40]!r}, expected one such as f|de|le or f|>~'s>|'s")
    if rule == WHOLE:
        return lambda token: [token]
    stem = stems[0] if stems else -1
    front, back = (_plain(matches[stem][1]), _plain(matches[stem][3])) if stems else ("", "")
    texts = [(_plain(match[2] or match[5]), _plain(match[4])) for match in matches]
    follow = rule[0] == "f"

    def split(token: str) -> list[str]:
        if stems:
            first, last = token[: len(front)], token[len(token) - len(back) :]
            if follow:
                first, last = first.lower(), last.lower()
            if first != front or last != back or len(front) + len(back) >= len(token):
                return [token]
        cased = texts
        if follow and token[:1] != token[:1].lower():
            cased = [_like(token, *pair, k == 0) for k, pair in enumerate(texts)]
        words = [before + behind for before, behind in cased]
        if stems:
            before, behind = cased[stem]
            words[stem] = before + token[len(front) : len(token) - len(back)] + behind
        return words

    return split


def _like(token: str, before: str, behind: str, is_first: bool) -> tuple[str, str]:
    """The texts of a word in the case of the token, which starts with a capital."""
    if len(token) > 1 and token.isupper():
        return before.upper(), behind.upper()
    return (before[:1].upper() + before[1:] if is_first else before), behind


def _common(token: str, word: str) -> tuple[int, int, int]:
    """The longest stretch that both have: where it starts in the token and in the word, and its length."""
    if token == word:
        return 0, 0, len(word)
    if len(token) > _LONG or len(word) > _LONG:
        return 0, 0, 0
    return SequenceMatcher(None, token, word, autojunk=False).find_longest_match()


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _plain(text: str | None) -> str:
    return _ESCAPED.sub(r"\1", text or "")
