"""What stands inside the fields of a word, and the tokens that are no words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

_NODE = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")


class Multiword(NamedTuple):
    """A multiword token: the surface form of the words start … end.

    >>> from rearc.treebank import Sentence
    >>> Sentence(["can", "not"], multiwords=[Multiword(1, 2, "cannot")]).text
    'cannot'
    """

    start: int
    end: int
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: str = "_"
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    @property
    def id(self) -> str:
        """The id as it is written, such as 3-4."""
        return f"{self.start}-{self.end}"


class Empty(NamedTuple):
    """An empty node of the enhanced graph: number `index` of those behind word `after` (0: before word 1).

    >>> from rearc.treebank import Sentence
    >>> [node.id for node in Sentence(["Go"], empties=[Empty(1, 1, "you")]).empties]
    ['1.1']
    """

    after: int
    index: int  # type: ignore[assignment]  # it hides tuple.index(), which nobody misses here
    form: str = "_"
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: str = "_"
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    @property
    def id(self) -> str:
        """The id as it is written, such as 5.1."""
        return f"{self.after}.{self.index}"


def features(feats: str) -> dict[str, str]:
    """FEATS as a dictionary; ValueError names the part that is not Name=Value, or is there twice.

    >>> features("Case=Nom|Number=Sing")
    {'Case': 'Nom', 'Number': 'Sing'}
    """
    pairs: dict[str, str] = {}
    if feats != "_":
        for part in feats.split("|"):
            name, equals, value = part.partition("=")
            if not (name and equals and value) or name in pairs:
                raise ValueError(part)
            pairs[name] = value
    return pairs


def enhanced(deps: str) -> list[tuple[str, str]]:
    """DEPS as a list of (head, relation); ValueError names the part that is not head:relation.

    >>> enhanced("4:nsubj|6.1:obl:in")
    [('4', 'nsubj'), ('6.1', 'obl:in')]
    """
    arcs = []
    if deps != "_":
        for part in deps.split("|"):
            head, colon, relation = part.partition(":")
            if not (colon and relation and _NODE.fullmatch(head)):
                raise ValueError(part)
            arcs.append((head, relation))
    return arcs


def surface(tokens: Sequence[Any]) -> str:
    """The forms of words and multiword tokens, put together as SpaceAfter=No in their MISC says."""
    pieces = []
    for token in tokens:
        pieces += [token.form, "" if "SpaceAfter=No" in token.misc.split("|") else " "]
    return "".join(pieces[:-1])
