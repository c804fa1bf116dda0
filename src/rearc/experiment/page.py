"""The report as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rearc.experiment.plots import Plot
from rearc.experiment.tables import Item, Table

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 72rem;
       margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .75rem; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
thead th { border-bottom: 2px solid #666 }
tbody tr:nth-child(even) { background: #f4f4f4 }
.note { color: #444; font-size: .9rem }
figure { margin: 1.5rem 0 } figure svg { max-width: 100%; height: auto }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem } dd { margin: 0 }
"""


def html(title: str, tables: Sequence[Table], figures: Sequence[Plot], facts: Sequence[tuple[str, str]]) -> str:
    """The whole page."""
    parts = [f"<h1>{escape(title)}</h1>", *map(_table, tables)]
    for figure in figures:
        svg = figure.data.decode()
        svg = svg[svg.index("<svg") :]  # without the declaration of a file of its own
        parts.append(f'<figure role="img" aria-label="{escape(figure.title)}">{svg}</figure>')
    said = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    parts.append(f"<h2>What was run</h2>\n<dl>{said}</dl>")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    body = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table.rows)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    return (
        f'<h2>{escape(table.title)}</h2>\n<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n{notes}"
    )


def _cell(item: Item) -> str:
    text = f"<b>{escape(item.text)}</b>" if item.bold else escape(item.text)
    return f"<td>{text}" + (f"<sup>{escape(item.mark)}</sup>" if item.mark else "") + "</td>"
