"""The tables of a report, whatever it is written in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean

from rearc.experiment.summary import METRICS, Cell, Difference, Summary
from rearc.experiment.values import SHOWN, VALUES, Value

MARK = "*"
NOTHING = "–"
TESTED = {
    "randomisation": "approximate randomisation over sentences",
    "bootstrap": "the paired bootstrap over sentences",
    "mcnemar": "McNemar's test over words",
}


@dataclass(frozen=True)
class Item:
    """What stands in one place of a table."""

    text: str
    bold: bool = False
    mark: str = ""  # raised behind it


@dataclass(frozen=True)
class Table:
    """A heading, columns of which the first has names, rows, and what is to be said below."""

    title: str
    columns: list[str]
    rows: list[list[Item]]
    notes: list[str] = field(default_factory=list)


def tables(summary: Summary) -> list[Table]:
    """All tables of an experiment."""
    shown = shown_values(summary)
    found = [_scores(summary, value) for value in shown if value.group == "scores"]
    for group in dict.fromkeys(value.group for value in shown if value.group != "scores"):
        found += _by_setup(summary, [value for value in shown if value.group == group])
    if summary.differences():
        found += [_counted(summary), _differences(summary)]
    if summary.failed:
        rows = [[*map(Item, (t["treebank"], t["setup"], str(t["seed"]), why))] for t, why in summary.failed]
        found.append(Table("Failed runs", ["treebank", "setup", "seed", "why"], rows))
    return [table for table in found if table.rows]


def shown_values(summary: Summary) -> list[Value]:
    """The numbers to show: those of the spec, else those that go with what is measured."""
    if summary.spec.tables is not None:
        return [VALUES[name] for name in summary.spec.tables]
    names = dict.fromkeys(name for setup in summary.spec.setups for name in SHOWN[setup.measure])
    return [VALUES[name] for name in names if any(name in result["values"] for result in summary.done)]


def number(value: float | None, digits: int) -> str:
    """A number as tables have it.

    >>> number(1234.567, 1), number(None, 2)
    ('1,234.6', '–')
    """
    return NOTHING if value is None else f"{value:,.{digits}f}"


def spread_text(cell: Cell | None, digits: int) -> str:
    """Mean and standard deviation."""
    if cell is None:
        return NOTHING
    text = number(cell.mean, digits)
    return text if cell.sd is None else f"{text} ± {number(cell.sd, digits)}"


def _scores(summary: Summary, value: Value) -> Table:
    """Treebanks and setups: the more numerous are the rows."""
    having = [s for s in summary.setups if any(summary.cell(t, s, value.name) for t in summary.treebanks)]
    there = [t for t in summary.treebanks if any(summary.cell(t, s, value.name) for s in having)]
    averaged = summary.shared(value.name)
    lines: dict[tuple[str, str], Item] = {}
    for treebank in there:
        best = _best([(s, c.mean) for s in having if (c := summary.cell(treebank, s, value.name))], value)
        for setup in having:
            text = spread_text(summary.cell(treebank, setup, value.name), value.digits)
            lines[treebank, setup] = Item(text, setup in best, _mark(summary, setup, treebank, value))
    rows = [*there]
    if len(averaged) > 1:
        name = "average" if len(averaged) == len(there) else f"average of {len(averaged)}"
        means = [(s, m) for s in having if (m := summary.average(s, value.name, averaged)) is not None]
        best = _best(means, value)
        for setup, average in means:
            lines[name, setup] = Item(number(average, value.digits), setup in best)
        rows.append(name)
    notes = _notes(summary, value, len(averaged), there)
    if len(having) > len(there):
        body = [[Item(setup), *(lines[row, setup] for row in rows)] for setup in having]
        return Table(value.title, ["", *rows], body, notes)
    return Table(value.title, ["", *having], [[Item(row), *(lines[row, s] for s in having)] for row in rows], notes)


def _notes(summary: Summary, value: Value, averaged: int, there: Sequence[str]) -> list[str]:
    seeds = sorted({len(group) for (_, setup), group in summary.groups.items()})
    notes = []
    if seeds and seeds[-1] > 1:
        some = f"{seeds[0]} to {seeds[-1]}" if seeds[0] < seeds[-1] else f"{seeds[-1]}"
        notes.append(f"Mean ± standard deviation of {some} seeds.")
    if 1 < averaged < len(there):
        notes.append(f"The average is over the {averaged} treebanks that all have.")
    if value.name in METRICS and summary.spec.baseline is not None:
        notes.append(
            f"{MARK} differs from {summary.spec.baseline} (p < {summary.spec.level:g} after Holm's correction)."
        )
    return notes


def _best(means: list[tuple[str, float]], value: Value) -> set[str]:
    """The names with the best number as it is printed; nothing is best alone."""
    if value.best is None or len(means) < 2:
        return set()
    rounded = {name: round(number, value.digits) for name, number in means}
    top = (max if value.best == "high" else min)(rounded.values())
    return {name for name, number in rounded.items() if number == top}


def _mark(summary: Summary, setup: str, treebank: str, value: Value) -> str:
    if value.name not in METRICS or summary.spec.baseline is None:
        return ""
    found = summary.against_baseline(setup, treebank, value.name)
    return MARK if found is not None and found.corrected is not None and found.corrected < summary.spec.level else ""


def _by_setup(summary: Summary, values: Sequence[Value]) -> Iterator[Table]:
    """A table a setup: treebanks and the numbers of one group."""
    for setup in summary.setups:
        rows, there = [], []
        for treebank in summary.treebanks:
            cells = [summary.cell(treebank, setup, value.name) for value in values]
            if any(cells):
                there.append(treebank)
                texts = [spread_text(cell, value.digits) for cell, value in zip(cells, values, strict=True)]
                rows.append([Item(treebank), *map(Item, texts)])
        if len(there) > 1:
            averages = [number(summary.average(setup, v.name, there), v.digits) for v in values]
            rows.append([Item("average"), *map(Item, averages)])
        yield Table(setup, ["", *(value.title for value in values)], rows)


def _counted(summary: Summary) -> Table:
    """Of each pair: on how many treebanks which one is better."""
    spec, rows = summary.spec, []
    for a, b in spec.pairs():
        for metric in METRICS:
            found = [d for d in summary.differences() if (d.a, d.b, d.metric) == (a, b, metric)]
            if found:
                row = [f"{a} − {b}", metric.upper(), f"{mean(d.difference for d in found):+.2f}", str(len(found))]
                row.append(str(sum(d.difference > 0 for d in found)))
                for sign in (1, -1):
                    at = [d for d in found if d.difference * sign > 0]
                    row.append(f"{_below(at, spec.level)} ({_below(at, spec.level, corrected=True)})")
                rows.append([*map(Item, row)])
    columns = ["", "in", "mean difference", "treebanks", "better on", "significantly better", "significantly worse"]
    note = f"Significantly: p < {spec.level:g} on so many treebanks; in brackets: after Holm's correction."
    return Table("Comparisons", columns, rows, [note])


def _below(found: Sequence[Difference], level: float, corrected: bool = False) -> int:
    values = [d.corrected if corrected else d.p for d in found]
    return sum(p is not None and p < level for p in values)


def _differences(summary: Summary) -> Table:
    """Each pair on each treebank."""
    spec, rows = summary.spec, []
    by_place = {(d.a, d.b, d.treebank, d.metric): d for d in summary.differences()}
    for a, b in spec.pairs():
        for treebank in summary.treebanks:
            row = [f"{a} − {b}", treebank]
            for metric in METRICS:
                d = by_place.get((a, b, treebank, metric))
                if d is not None:
                    interval = NOTHING if d.low is None else f"{d.low:+.2f} … {d.high:+.2f}"
                    row += [f"{d.difference:+.2f}", interval, p_text(d.p), p_text(d.corrected)]
            if len(row) > 2:
                rows.append([*map(Item, row)])
    columns = ["", "treebank", *(f"{m}{c}" for m in ("UAS", "LAS") for c in ("", " 95 % interval", " p", " p, Holm"))]
    tested = TESTED[spec.test]
    note = (
        f"Differences in points. p is two-sided, by {tested}, all seeds together; Holm's correction is over all rows."
    )
    return Table("Differences", columns, rows, [note])


def p_text(p: float | None) -> str:
    """A p-value."""
    return NOTHING if p is None else "< 0.0001" if p < 0.0001 else f"{p:.4f}"
