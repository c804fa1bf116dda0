"""What a treebank is like: sizes, vocabulary, tags and labels, and how far its trees are from projective."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from rearc.treebank import Sentence
from rearc.treebank.trees import (
    arc_lengths,
    crossings_per_arc,
    depth,
    edge_degree,
    gap_degree,
    is_planar,
    is_well_nested,
    non_projective_arcs,
    roots,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands."""

    words: int
    number: int
    sent_id: str | None
    file: str | None
    line: int


@dataclass(slots=True)
class Statistics:
    """Counts over sentences. Those of trees are over the sentences that have one.

    >>> from rearc.treebank import Sentence
    >>> s = Statistics()
    >>> s.add(Sentence(["I", "saw", "Jack"], heads=[2, 0, 2], deprels=["nsubj", "root", "obj"]))
    >>> s.words, s.gap_degree, s.as_dict()["labels"]
    (3, Counter({0: 1}), {'nsubj': 1, 'obj': 1, 'root': 1})
    """

    sentences: int = 0
    words: int = 0
    multiword_tokens: int = 0
    words_in_multiword_tokens: int = 0
    empty_nodes: int = 0
    longest: Place | None = None
    forms: Counter[str] = field(default_factory=Counter)
    lemmas: Counter[str] = field(default_factory=Counter)
    upos: Counter[str] = field(default_factory=Counter)
    xpos: Counter[str] = field(default_factory=Counter)
    feats: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    trees: int = 0
    tree_words: int = 0
    roots: Counter[int] = field(default_factory=Counter)
    non_projective_arcs: int = 0
    non_projective_trees: int = 0
    planar: int = 0
    well_nested: int = 0
    crossing_arcs: int = 0
    gap_degree: Counter[int] = field(default_factory=Counter)
    edge_degree: Counter[int] = field(default_factory=Counter)
    depth: Counter[int] = field(default_factory=Counter)
    arc_length: Counter[int] = field(default_factory=Counter)

    def add(self, sentence: Sentence) -> None:
        """Count one more sentence."""
        n = len(sentence)
        self.sentences += 1
        self.words += n
        for token in sentence.multiwords:
            self.multiword_tokens += 1
            self.words_in_multiword_tokens += token.end - token.start + 1
        self.empty_nodes += len(sentence.empties)
        if self.longest is None or n > self.longest.words:
            self.longest = Place(n, self.sentences, sentence.sent_id, sentence.file, sentence.line)
        self.forms.update(sentence.forms)
        self.lemmas.update(sentence.lemmas)
        self.upos.update(sentence.upos)
        self.xpos.update(sentence.xpos)
        self.feats.update(sentence.feats)
        self.labels.update(sentence.deprels)
        if sentence.has_tree:
            self._add_tree(sentence.tree)

    def _add_tree(self, heads: Any) -> None:
        self.trees += 1
        self.tree_words += len(heads) - 1
        self.roots[len(roots(heads))] += 1
        self.depth[depth(heads)] += 1
        self.arc_length.update(arc_lengths(heads).tolist())
        del self.arc_length[0]  # arcs from the artificial root have no length
        non_projective = len(non_projective_arcs(heads))
        if non_projective == 0:  # then it is planar and well-nested too, and all degrees are 0
            self.planar += 1
            self.well_nested += 1
            self.gap_degree[0] += 1
            self.edge_degree[0] += 1
            return
        self.non_projective_arcs += non_projective
        self.non_projective_trees += 1
        self.planar += is_planar(heads)
        self.well_nested += is_well_nested(heads)
        self.gap_degree[gap_degree(heads)] += 1
        self.edge_degree[edge_degree(heads)] += 1
        self.crossing_arcs += int((crossings_per_arc(heads) > 0).sum())

    def merge(self, other: Statistics) -> None:
        """Count all that another one has counted."""
        longest = max(
            (place for place in (self.longest, other.longest) if place),
            key=lambda place: place.words,
            default=None,
        )
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, int):
                setattr(self, each.name, mine + theirs)
        self.longest = longest

    @property
    def tokens(self) -> int:
        """Tokens as they are written: a multiword token is one."""
        return self.words - self.words_in_multiword_tokens + self.multiword_tokens

    @property
    def features(self) -> Counter[str]:
        """How often each Name=Value occurs."""
        found: Counter[str] = Counter()
        for feats, count in self.feats.items():
            if feats != "_":
                for feature in feats.split("|"):
                    found[feature] += count
        return found

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON; inventories from the most to the least frequent, without "_"."""
        longest = self.longest
        return {
            "sentences": self.sentences,
            "words": self.words,
            "tokens": self.tokens,
            "multiword_tokens": self.multiword_tokens,
            "empty_nodes": self.empty_nodes,
            "forms": len(_inventory(self.forms)),
            "lemmas": len(_inventory(self.lemmas)),
            "words_per_sentence": ratio(self.words, self.sentences),
            "longest_sentence": longest
            and {
                "words": longest.words,
                "number": longest.number,
                "sent_id": longest.sent_id,
                "file": longest.file,
                "line": longest.line,
            },
            "trees": {
                "trees": self.trees,
                "roots": _distribution(self.roots),
                "single_root": self.roots[1],
                "multiple_roots": self.trees - self.roots[1],
                "depth": {
                    "mean": mean(self.depth),
                    "max": max(self.depth, default=None),
                    "distribution": _distribution(self.depth),
                },
                "arc_length": {
                    "mean": mean(self.arc_length),
                    "max": max(self.arc_length, default=None),
                    "distribution": _distribution(self.arc_length),
                },
            },
            "non_projectivity": {
                "arcs": self.non_projective_arcs,
                "arcs_percent": percent(self.non_projective_arcs, self.tree_words),
                "sentences": self.non_projective_trees,
                "sentences_percent": percent(self.non_projective_trees, self.trees),
                "planar": self.planar,
                "planar_percent": percent(self.planar, self.trees),
                "well_nested": self.well_nested,
                "well_nested_percent": percent(self.well_nested, self.trees),
                "crossing_arcs": self.crossing_arcs,
                "crossing_arcs_percent": percent(self.crossing_arcs, self.tree_words),
                "gap_degree": _distribution(self.gap_degree),
                "edge_degree": _distribution(self.edge_degree),
            },
            "upos": _inventory(self.upos),
            "xpos": _inventory(self.xpos),
            "features": _inventory(self.features),
            "labels": _inventory(self.labels),
        }


def statistics(sentences: Iterable[Sentence]) -> Statistics:
    """Count sentences."""
    result = Statistics()
    for sentence in sentences:
        result.add(sentence)
    return result


def percent(part: int, whole: int) -> float | None:
    """`part` of `whole` in percent, None of nothing."""
    return 100 * part / whole if whole else None


def ratio(part: int, whole: int) -> float | None:
    """`part` per `whole`, None of nothing."""
    return part / whole if whole else None


def mean(counts: Counter[int]) -> float | None:
    """The mean of counted numbers, None of nothing."""
    return ratio(sum(value * count for value, count in counts.items()), counts.total())


def _distribution(counts: Counter[int]) -> dict[int, int]:
    return dict(sorted(counts.items()))


def _inventory(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(((k, c) for k, c in counts.items() if k != "_"), key=lambda item: (-item[1], item[0])))
