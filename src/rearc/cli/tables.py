"""Numbers on standard output: as tables for people, as JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

Cell = str | int | float | None

PIPE_WIDTH = 120  # of tables where there is no terminal that says how wide it is


def print_json(value: Any) -> None:
    """The value as JSON, the only thing on standard output."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def console() -> Console:
    """Standard output, in colour if it is a terminal and NO_COLOR is not set."""
    import rich.console

    class Console(rich.console.Console):
        def on_broken_pipe(self) -> None:
            """Leave it to the caller; rich would end the program."""
            raise BrokenPipeError

    out = Console(highlight=False, emoji=False, markup=False)
    if not out.is_terminal:
        out.width = PIPE_WIDTH
    return out


def show_table(out: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """A table: the first column is of names, the others of numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        title=Text(title, style="bold"),
        title_justify="left",
        pad_edge=False,
        show_edge=False,
        header_style="dim",
    )
    for place, column in enumerate(columns):
        table.add_column(
            Text(column), justify="right" if place else "left", overflow="fold", style="" if place else "cyan"
        )
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    out.print(table)
    out.print()


def shown(cell: Cell) -> str:
    """A cell as people read it.

    >>> shown(12345), shown(88.8888), shown(None)
    ('12,345', '88.89', '–')
    """
    from rearc.treebank.drawing.characters import showable

    match cell:
        case None:
            return "–"
        case float():
            return f"{cell:,.2f}"
        case int():
            return f"{cell:,}"
        case _:
            return showable(cell)
