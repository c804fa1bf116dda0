"""Where the arcs run in a drawing of a tree with one word per line.

All arcs of a head leave it along one vertical line, the head's *trunk*, and each dependent hangs on it by one
horizontal line. Trunks stand in lanes, numbered from 1 next to the words outwards. A trunk stands farther out than
those of the head's dependents, so that a projective tree is drawn without any crossing.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trunk:
    """The vertical line of one head, from its first to its last line."""

    head: int
    first: int
    last: int
    lane: int


def heights(heads: Sequence[int]) -> list[int]:
    """Height of each word's subtree: 0 for a leaf.

    Args:
        heads: [0, h(1), …, h(n)], −1 for a word without a head.

    >>> heights([0, 2, 0, 2])
    [0, 0, 1, 0]
    """
    n = len(heads) - 1
    waiting = [0] * (n + 1)
    for head in heads[1:]:
        if head > 0:
            waiting[head] += 1
    height = [0] * (n + 1)
    done = [word for word in range(1, n + 1) if waiting[word] == 0]
    for word in done:
        head = heads[word]
        if head > 0:
            height[head] = max(height[head], height[word] + 1)
            waiting[head] -= 1
            if waiting[head] == 0:
                done.append(head)
    if len(done) < n:
        raise ValueError("the heads form a cycle: there is no tree to draw")
    return height


def trunks(heads: Sequence[int]) -> list[Trunk]:
    """The trunk of every word that has dependents, no two of them touching.

    >>> trunks([0, 2, 0, 2])
    [Trunk(head=2, first=1, last=3, lane=1)]
    """
    n = len(heads) - 1
    height = heights(heads)
    first, last, inner = list(range(n + 1)), list(range(n + 1)), [0] * (n + 1)
    for word in range(1, n + 1):
        head = heads[word]
        if head > 0:
            first[head] = min(first[head], word)
            last[head] = max(last[head], word)
    taken: list[list[tuple[int, int]]] = [[]]  # by lane: the spans in it, in order
    result = []
    inside_out = sorted(range(1, n + 1), key=lambda word: (height[word], last[word] - first[word], word))
    for word in inside_out:
        if height[word] == 0:
            continue
        lane = inner[word] + 1
        span = (first[word], last[word])
        while lane < len(taken) and not _free(taken[lane], span):
            lane += 1
        if lane == len(taken):
            taken.append([])
        taken[lane].insert(bisect_left(taken[lane], span), span)
        result.append(Trunk(word, *span, lane))
        head = heads[word]
        if head > 0:
            inner[head] = max(inner[head], lane)
    return result


def _free(spans: list[tuple[int, int]], span: tuple[int, int]) -> bool:
    place = bisect_left(spans, span)
    return (place == 0 or spans[place - 1][1] < span[0]) and (place == len(spans) or spans[place][0] > span[1])
