"""Rules of annotation that a tree can be held to: those of Universal Dependencies, as its validator has them.

Only what concerns the shape of a tree and its labels, not the language. A label counts by its part before the colon.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rearc.errors import suggestion
from rearc.treebank.sentence import Sentence

# A head has one dependent of each of these at most. An outer subject belongs to another clause and does not count.
ONE_OF = {"nsubj": "subject", "csubj": "subject", "obj": "object", "expl": "expletive"}
_OUTER = ("nsubj:outer", "csubj:outer")

# What a function word, or a piece of punctuation, may have as dependents: nothing else.
_ADVERBIAL = frozenset({"advmod", "obl", "goeswith", "fixed", "reparandum", "conj", "cc", "punct"})
_VERBAL = frozenset({"goeswith", "fixed", "reparandum", "conj", "cc", "punct"})
_DET = _ADVERBIAL | {"det", "case", "clf", "flat", "compound", "discourse", "parataxis"}
LEAVES: dict[str, frozenset[str]] = {
    "case": _ADVERBIAL,
    "mark": _ADVERBIAL,
    "clf": _ADVERBIAL,
    "aux": _VERBAL,
    "cop": _VERBAL,
    "cc": _VERBAL - {"cc"},
    "det": _DET,
    "fixed": frozenset({"goeswith", "reparandum", "conj", "punct"}),
    "goeswith": frozenset(),
    "punct": frozenset({"punct"}),
}
RULES = ("ud",)


@dataclass(frozen=True)
class Breach:
    """A rule that a tree breaks, and the word that breaks it."""

    word: int
    rule: str


def check_rules(name: str) -> None:
    """ValueError for what is no set of rules."""
    if name not in RULES:
        raise ValueError(f"found the rules {name!r}, expected {' or '.join(map(repr, RULES))}{suggestion(name, RULES)}")


def base(label: str) -> str:
    """The universal part of a label.

    >>> base("nsubj:pass")
    'nsubj'
    """
    return label.partition(":")[0]


def one_of(label: str) -> str | None:
    """What a head has one of at most, if the label stands for it.

    >>> one_of("nsubj:pass"), one_of("nsubj:outer"), one_of("obl")
    ('subject', None, None)
    """
    return None if label in _OUTER else ONE_OF.get(base(label))


def takes(head_label: str, label: str, negates: bool = False, possessive: bool = False) -> bool:
    """Whether a word with the one label may have a dependent with the other.

    negates: the dependent is a negation, which may modify any function word; possessive: the head is a possessive
    determiner.

    >>> takes("case", "advmod"), takes("case", "nmod"), takes("nsubj", "nmod")
    (True, False, True)
    """
    head_label, label = base(head_label), base(label)
    allowed = LEAVES.get(head_label)
    if allowed is None or label in allowed:
        return True
    if negates and label == "advmod" and head_label != "punct":
        return True
    return possessive and head_label == "det" and label in ("appos", "acl", "nmod")


def is_negation(upos: str, feats: str) -> bool:
    """Whether these are the tags of a negation."""
    return upos in ("PART", "ADV") and "Polarity=Neg" in feats.split("|")


def is_possessive(feats: str) -> bool:
    """Whether these are the features of a possessive."""
    return "Poss=Yes" in feats.split("|")


def breaches(sentence: Sentence, rules: str = "ud") -> Iterator[Breach]:
    """Where the tree of a sentence breaks the rules.

    >>> tree = Sentence(["Dogs", "dogs", "bark"], heads=[3, 3, 0], deprels=["nsubj", "nsubj", "root"])
    >>> list(breaches(tree))
    [Breach(word=2, rule='a second subject of 3')]
    """
    check_rules(rules)
    heads, labels = [0, *sentence.heads], ["", *sentence.deprels]
    upos, feats = ["", *sentence.upos], ["", *sentence.feats]
    seen: set[tuple[int, str]] = set()
    roots = 0
    for d in range(1, len(heads)):
        h = heads[d]
        roots += h == 0
        if h == 0 and roots > 1:
            yield Breach(d, "a second root")
        if (h == 0) != (base(labels[d]) == "root"):
            yield Breach(d, "a root that is not labelled root" if h == 0 else "the label root below a word")
        what = one_of(labels[d])
        if h and what:
            if (h, what) in seen:
                yield Breach(d, f"a second {what} of {h}")
            seen.add((h, what))
        if h and not takes(labels[h], labels[d], is_negation(upos[d], feats[d]), is_possessive(feats[h])):
            yield Breach(d, f"{base(labels[d])} of {h}, which is {base(labels[h])}")
