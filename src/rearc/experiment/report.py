"""A report: tables, figures and facts, in the format that its name says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from rearc.experiment.errors import ExperimentError
from rearc.experiment.facts import facts
from rearc.experiment.page import html
from rearc.experiment.plots import Plot, has_matplotlib, plots
from rearc.experiment.summary import Summary
from rearc.experiment.tables import Item, Table, shown_values, tables
from rearc.files.targets import Target

FORMATS = (".md", ".tex", ".csv", ".html", ".json")


def check_report(file: Path) -> None:
    """Refuse, before hours of runs, what could not be written after them."""
    if file.suffix.lower() not in FORMATS:
        raise ExperimentError(f"{file}: found the suffix {file.suffix!r}, expected one of {', '.join(FORMATS)}")
    if not file.parent.is_dir():
        raise ExperimentError(f"{file}: found no folder {file.parent}, expected one to write to; make it")


def write_report(summary: Summary, file: Path) -> list[Path]:
    """Write it, and beside a page of Markdown or LaTeX the figures; what was written."""
    kind = file.suffix.lower()
    figures: list[Plot] = []
    if kind in (".md", ".tex", ".html") and has_matplotlib() and summary.done:
        figures = plots(summary, "pdf" if kind == ".tex" else "svg")
    written = [file]
    if kind in (".md", ".tex"):
        for figure in figures:
            place = file.with_name(f"{file.stem}-{figure.name}.{'pdf' if kind == '.tex' else 'svg'}")
            _write(place, figure.data)
            written.append(place)
    writers: dict[str, Callable[[], str]] = {
        ".md": lambda: markdown(summary, figures, file.stem),
        ".tex": lambda: latex(summary, figures, file.stem),
        ".html": lambda: html(summary.spec.title, tables(summary), figures, facts(summary)),
        ".csv": lambda: as_csv(summary),
        ".json": lambda: json.dumps(as_dict(summary), ensure_ascii=False, indent=1) + "\n",
    }
    _write(file, writers[kind]().encode())
    return written


def _write(file: Path, data: bytes) -> None:
    with Target(file, file.name) as target:
        target.write(data)


def markdown(summary: Summary, figures: list[Plot], stem: str) -> str:
    """The report in Markdown; figures are files beside it."""
    parts = [f"# {summary.spec.title}"]
    for table in tables(summary):
        parts += [
            f"## {table.title}",
            "\n".join(_markdown_lines(table)),
            *(note.replace("*", "\\*") for note in table.notes),
        ]
    parts += [f"![{figure.title}]({stem}-{figure.name}.svg)" for figure in figures]
    parts += ["## What was run", "\n".join(f"- {name}: {value}" for name, value in facts(summary))]
    return "\n\n".join(parts) + "\n"


def _markdown_lines(table: Table) -> list[str]:
    def cell(item: Item) -> str:
        text = item.text.replace("|", "\\|")
        return (f"**{text}**" if item.bold else text) + item.mark.replace("*", "\\*")

    rows = [[cell(item) for item in row] for row in table.rows]
    return [
        "| " + " | ".join(table.columns) + " |",
        "| --- |" + " ---: |" * (len(table.columns) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def latex(summary: Summary, figures: list[Plot], stem: str) -> str:
    """Tables to \\input into a paper that uses booktabs and graphicx."""
    parts = [f"% {summary.spec.title}. Needs \\usepackage{{booktabs}} and, for the figures, \\usepackage{{graphicx}}."]
    for table in tables(summary):
        lines = [" & ".join(_tex(name) for name in table.columns) + r" \\", r"\midrule"]
        lines += [" & ".join(_tex_item(item) for item in row) + r" \\" for row in table.rows]
        notes = " ".join(_tex(note) for note in table.notes)
        parts.append(
            "\\begin{table}\n\\centering\n"
            f"\\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}\n\\toprule\n"
            + "\n".join(lines)
            + f"\n\\bottomrule\n\\end{{tabular}}\n\\caption{{{_tex(table.title)}. {notes}}}\n\\end{{table}}"
        )
    for figure in figures:
        parts.append(
            f"\\begin{{figure}}\n\\centering\n\\includegraphics[width=\\linewidth]{{{stem}-{figure.name}.pdf}}\n"
            f"\\caption{{{_tex(figure.title)}.}}\n\\end{{figure}}"
        )
    parts.append("\n".join(f"% {name}: {value}" for name, value in facts(summary)))
    return "\n\n".join(parts) + "\n"


_TEX = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "±": r"$\pm$", "−": "$-$", "–": "--", "…": r"\dots{}",
        "<": "$<$", "≥": r"$\geq$", **{c: f"\\{c}" for c in "&%$#_"}, "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}"}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)


def _tex_item(item: Item) -> str:
    text = f"\\textbf{{{_tex(item.text)}}}" if item.bold else _tex(item.text)
    return text + (f"$^{{{item.mark}}}$" if item.mark else "")


def as_dict(summary: Summary) -> dict[str, object]:
    """All numbers, ready for JSON."""
    values = [value.name for value in shown_values(summary)]
    cells = [
        {"treebank": t, "setup": s, "value": v, **asdict(cell)}
        for v in values for t in summary.treebanks for s in summary.setups if (cell := summary.cell(t, s, v))
    ]  # fmt: skip
    names = ("treebank", "setup", "seed")
    return {
        "title": summary.spec.title,
        "cells": cells,
        "differences": [asdict(difference) for difference in summary.differences()],
        "failed": [{name: task[name] for name in names} | {"why": why} for task, why in summary.failed],  # type: ignore[literal-required]
        "missing": [{name: task[name] for name in names} for task in summary.missing],  # type: ignore[literal-required]
        "facts": dict(facts(summary)),
    }


def as_csv(summary: Summary) -> str:
    """A line for each mean, and for each difference: there `minus` names the other setup."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["treebank", "setup", "minus", "value", "mean", "sd", "seeds", "low", "high", "p", "p_holm"])
    content = as_dict(summary)
    for cell in content["cells"]:  # type: ignore[attr-defined]
        row = [cell["treebank"], cell["setup"], "", cell["value"], cell["mean"], cell["sd"], cell["seeds"]]
        writer.writerow([*row, "", "", "", ""])
    for d in summary.differences():
        writer.writerow([d.treebank, d.a, d.b, d.metric, d.difference, "", "", d.low, d.high, d.p, d.corrected])
    return out.getvalue()
