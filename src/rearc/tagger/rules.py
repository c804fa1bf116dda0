r"""Lemma rules: how a lemma is made from a form, as short strings that many forms share.

A rule such as `l|0|2y` says: the form in lower case, nothing less or more at its front, and y for the last two letters.
Its three parts are

- the case that the form is put into first: l lower, c first letter upper and the others lower, u upper, k as it is;
- how many characters go from the front, and what comes in their place;
- the same of the back, where what comes in their place stands behind the rest.

A backslash stands before backslashes, | and digits that belong to a text. Where form and lemma have little in common,
the rule is `=` and the lemma: `=go` for went.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache

KEEP = "k|0|0"
_CASES: dict[str, Callable[[str], str]] = {
    "l": str.lower,
    "c": lambda form: form[:1].upper() + form[1:].lower(),
    "u": str.upper,
    "k": str,
}
_RULE = re.compile(r"([lcuk])\|(0|[1-9]\d{0,5})((?:[^\\|\d]|\\.)*)\|(0|[1-9]\d{0,5})((?:[^\\|\d]|\\.)*)", re.DOTALL)
_SPECIAL = re.compile(r"[\\|\d]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LONG = 100  # characters; difflib takes too long over longer ones, and no rule would be of use for other forms

Rule = Callable[[str], str]


def make_rule(form: str, lemma: str) -> str:
    """The rule that makes this lemma from this form.

    Of the cases, that is taken which leaves most of the form as it is; of equals, the first of l, c, u, k.

    >>> make_rule("Parties", "party"), make_rule("went", "go"), make_rule("IBM", "IBM")
    ('l|0|3y', '=go', 'u|0|0')
    """
    best, most = "=" + lemma, 0
    for case, change in _CASES.items():
        start, place, size = _common(change(form), lemma)
        if size > most and 3 * size >= len(lemma):
            end = len(change(form)) - start - size
            rule = f"{case}|{start}{_escape(lemma[:place])}|{end}{_escape(lemma[place + size :])}"
            if apply_rule(rule, form) == lemma:
                best, most = rule, size
    return best


def apply_rule(rule: str, form: str) -> str:
    """What the rule makes of the form; the form itself where the rule takes away more than there is, or all.

    >>> apply_rule("l|0|3y", "Cities"), apply_rule("l|0|3y", "it")
    ('city', 'it')
    """
    return compile_rule(rule)(form)


@lru_cache(maxsize=1 << 16)
def compile_rule(rule: str) -> Rule:
    """The rule as a function from forms to lemmas. ValueError if it is none.

    >>> compile_rule("l|2|0")("gefallen")
    'fallen'
    """
    if rule[:1] == "=" and len(rule) > 1:
        lemma = rule[1:]
        return lambda form: lemma
    match = _RULE.fullmatch(rule)
    if not match:
        raise ValueError(f"found the lemma rule {rule[:40]!r}, expected one such as l|0|2y or =go")
    change, front, back = _CASES[match[1]], int(match[2]), int(match[4])
    before, behind = _ESCAPED.sub(r"\1", match[3]), _ESCAPED.sub(r"\1", match[5])
    if not (front or back or before or behind):
        return change

    def make(form: str) -> str:
        text = change(form)
        if front + back >= len(text):
            return form
        return before + text[front : len(text) - back] + behind

    return make


def _common(text: str, lemma: str) -> tuple[int, int, int]:
    """The longest stretch that both have: where it starts in the text and in the lemma, and its length."""
    if text == lemma:
        return 0, 0, len(lemma)
    if len(text) > _LONG or len(lemma) > _LONG:
        return 0, 0, 0
    return SequenceMatcher(None, text, lemma, autojunk=False).find_longest_match()


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
