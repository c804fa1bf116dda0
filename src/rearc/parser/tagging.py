"""What a parser wants of a tagger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from rearc.parser.model import Pieces
from rearc.treebank import Sentence


class Tagger(Protocol):
    """Fills in the tags that a parser goes by."""

    def tag_many(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences in their order, tagged."""

    def members(self) -> Mapping[str, Pieces]:
        """What a model file keeps of it: names, and pieces of bytes."""


def make_tagger(members: Mapping[str, Pieces]) -> Tagger | None:
    """The tagger that a model file keeps, if it keeps one."""
    if not members:
        return None
    raise ValueError("a tagger, which this version of rearc cannot read")
