"""Beam search as one would write it down, over configurations that are values; and all derivations, without a beam."""

from collections.abc import Callable
from math import exp, log
from typing import Any

from .gold import Tree
from .search import Space

Steps = Callable[[Any], dict[str, float]]  # what each legal transition of a configuration adds


def as_logarithms(scores: dict[str, float], scale: float) -> dict[str, float]:
    """Scores as logarithms of probabilities; as they are without a scale."""
    if not scale:
        return scores
    top = max(scores.values())
    total = log(sum(exp(scale * (score - top)) for score in scores.values()))
    return {t: scale * (score - top) - total for t, score in scores.items()}


def naive_beam(
    space: Space, size: int, steps: Steps, words_left: Callable[[Any], int] | None
) -> list[tuple[Tree, float]]:
    """The trees found, best first. words_left: where derivations meet word by word, and not step by step."""
    now, done = {space.first: 0.0}, {}
    while now:
        later: dict[Any, float] = {}
        while now:
            ways = [(score + step, space.after[c][t], c) for c, score in now.items() for t, step in steps(c).items()]
            ways.sort(key=lambda way: -way[0])
            fresh: dict[Any, float] = {}
            kept = 0
            for score, after, before in ways:
                if kept == size:
                    break
                pool, key = later, after
                if not space.after[after]:
                    pool, key = done, space.system.heads(after)
                elif words_left and words_left(after) == words_left(before):
                    pool = fresh
                if key in pool:
                    pool[key] = max(pool[key], score)
                    continue
                kept += 1
                worst = min(pool, key=pool.__getitem__, default=None)
                if len(pool) < size:
                    pool[key] = score
                elif score > pool[worst]:  # in whose place it comes: of equals the first goes on first
                    entries = [(key, score) if c == worst else (c, old) for c, old in pool.items()]
                    pool.clear()
                    pool.update(entries)
            now = fresh
        now = later
    return sorted(done.items(), key=lambda item: -item[1])


def all_derivations(space: Space, steps: Steps) -> dict[Tree, float]:
    """Of every tree the best score of all its derivations."""
    known: dict[Any, dict[Tree, float]] = {}

    def best(c: Any) -> dict[Tree, float]:
        if c not in known:
            found: dict[Tree, float] = {} if space.after[c] else {space.system.heads(c): 0.0}
            for t, step in (steps(c) if space.after[c] else {}).items():
                for tree, score in best(space.after[c][t]).items():
                    found[tree] = max(found.get(tree, -float("inf")), step + score)
            known[c] = found
        return known[c]

    return best(space.first)
