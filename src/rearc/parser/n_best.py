"""The best trees of a sentence, not only the best."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

from rearc.search.forest import MOST
from rearc.treebank import Sentence
from rearc.treebank.batches import in_order

if TYPE_CHECKING:
    from rearc.parser.constrained import Which
    from rearc.parser.parser import Parser

USUAL = 8  # derivations followed side by side, if more are not needed


def beam_for(k: int, beam: int | None) -> int:
    """The beam that finds the k best trees. ValueError for what cannot be."""
    if not isinstance(k, int) or not 1 <= k <= MOST:
        raise ValueError(f"found k={k!r}, expected a whole number from 1 to {MOST}")
    if beam is None:
        return max(k, USUAL)
    if not isinstance(beam, int) or not k <= beam <= MOST:
        raise ValueError(f"found beam={beam!r}, expected a whole number from {k}, the trees to find, to {MOST}")
    return beam


def n_best(
    parser: Parser,
    given: list[Sentence],
    k: int,
    beam: int,
    tags: str,
    keep: Collection[str],
    constraints: Which | None = None,
) -> list[list[tuple[Sentence, float]]]:
    """For each sentence its best trees, at most k, with their scores."""
    batch = parser._prepared(given, tags, keep)
    within = parser._within(given, batch, constraints)
    (forest,), predicted, _ = parser._search(batch, [(beam, k)], within)
    counts = forest.counts.tolist()
    copies = list(chain.from_iterable([s] * count for s, count in zip(batch, counts, strict=True)))
    if predicted:
        starts = list(accumulate(map(len, batch), initial=0))
        predicted = {
            name: [*chain.from_iterable(column[a:b] * c for a, b, c in zip(starts, starts[1:], counts, strict=False))]
            for name, column in predicted.items()
        }
    trees = parser._finished(copies, forest.heads, forest.labels, predicted, tags)
    ends = list(accumulate(counts, initial=0))
    scores = [forest.scores[a:b].tolist() for a, b in pairwise(ends)]
    found: Iterable[Sequence[Sentence | None]] = (
        within.complying(trees, forest) if within else (trees[a:b] for a, b in pairwise(ends))
    )
    return [
        [(parser._marks.restored(tree, written), score) for tree, score in _different(own, own_scores)]
        for own, own_scores, written in zip(found, scores, given, strict=True)
    ]


def _different(trees: Sequence[Sentence | None], scores: list[float]) -> list[tuple[Sentence, float]]:
    """Trees that differ may become the same once arcs that were lifted are put back, or rules are kept."""
    seen: dict[tuple[int, ...], tuple[Sentence, float]] = {}
    for tree, score in zip(trees, scores, strict=True):
        if tree is not None:
            seen.setdefault(tuple(tree.heads), (tree, score))
    return list(seen.values())


def ranked(
    parser: Parser,
    sentences: Iterable[Sentence],
    k: int,
    *,
    threads: int = 1,
    tags: str = "auto",
    keep: Collection[str] = (),
    beam: int | None = None,
    constraints: Which | None = None,
) -> Iterator[Sentence]:
    """The best trees of each sentence one after another, with their ranks and scores as comments."""
    size = beam_for(k, beam)

    def work(batch: list[Sentence]) -> list[Sentence]:
        return [
            tree.replace(comments=[*_comments(tree, rank), f"# rank = {rank}", f"# score = {score:.4f}"])
            for found in n_best(parser, batch, k, size, tags, keep, constraints)
            for rank, (tree, score) in enumerate(found, 1)
        ]

    return in_order(work, sentences, threads)


def _comments(tree: Sentence, rank: int) -> list[str]:
    """A paragraph or document begins once, with the first of the trees of its first sentence."""
    begins = ("# newdoc", "# newpar")
    return [line for line in tree.comments if rank == 1 or not line.startswith(begins)]
