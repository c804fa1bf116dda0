"""Where words and arcs stand in the classic picture: words in a row, arcs above them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rearc.treebank.drawing.characters import em_width

FORM_SIZE, TAG_SIZE, LABEL_SIZE = 17.0, 11.0, 12.0
GAP = 20.0  # at least so much between two words
PORT = 9.0  # between two arcs that meet the same word
CORNER = 12.0  # radius of an arc's corners
MARGIN = 20.0

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc h→d, its level above the words, the places of its ends and its label. A root's falls straight down."""

    head: int
    dependent: int
    level: int
    head_x: float
    dependent_x: float
    label_x: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The middle of each word (words[0] is unused), the arcs, and the width of the picture."""

    words: list[float]
    arcs: list[Arc]
    width: float

    def mirrored(self) -> Layout:
        """The same with the first word at the right."""
        arcs = [
            Arc(a.head, a.dependent, a.level, *(self.width - x for x in (a.head_x, a.dependent_x, a.label_x)))
            for a in self.arcs
        ]
        return Layout([self.width - x for x in self.words], arcs, self.width)


def layout(heads: Sequence[int], forms: Sequence[str], upos: Sequence[str], deprels: Sequence[str]) -> Layout:
    """Place words and arcs so that no label is wider than its arc, and nested arcs neither cross nor touch.

    Args:
        heads: [0, h(1), …, h(n)], −1 for a word without a head.
        forms: of the n words; so are upos and deprels.
    """
    n = len(heads) - 1
    pairs = [(heads[word], word) for word in range(1, n + 1) if heads[word] >= 0]
    label_width = [0.0, *(em_width(label) * LABEL_SIZE for label in deprels)]
    ports = [_ports(word, meeting) for word, meeting in enumerate(_meeting(pairs, n))]
    half = [0.0] * (n + 1)
    for word in range(1, n + 1):
        text = max(em_width(forms[word - 1]) * FORM_SIZE, em_width(upos[word - 1]) * TAG_SIZE)
        root_label = label_width[word] if heads[word] == 0 else 0.0
        half[word] = max(text, root_label, len(ports[word]) * PORT) / 2

    # Every wish is "at least so far right of an earlier word": one pass gives the narrowest picture.
    x = [MARGIN - GAP] * (n + 1)
    for word in range(1, n + 1):
        x[word] = x[word - 1] + half[word - 1] + GAP + half[word]
        for pair, offset in ports[word].items():
            left = min(pair)
            if 0 < left < word:
                room = label_width[pair[1]] + CORNER
                x[word] = max(x[word], x[left] + ports[left][pair] + room - offset)

    levels = _levels(pairs, n)
    ends = {pair: [x[word] + ports[word][pair] for word in (pair if pair[0] else pair[1:])] for pair in pairs}
    falling = sorted((end, levels[pair]) for pair in pairs for end in ends[pair])
    arcs = []
    for pair in pairs:
        start, end = ends[pair][0], ends[pair][-1]
        middle = (start + end) / 2
        if pair[0]:
            low, high = min(start, end), max(start, end)
            inside = falling[bisect_right(falling, (low, n)) : bisect_left(falling, (high, 0))]
            walls = [low, *(wall for wall, level in inside if level > levels[pair]), high]
            middle = _between(walls, middle, label_width[pair[1]])
        arcs.append(Arc(*pair, levels[pair], start, end, middle))
    return Layout(x, arcs, x[n] + half[n] + MARGIN)


def _between(walls: list[float], wish: float, width: float) -> float:
    """The place nearest to the wish where a label of this width meets no wall; the wish itself if there is none."""
    half = width / 2 + 4
    free = [min(max(wish, left + half), right - half) for left, right in pairwise(walls) if right - left >= 2 * half]
    return min(free, key=lambda place: abs(place - wish), default=wish)


def _meeting(pairs: list[Pair], n: int) -> list[list[Pair]]:
    """The arcs that meet each word."""
    result: list[list[Pair]] = [[] for _ in range(n + 1)]
    for pair in pairs:
        for word in pair:
            if word:
                result[word].append(pair)
    return result


def _ports(word: int, meeting: list[Pair]) -> dict[Pair, float]:
    """How far from the middle of a word each of its arcs meets it: the shorter, the farther out."""

    def across(pair: Pair) -> tuple[int, int]:
        head, dependent = pair
        if head == 0:
            return 1, 0
        other = head + dependent - word
        return (0, word - other) if other < word else (2, word - other)

    middle = (len(meeting) - 1) / 2
    return {pair: (place - middle) * PORT for place, pair in enumerate(sorted(meeting, key=across))}


def _levels(pairs: list[Pair], n: int) -> dict[Pair, int]:
    """The level of each arc: above all the arcs it spans or crosses that are not longer than it."""
    top = [0] * (n + 1)  # top[i]: the highest arc so far between the words i and i+1
    levels: dict[Pair, int] = {}
    for pair in sorted((pair for pair in pairs if pair[0]), key=lambda pair: (abs(pair[0] - pair[1]), pair)):
        left, right = min(pair), max(pair)
        levels[pair] = 1 + max(top[left:right])
        top[left:right] = [levels[pair]] * (right - left)
    for pair in pairs:
        if pair[0] == 0:
            levels[pair] = 1 + max(top[pair[1] - 1], top[pair[1]])
    return levels
