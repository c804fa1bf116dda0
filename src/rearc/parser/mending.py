"""Labels that keep the rules: the tree stays, and words whose labels break a rule get the best label that does not."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from rearc.treebank import Sentence
from rearc.treebank.rules import LEAVES, base, is_negation, is_possessive, one_of, takes


def moved_up(sentence: Sentence, fixed: Collection[int]) -> dict[int, int]:
    """New heads for words that hang on function words which may not have them: the next word above that may.

    A projective tree stays projective. A word of `fixed` stays where it is.
    """
    heads, labels = [0, *sentence.heads], ["", *sentence.deprels]
    upos, feats = ["", *sentence.upos], ["", *sentence.feats]
    moved = {}
    for d in range(1, len(heads)):
        h = heads[d]
        while (
            h and heads[h] and not takes(labels[h], labels[d], is_negation(upos[d], feats[d]), is_possessive(feats[h]))
        ):
            h = heads[h]
        if h != heads[d] and h and d not in fixed:
            moved[d] = h
    return moved


def relabelled(
    sentence: Sentence, names: Sequence[str], scores: NDArray[np.float32], words: Collection[int]
) -> list[str]:
    """The labels, of these words the best that their heads take."""
    labels = sentence.deprels
    for d in words:
        h = sentence.heads[d - 1]
        allowed = np.array([base(name) != "root" and takes(labels[h - 1], name) for name in names])
        if allowed.any():
            labels[d - 1] = names[int(np.where(allowed, scores[d - 1], -np.inf).argmax())]
    return labels


def mended(
    sentence: Sentence, names: Sequence[str], scores: NDArray[np.float32], fixed: Collection[int]
) -> list[str] | None:
    """The labels of the words, mended; None where that cannot be, for want of labels.

    scores: a row a word and a column a name, to choose by; a word of `fixed` keeps its label.

    A word with dependents that its label does not allow gets another label; of several subjects, say, the one with the
    best score stays. The new labels are such as are free of rules, so nothing else breaks.
    """
    heads, labels = [0, *sentence.heads], ["", *sentence.deprels]
    upos, feats = ["", *sentence.upos], ["", *sentence.feats]
    n = len(sentence)
    of_root = np.array([base(name) == "root" for name in names])
    ruled = np.array([base(name) in LEAVES or one_of(name) is not None for name in names])
    number = {name: k for k, name in enumerate(names)}

    def score(d: int) -> float:
        return float(scores[d - 1, number[labels[d]]]) if labels[d] in number else 0.0

    def relabel(d: int, allowed: NDArray[np.bool_]) -> bool:
        if d in fixed or not allowed.any():
            return False
        labels[d] = names[int(np.where(allowed, scores[d - 1], -np.inf).argmax())]
        return True

    def is_allowed(d: int) -> bool:
        h = heads[d]
        return h == 0 or takes(labels[h], labels[d], is_negation(upos[d], feats[d]), is_possessive(feats[h]))

    def fitting(label: str, has_dependents: bool) -> NDArray[np.bool_]:
        """What may stand below a label that is fixed."""
        free = np.array([takes(label, name) and one_of(name) is None for name in names]) & ~of_root
        above = free & np.array([base(name) not in LEAVES for name in names])
        fits: NDArray[np.bool_] = above if has_dependents else free
        return fits

    for d in range(1, n + 1):  # the root is labelled root, and it alone
        if (heads[d] == 0) != (base(labels[d]) == "root") and not relabel(
            d, of_root if heads[d] == 0 else ~of_root & ~ruled
        ):
            return None
    changed = True
    while changed:  # what has dependents that it may not have; each turn leaves fewer such labels
        changed = False
        for d in range(1, n + 1):
            if is_allowed(d):
                continue
            changed, h = True, heads[d]
            if h not in fixed and not relabel(h, ~of_root & ~ruled):
                return None
            if h in fixed and not relabel(d, fitting(labels[h], any(heads[w] == d for w in range(1, n + 1)))):
                return None
            if not is_allowed(d):
                return None
    groups: dict[tuple[int, str], list[int]] = {}
    for d in range(1, n + 1):
        what = one_of(labels[d])
        if heads[d] and what:
            groups.setdefault((heads[d], what), []).append(d)
    for (h, _), words in groups.items():  # one of each
        stays = [d for d in words if d in fixed] or [max(words, key=score)]
        for d in words:
            free = np.array([takes(labels[h], name) for name in names]) & ~of_root & ~ruled
            if (d in stays and len(stays) > 1) or (d not in stays and not relabel(d, free)):
                return None
    return labels[1:]
