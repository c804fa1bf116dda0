"""Follows the lines of a text drawing as an eye does: from the characters alone."""

import unicodedata

NONE, LIGHT, HEAVY = range(3)
WEIGHTS = {"LIGHT": LIGHT, "HEAVY": HEAVY}
SIDES = {
    "LEFT": ("left",),
    "RIGHT": ("right",),
    "UP": ("up",),
    "DOWN": ("down",),
    "HORIZONTAL": ("left", "right"),
    "VERTICAL": ("up", "down"),
}


def arms(character: str) -> dict[str, int]:
    """The arms of a box-drawing character, read off its Unicode name."""
    found = dict.fromkeys(("left", "right", "up", "down"), NONE)
    if character == " ":
        return found
    name = unicodedata.name(character).removeprefix("BOX DRAWINGS ").replace(" AND", "").split()
    if name[0] in WEIGHTS:  # the weight comes before its sides …
        for part in name:
            if part in WEIGHTS:
                weight = WEIGHTS[part]
            else:
                found.update(dict.fromkeys(SIDES[part], weight))
    else:  # … or after them
        pending: list[str] = []
        for part in name:
            if part in WEIGHTS:
                found.update(dict.fromkeys(pending, WEIGHTS[part]))
                pending = []
            else:
                pending += SIDES[part]
    return found


def trace(lines: list[str]) -> tuple[list[int], set[int]]:
    """The heads and the dependents of heavy arcs, found by following the lines from each head to its dependents."""
    grid = [[arms(character) for character in line[: line.index("►") if "►" in line else None]] for line in lines]
    n = len(grid)
    heads = [0] + [-1] * n
    heavy: set[int] = set()
    for row in range(n):
        if "►" in lines[row] and _start(grid[row]) < 0:
            heads[row + 1] = 0
        trunk = _own_trunk(grid[row])
        if trunk is None:
            continue
        for side, step in (("up", -1), ("down", 1)):
            here, weights = row, []
            while grid[here][trunk][side]:
                weights.append(grid[here][trunk][side])
                back = "down" if side == "up" else "up"
                here += step
                assert grid[here][trunk][back] == weights[-1], "a vertical line is broken"
                cell = grid[here][trunk]
                if cell["right"] and not cell["left"]:
                    assert heads[here + 1] == -1, "two arcs lead to the same word"
                    assert "►" in lines[here]
                    assert _start(grid[here]) == trunk, "a horizontal line is broken"
                    heads[here + 1] = row + 1
                    along = {*weights, *_horizontal_weights(grid[here], trunk)}
                    if HEAVY in along:
                        # What several arcs share is as light as the lightest; but the last piece is the arc's own.
                        assert cell["right"] == HEAVY
                        heavy.add(here + 1)
                    else:
                        assert along == {LIGHT}
    return heads, heavy


def _is_crossing(cell: dict[str, int]) -> bool:
    return bool(cell["up"] and cell["down"] and not cell["left"] and not cell["right"])


def _own_trunk(row: list[dict[str, int]]) -> int | None:
    """The column where the word's own vertical line leaves its horizontal line; None for a word without dependents."""
    for x in reversed(range(len(row))):
        cell = row[x]
        if (cell["up"] or cell["down"]) and cell["right"] and cell["left"]:
            return x
    return None


def _start(row: list[dict[str, int]]) -> int:
    """The column where the horizontal line starts; −1 if it comes from the left edge."""
    for x in reversed(range(len(row))):
        if not _is_crossing(row[x]) and not row[x]["left"]:
            assert row[x]["right"]
            return x
        if x and row[x]["left"] and not _is_crossing(row[x - 1]):
            assert row[x - 1]["right"] == row[x]["left"]
    return -1


def _horizontal_weights(row: list[dict[str, int]], start: int) -> set[int]:
    return {row[start]["right"]} | {cell["right"] for cell in row[start:] if not _is_crossing(cell)}
