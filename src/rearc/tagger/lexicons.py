"""Lexicons out of treebanks: which classes a form had there, as the arrays that `passes.Lexicon` is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rearc.tagger.passes import lexicon_keys
from rearc.tagger.words import NAMES, Words

KINDS = {"keys": np.uint32, "counts": np.uint8, "classes": np.uint16}
_MOST = 255  # classes of an entry


def make_lexicon(
    attributes: Sequence[str],
    words: Words,
    groups: NDArray[np.int32],
    classes: NDArray[np.int32],
    share: float,
    otherwise: frozenset[int] = frozenset(),
    least: int = 1,
) -> dict[str, NDArray[Any]]:
    """The arrays of a Lexicon of these words.

    Each attribute must follow from the one before it. Words with the class −1 are left out, and so are the classes that
    have less than `share` of an entry's words, and entries that say what the next attribute says, or `otherwise` behind
    the last, for which no entry is needed. Affixes count forms, not words, and the classes that have at least `least`
    of these in all.
    """
    rows = words.rows[words.tokens]
    entries: dict[int, tuple[int, ...]] = {}
    below: list[frozenset[int]] = [otherwise] * len(rows)  # what is said of each word by the attributes behind
    for level, attribute in reversed([*enumerate(attributes)]):
        values = rows[:, NAMES.index(attribute)]
        keys = lexicon_keys(level, values, groups)
        used = (values > 0) & (classes >= 0)
        counted = np.stack([keys[used].astype(np.int64), classes[used]])
        if attribute[0] in "ps":
            forms = np.unique(np.stack([words.tokens[used], classes[used]]), axis=1)[1]
            open_ = np.bincount(forms, minlength=1) >= least
            counted = np.unique(np.stack([*counted, words.tokens[used]]), axis=1)[:2]
            counted = counted[:, open_[counted[1]]]
        pairs, counts = np.unique(counted[0] << 16 | counted[1], return_counts=True)
        found: dict[int, dict[int, int]] = {}
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            found.setdefault(pair >> 16, {})[pair & 0xFFFF] = count
        said = {key: _usual(counts, share) for key, counts in found.items()}
        before = below
        below = list(before)
        for k in np.flatnonzero(used).tolist():
            key = int(keys[k])
            if key not in said:
                continue
            below[k] = frozenset(said[key])
            if below[k] != before[k]:
                entries[key] = said[key]
    order = sorted(entries)
    return {
        "keys": np.array(order, dtype=np.uint32),
        "counts": np.array([len(entries[key]) for key in order], dtype=np.uint8),
        "classes": np.array([cls for key in order for cls in entries[key]], dtype=np.uint16),
    }


def _usual(counts: dict[int, int], share: float) -> tuple[int, ...]:
    """The classes, the most frequent first."""
    least = share * sum(counts.values())
    kept = [cls for cls in counts if counts[cls] >= least]
    return tuple(sorted(kept, key=lambda cls: (-counts[cls], cls))[:_MOST])
