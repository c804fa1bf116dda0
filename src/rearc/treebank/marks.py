"""Marks that a treebank lacks, read as those that it has: people write l’eau where the treebank has l'eau."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rearc.treebank.sentence import Sentence

# What may stand for what, the nearest first.
STAND_INS = {
    "'": ("\u2019",), "\u2019": ("'",), "\u02bc": ("'", "\u2019"), "\u2018": ("'", "\u2019"), "\u00b4": ("'", "\u2019"),
    '"': ("\u201c", "\u00ab", "\u201e"), "\u201c": ('"', "\u00ab", "\u201e"), "\u201d": ('"', "\u00bb", "\u201c"),
    "\u201e": ('"', "\u201c", "\u00ab"), "\u00ab": ('"', "\u201c"), "\u00bb": ('"', "\u201d"),
    "\u2013": ("\u2014", "-"), "\u2014": ("\u2013", "-"), "\u2212": ("-", "\u2013"), "\u2010": ("-",), "\u2011": ("-",),
    "\u2026": ("...",),
}  # fmt: skip
FEW = 5  # what is seen less often is hardly known
ENOUGH = 10  # a stand-in has to be seen so often


def stand_ins(words: Iterable[str]) -> dict[str, str]:
    """Of the marks that hardly occur in these words of a treebank, those that another one can stand for, and that one.

    >>> stand_ins(["l'", "eau"] * 10)["\u2019"]
    "'"
    """
    forms = Counter(words)
    marks = {*STAND_INS, *(other for others in STAND_INS.values() for other in others)}
    looked = [(form, count) for form, count in forms.items() if not form.isalnum()]
    seen = {mark: sum(count * form.count(mark) for form, count in looked) for mark in marks}
    table = {}
    for mark, others in STAND_INS.items():
        known = [other for other in others if seen[other] >= ENOUGH]
        if known and seen[mark] < FEW:
            table[mark] = known[0]
    return table


def are_marks(value: object) -> bool:
    """Whether a model may say so of its marks: what comes out of a file could be anything.

    >>> are_marks({"\u2019": "'"}), are_marks({"e": "'"})
    (True, False)
    """
    return isinstance(value, dict) and all(other in STAND_INS.get(mark, ()) for mark, other in value.items())


class Marks:
    """Reads marks as those that stand for them.

    >>> marks = Marks({"\u2019": "'"})
    >>> written = Sentence(["l\u2019", "eau"])
    >>> marks.plain(written).forms, marks.restored(marks.plain(written), written).forms
    (["l'", 'eau'], ['l\u2019', 'eau'])
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = str.maketrans(dict(table))
        self._search = re.compile("[" + re.escape("".join(table)) + "]").search if table else None

    def read(self, form: str) -> str:
        """A form as it is looked at."""
        return form.translate(self._table) if self._search else form

    def read_all(self, forms: Sequence[str]) -> Sequence[str]:
        """Forms as they are looked at; the same object where these are they."""
        if self._search is None or not self._search("\n".join(forms)):
            return forms
        return [form.translate(self._table) for form in forms]

    def plain(self, sentence: Sentence) -> Sentence:
        """The sentence with the forms that are looked at; itself where these are its own."""
        forms = sentence._column("forms") or ()  # None: all of them are "_"
        read = self.read_all(forms)
        return sentence if read is forms else sentence.replace(forms=read)

    def restored(self, parsed: Sentence, written: Sentence) -> Sentence:
        """A sentence that was parsed, with the forms as they were written."""
        if self._search is None or parsed._column("forms") == written._column("forms"):
            return parsed
        return parsed.replace(forms=written.forms)
