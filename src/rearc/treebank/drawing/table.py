"""Small tables as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from rearc.treebank.drawing.characters import showable

Cell = str | float | int | None


def html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table with a title; numbers stand to the right, None is an empty cell, and no text becomes markup.

    >>> html_table("", [], [["<b>"]])
    '<table><tbody><tr><td style="text-align:left">&lt;b&gt;</td></tr></tbody></table>'
    """
    head = f"<caption>{_text(title)}</caption>" if title else ""
    if columns:
        head += "<thead><tr>" + "".join(f"<th>{_text(name)}</th>" for name in columns) + "</tr></thead>"
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _cell(value: Cell) -> str:
    side = "left" if isinstance(value, str) else "right"
    return f'<td style="text-align:{side}">{_text(value)}</td>'


def _text(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return escape(showable(value)) if isinstance(value, str) else f"{value:,}"
