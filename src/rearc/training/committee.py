"""Several teachers parse the same text and vote: what most of them find is right more often than what one finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from typing import TypeVar

from rearc.parser import Parser
from rearc.treebank import Sentence
from rearc.treebank.trees import is_tree

TAGS = ("lemmas", "upos", "xpos", "feats")

Choice = TypeVar("Choice")


def parsed_by(
    teachers: Sequence[Parser], sentences: Iterable[Sentence], threads: int = 1, confidence: bool = False
) -> Iterator[tuple[Sentence, ...]]:
    """Each sentence as each of the teachers tags and parses it."""
    each = [
        teacher.parse_many(
            own, threads=threads, tags="predict" if teacher.has_tagger else "given", confidence=confidence
        )
        for teacher, own in zip(teachers, tee(sentences, len(teachers)), strict=True)
    ]
    return zip(*each, strict=True)


def voted(trees: Sequence[Sentence]) -> Sentence:
    """One tree of several: each word has the head, the label and the tags that most of them have.

    Where as many have something else, what comes first in the order of the trees counts. If the heads are then no tree,
    or one with more roots than any of the trees, heads and labels are those of the tree that most agree with.

    >>> trees = [Sentence(["a", "b"], heads=heads, deprels=["x", "y"]) for heads in ([0, 1], [2, 0], [2, 0])]
    >>> voted(trees).heads
    [2, 0]
    """
    heads = [most(votes) for votes in zip(*(tree.heads for tree in trees), strict=True)]
    if not is_tree([0, *heads]) or heads.count(0) > max(tree.heads.count(0) for tree in trees):
        heads = max(trees, key=lambda tree: sum(a == b for a, b in zip(tree.heads, heads, strict=True))).heads
    arcs = zip(*(zip(tree.heads, tree.deprels, strict=True) for tree in trees), strict=True)
    labels = [most([label for own, label in votes if own == head]) for head, votes in zip(heads, arcs, strict=True)]
    tags = {}
    for name in TAGS:
        columns = [getattr(tree, name) for tree in trees if tree._column(name) is not None]
        if columns:
            tags[name] = [most(votes) for votes in zip(*columns, strict=True)]
    return trees[0].replace(heads=heads, deprels=labels, **tags)


def most(votes: Sequence[Choice]) -> Choice:
    """What is there most often; of several, what comes first.

    >>> most("abb"), most("ab")
    ('b', 'a')
    """
    return Counter(votes).most_common(1)[0][0]


def sureness(trees: Sequence[Sentence], heads: Sequence[int]) -> list[float]:
    """How sure the teachers are of these heads on average; who has found another is not sure of it at all."""
    return [
        sum(tree[d].confidence or 0.0 for tree in trees if tree[d].head == head) / len(trees)
        for d, head in enumerate(heads, 1)
    ]
