"""The arcs of a tree as lines of box-drawing characters."""

from collections.abc import Collection, Sequence

from rearc.treebank.drawing.box import HEAVY, LIGHT, NONE, box
from rearc.treebank.drawing.lanes import trunks

STUB = 2  # the piece of line at the left by which a root is recognised
LANE = 2  # columns from one lane to the next
ARROW = "►"


def arcs_grid(heads: Sequence[int], non_projective: Collection[int]) -> list[list[tuple[str, bool]]]:
    """One line for each word, of (character, belongs to a non-projective arc) cells, all of the same length.

    A line that comes from the left edge is a root's. Non-projective arcs are heavy lines. Where a horizontal line
    meets a trunk it has nothing to do with, it passes behind it: the trunk's character there has no arms sideways.

    Args:
        heads: [0, h(1), …, h(n)], −1 for a word without a head.
        non_projective: the dependents of the non-projective arcs.
    """
    n = len(heads) - 1
    all_trunks = trunks(heads)
    outermost = max((trunk.lane for trunk in all_trunks), default=0)
    width = STUB + LANE * outermost
    column = [0] * (n + 1)  # of the trunk of each word; 0, the left edge, for the artificial root
    up = [[NONE] * width for _ in range(n + 1)]
    down = [[NONE] * width for _ in range(n + 1)]
    owner = [[0] * width for _ in range(n + 1)]
    weight = [HEAVY if word in non_projective else LIGHT for word in range(n + 1)]

    for trunk in all_trunks:
        x = column[trunk.head] = STUB + LANE * (outermost - trunk.lane)
        # From the ends to the head: of the arcs on one side, the outer ones are non-projective, the inner ones not.
        for ends, step in ((range(trunk.first, trunk.head), 1), (range(trunk.last, trunk.head, -1), -1)):
            piece = NONE
            for line in ends:
                if heads[line] == trunk.head:
                    piece = weight[line]
                (down if step > 0 else up)[line][x] = piece
                (up if step > 0 else down)[line + step][x] = piece
        for line in range(trunk.first, trunk.last + 1):
            owner[line][x] = trunk.head

    lines = []
    for word in range(1, n + 1):
        head = heads[word]
        start = column[word] if head < 0 else column[head]
        if head < 0 and start == 0:
            start = width  # neither head nor dependents: no line at all
        cells = []
        for x in range(width):
            left = weight[word] if x > start or start == 0 else NONE
            right = weight[word] if x >= start else NONE
            if owner[word][x] not in (0, word, head):
                left = right = NONE
            arms = (left, right, up[word][x], down[word][x])
            cells.append((box(*arms), HEAVY in arms))
        # A word without a head has no arrow, only the line to its dependents.
        cells.append((ARROW if head >= 0 else cells[-1][0], weight[word] == HEAVY))
        lines.append(cells)
    return lines
