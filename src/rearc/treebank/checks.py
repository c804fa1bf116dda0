"""What a sentence may hold, so that whatever is made can be written and read again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from numbers import Integral

from rearc.treebank.errors import TreebankError, shown
from rearc.treebank.fields import Empty, Multiword

Where = tuple[str | None, int]  # the file and line that errors name

_UNWRITABLE = re.compile("[\t\n\r\0]")
_UNWRITABLE_IN_COMMENT = re.compile("[\n\r\0]")


def column(where: Where, n: int, name: str, values: Iterable[str] | None) -> tuple[str, ...] | None:
    """The n values of a column; None where none of them says anything."""
    if values is None:
        return None
    result = tuple(values)
    if len(result) != n:
        raise bad(where, f"{len(result)} {name}", f"{n}, as there are words", "give one for each word")
    if set(map(type, result)) - {str}:
        result = tuple(_string(where, value) for value in result)
    distinct = set(result)
    if distinct == {"_"}:
        return None
    if not _is_writable(distinct):
        _check(where, distinct)
    return result


def whole_numbers(where: Where, heads: Iterable[int]) -> list[int]:
    """Heads as integers. What only looks like numbers (0.5, "2", True) is refused: taking it would hide a mistake."""
    result = list(heads)
    kinds = set(map(type, result))
    if not kinds - {int}:
        return result
    for word, head in enumerate(result, 1):
        if not _is_whole(head):
            raise bad(where, f"the head {head!r} of word {word}", "a whole number", "give heads as int")
    return [int(head) for head in result]


def _is_whole(value: object) -> bool:
    """Whether it is an int, as nearly always, or an integer of NumPy."""
    return type(value) is int or (not isinstance(value, bool) and isinstance(value, Integral))


def words(forms: Iterable[str]) -> list[str]:
    """The words of a new sentence; there is at least one."""
    if isinstance(forms, str):
        raise bad((None, 0), f"the string {shown(forms)}", "a list of words", "split the sentence into words")
    result = list(forms)
    if not result:
        raise bad((None, 0), "no words", "at least one word", "leave the sentence out")
    return result


def comments(where: Where, lines: Iterable[str]) -> str | None:
    """Comment lines as one string."""
    result = list(lines)
    for line in result:
        if not isinstance(line, str) or not line.startswith("#") or _UNWRITABLE_IN_COMMENT.search(line):
            raise bad(where, f"the comment {shown(str(line))}", "one line that starts with #", "change the comment")
    return "\n".join(result) or None


def multiwords(where: Where, n: int, tokens: Iterable[Multiword]) -> tuple[Multiword, ...]:
    """Multiword tokens in order, without overlaps, over the words 1 … n."""
    result = tuple(token if type(token) is Multiword else Multiword(*token) for token in tokens)
    if not result:
        return ()
    last = 0
    for token in result:
        if not (_is_whole(token.start) and _is_whole(token.end) and last < token.start <= token.end <= n):
            raise bad(
                where, f"the multiword token {token.id}", f"a range from {last + 1} on and up to {n}",
                "order the ranges; they may not overlap",
            )  # fmt: skip
        last = token.end
    _check(where, [value for token in result for value in token[2:]])
    return result


def empties(where: Where, n: int, nodes: Iterable[Empty]) -> tuple[Empty, ...]:
    """Empty nodes in order; those behind one word are numbered from 1."""
    result = tuple(Empty(*node) for node in nodes)
    if not result:
        return ()
    after = index = 0
    for node in result:
        index = index + 1 if node.after == after else 1
        if not (_is_whole(node.after) and _is_whole(node.index) and after <= node.after <= n and node.index == index):
            raise bad(
                where, f"the empty node {node.id}", f"its place behind {after} and in front of {n + 1}",
                "order the empty nodes, and number those behind each word 1, 2, 3 …",
            )  # fmt: skip
        after = node.after
    _check(where, [value for node in result for value in node[2:]])
    return result


def bad(where: Where, found: str, expected: str, remedy: str) -> TreebankError:
    """An error that concerns the sentence as a whole."""
    return TreebankError(where[0], where[1], 0, found, expected, remedy)


def _string(where: Where, value: object) -> str:
    """A plain str; those of NumPy are others."""
    if not isinstance(value, str):
        raise bad(where, f"{value!r}", "a string", "convert it to str")
    return str(value)


def _is_writable(values: Collection[str]) -> bool:
    """Whether all of these strings can be written, as nearly always; faster than to look at each."""
    return "" not in values and not _UNWRITABLE.search("".join(values))


def _check(where: Where, values: Collection[str]) -> None:
    if not set(map(type, values)) - {str} and _is_writable(values):
        return
    for value in values:
        _string(where, value)
        if not value or _UNWRITABLE.search(value):
            raise bad(
                where, f"the field {shown(value)}", "text without tabs, line ends and NULs",
                "write _ where there is nothing",
            )  # fmt: skip
