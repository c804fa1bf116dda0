"""The systems that are worth a trial on a treebank, and the one that is right on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rearc.oracles.table import takes_partial
from rearc.systems import traits
from rearc.treebank import Sentence
from rearc.treebank.partial import clash
from rearc.treebank.trees import is_projective


@dataclass(frozen=True)
class Candidate:
    """A system with its oracle and what becomes of non-projective trees."""

    system: str
    oracle: str
    non_projective: str | None = None  # None where the system derives them
    cost: float = 1.0  # CPU time of a sentence, in training and parsing, where that of the cheapest is 1
    share: float = 0.0  # percent of non-projective sentences from which on it can be better than the others
    several_roots: bool = False  # it is for treebanks whose sentences may have several roots alone

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.system, self.oracle, self.non_projective)))


# Where two are equally good in a trial, the first is taken.
CANDIDATES = {
    "perceptron": (
        Candidate("arc-eager-unshift", "dynamic-monotonic", "lift"),
        Candidate("arc-eager-unshift", "dynamic-monotonic", "head", share=2.0),
        Candidate("arc-eager-nonmonotonic", "dynamic-monotonic", "lift", several_roots=True),
        Candidate("arc-eager-nonmonotonic", "dynamic-monotonic", "head", share=2.0, several_roots=True),
        Candidate("covington", "dynamic", cost=2.4),
        Candidate("covington-nonmonotonic", "upper", cost=3.0, share=20.0),
        Candidate("nl-covington", "dynamic", cost=3.6, share=5.0),
    ),
    "bilstm": (
        Candidate("arc-hybrid", "dynamic", "lift"),
        Candidate("arc-hybrid", "dynamic", "head", share=2.0),
        Candidate("nl-covington", "dynamic"),
    ),
}

# What is right on average, by the percentage of non-projective sentences above which it is: docs/training.md. The first
# that fits is taken.
QUICK = {
    "perceptron": (
        (25.0, Candidate("covington-nonmonotonic", "upper")),
        (2.0, Candidate("arc-eager-unshift", "dynamic-monotonic", "head")),
        (-1.0, Candidate("arc-eager-unshift", "dynamic-monotonic", "lift")),
        (2.0, Candidate("arc-eager-nonmonotonic", "dynamic-monotonic", "head", several_roots=True)),
        (-1.0, Candidate("arc-eager-nonmonotonic", "dynamic-monotonic", "lift", several_roots=True)),
    ),
    "bilstm": (
        (10.0, Candidate("nl-covington", "dynamic")),
        (-1.0, Candidate("arc-hybrid", "dynamic", "lift")),
    ),
}

LEAST_SENTENCES = 100  # with fewer a trial says nothing


def share_of(sentences: Sequence[Sentence]) -> float:
    """Percent of the sentences whose trees are non-projective."""
    return 100 * sum(map(_crosses, sentences)) / len(sentences)


def _crosses(sentence: Sentence) -> bool:
    """No projective tree has the known arcs."""
    if sentence.has_tree:
        return not is_projective(sentence.tree)
    return clash({d: h for d, h in enumerate(sentence.heads, 1) if h >= 0}) is not None


def candidates(model: str, sentences: Sequence[Sentence], one_root: bool) -> list[Candidate]:
    """What is worth a trial on such a treebank, and can learn from it; one_root: systems that build no more will do."""
    share = share_of(sentences)
    whole = all(s.has_tree for s in sentences)
    return [
        candidate
        for candidate in CANDIDATES[model]
        if share >= candidate.share
        and (whole or takes_partial(candidate.system, candidate.oracle))
        and _fits(candidate, one_root)
    ]


def _fits(candidate: Candidate, one_root: bool) -> bool:
    """The system can build several roots if it has to, and is not there for them alone if it has not."""
    return not candidate.several_roots if one_root else not traits(candidate.system).one_root


def choose_quickly(model: str, sentences: Sequence[Sentence], one_root: bool) -> tuple[Candidate, str]:
    """What is right on average for such a treebank, and why."""
    share = share_of(sentences)
    rows = _fitting(model, one_root)
    limit, candidate = next((limit, candidate) for limit, candidate in rows if share > limit)
    above = f", more than {limit:g} %" if limit >= 0 else f", not more than {rows[-2][0]:g} %"
    return candidate, f"{share:.1f} % of the training sentences are non-projective{above}"


def quick_choices(model: str) -> str:
    """The choices of `choose_quickly` in words."""
    one, several = (_in_words(_fitting(model, one_root)) for one_root in (True, False))
    return one if one == several else f"{one}; where sentences have several roots, {several}"


def _fitting(model: str, one_root: bool) -> list[tuple[float, Candidate]]:
    return [row for row in QUICK[model] if _fits(row[1], one_root)]


def _in_words(rows: Sequence[tuple[float, Candidate]]) -> str:
    *limited, (_, rest) = rows
    parts = [f"`{candidate}` above {limit:g} %" for limit, candidate in limited]
    return ", ".join([*parts, f"`{rest}` else"])
