"""The analysis as a picture. Needs matplotlib, the extra `plot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rearc.evaluation.analysis import Analysis, ArcRow, WordRow
from rearc.evaluation.calibration import Calibration
from rearc.evaluation.errors import EvaluationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = (".svg", ".pdf", ".png")
LABELS = 24  # the most frequent ones; the tables have them all
# Okabe & Ito's colours, which the colour-blind can tell apart, and marks for print in black and white.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933")
MARKS = "osD^vP*X"
_BARS, _SHARE = "#e4e4e4", "share of the gold words"

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "rearc",  # else the ids in the file, and so its bytes, are random
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "xtick.color": "#333333",
    "ytick.color": "#333333",
}


def plot_calibration(calibration: Calibration, file: str | Path) -> None:
    """Draw a reliability diagram and a risk–coverage curve to an SVG, PDF or PNG file.

    >>> from rearc.evaluation.calibration import Calibration, reliability
    >>> import numpy as np
    >>> made = reliability(np.array([0.9, 0.2]), np.array([True, False]))
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     plot_calibration(Calibration(made, made, made), f"{folder}/calibration.svg")
    ...     Path(folder, "calibration.svg").exists()
    True
    """
    path = _checked(file)
    matplotlib, Figure = _matplotlib(path)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10, 4.5), layout="constrained")
        reliable, surest = figure.subplots(1, 2)
        reliable.plot([0, 100], [0, 100], color="#999999", linewidth=0.8, linestyle="--")
        for number, (name, each) in enumerate(calibration.items()):
            look: dict[str, Any] = {"color": COLOURS[number], "marker": MARKS[number], "markersize": 4.5, "label": name}
            known = [(b.confidence, b.right) for b in each.bins if b.count]
            reliable.plot([x for x, _ in known], [y for _, y in known], **look)
            surest.plot([share for share, _ in each.coverage], [100 - right for _, right in each.coverage], **look)
        reliable.set(title="Reliability", xlabel="confidence, %", ylabel="right, %", xlim=(0, 100), ylim=(0, 100))
        surest.set(title="Risk and coverage", xlabel="the surest, %", ylabel="wrong, %", xlim=(0, 100))
        for axes in (reliable, surest):
            axes.grid(color="#eeeeee", linewidth=0.8)
        reliable.legend(frameon=False)
        _save(figure, path)


def _checked(file: str | Path) -> Path:
    path = Path(file)
    if path.suffix.lower() not in FORMATS:
        raise EvaluationError(str(path), f"the suffix {path.suffix!r}", f"one of {', '.join(FORMATS)}", "rename it")
    return path


def _matplotlib(path: Path) -> tuple[Any, Any]:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise EvaluationError(
            str(path), "no matplotlib", "matplotlib to draw it", "install it with pip install 'rearc[plot]'"
        ) from error
    return matplotlib, Figure


def _save(figure: Any, path: Path) -> None:
    # Without the date the same picture gives the same bytes.
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[path.suffix.lower()]
    try:
        figure.savefig(path, metadata=metadata, dpi=120)
    except OSError as error:
        raise EvaluationError(
            str(path), error.strerror or str(error), "a place that can be written to", "choose another one"
        ) from error


def plot(analyses: Analysis | Mapping[str, Analysis], file: str | Path) -> None:
    """Draw one analysis, or several by name, all on the same gold treebank, to an SVG, PDF or PNG file.

    The grey bars show how much of the gold treebank is in each class: where they are low, the scores are
    uncertain.

    >>> from rearc.evaluation import analysis
    >>> from rearc.treebank import sample
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     plot(analysis(sample(), sample()), f"{folder}/analysis.svg")
    ...     Path(folder, "analysis.svg").exists()
    True
    """
    path = _checked(file)
    systems = {"predicted": analyses} if isinstance(analyses, Analysis) else dict(analyses)
    if not 1 <= len(systems) <= len(COLOURS):
        raise EvaluationError(str(path), f"{len(systems)} systems", f"1 to {len(COLOURS)}", "plot fewer at once")
    matplotlib, Figure = _matplotlib(path)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10, 13), layout="constrained")
        grid = figure.add_gridspec(4, 2)
        axes = [figure.add_subplot(grid[row, column]) for row in range(3) for column in range(2)]
        axes.append(figure.add_subplot(grid[3, :]))

        _arcs(axes[0], systems, "arc length", "precision", lambda a: a.arc_length, _precision)
        _arcs(axes[1], systems, "arc length", "recall", lambda a: a.arc_length, _recall)
        _arcs(axes[2], systems, "distance to the root", "precision", lambda a: a.root_distance, _precision)
        _arcs(axes[3], systems, "distance to the root", "recall", lambda a: a.root_distance, _recall)
        _words(axes[4], systems, "sentence length", lambda a: a.sentence_length)
        _words(axes[5], systems, "part of speech", lambda a: a.pos, ordered=False)
        _arcs(axes[6], systems, "label", "F1", lambda a: a.label[:LABELS], _f1, ordered=False)

        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=min(len(names), 4), frameon=False)
        _save(figure, path)


def _precision(row: ArcRow) -> float | None:
    return row.labelled.precision


def _recall(row: ArcRow) -> float | None:
    return row.labelled.recall


def _f1(row: ArcRow) -> float | None:
    return row.labelled.f1


def _arcs(
    axes: Axes,
    systems: Mapping[str, Analysis],
    classes: str,
    measure: str,
    rows: Callable[[Analysis], list[ArcRow]],
    value: Callable[[ArcRow], float | None],
    *,
    ordered: bool = True,
) -> None:
    first = rows(next(iter(systems.values())))
    names = [row.name for row in first]
    _frame(axes, f"Labelled {measure} by {classes}", names, [row.labelled.gold for row in first])
    values = {system: {row.name: value(row) for row in rows(a)} for system, a in systems.items()}
    _draw(axes, names, values, ordered=ordered)


def _words(
    axes: Axes,
    systems: Mapping[str, Analysis],
    classes: str,
    rows: Callable[[Analysis], list[WordRow]],
    *,
    ordered: bool = True,
) -> None:
    first = rows(next(iter(systems.values())))
    names = [row.name for row in first]
    _frame(axes, f"LAS by {classes}", names, [row.words for row in first])
    values = {system: {row.name: row.las for row in rows(a)} for system, a in systems.items()}
    _draw(axes, names, values, ordered=ordered)


def _frame(axes: Axes, title: str, names: list[str], sizes: list[int]) -> None:
    """Title, ticks, and bars for the share of each class, which reach the top at 100 %."""
    axes.set_title(title, loc="left")
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20), [f"{tick} %" for tick in range(0, 101, 20)])
    axes.grid(axis="y", color="#eeeeee", linewidth=0.8)
    axes.set_axisbelow(True)
    total = sum(sizes) or 1
    axes.bar(range(len(names)), [100 * size / total for size in sizes], color=_BARS, width=0.9, zorder=1, label=_SHARE)
    slanted = max(map(len, names)) * len(names) > 50
    axes.set_xticks(range(len(names)), names, rotation=45 if slanted else 0, ha="right" if slanted else "center")
    axes.set_xlim(-0.6, len(names) - 0.4)


def _draw(axes: Axes, names: list[str], values: dict[str, dict[str, float | None]], *, ordered: bool) -> None:
    """A line per system where the classes have an order; else marks side by side."""
    for number, (system, by_name) in enumerate(values.items()):
        shift = 0.0 if ordered else min(0.2, 0.8 / len(values)) * (number - (len(values) - 1) / 2)
        points = [(k + shift, by_name.get(name)) for k, name in enumerate(names)]
        known = [(x, y) for x, y in points if y is not None]
        axes.plot(
            [x for x, _ in known],
            [y for _, y in known],
            label=system,
            color=COLOURS[number],
            marker=MARKS[number],
            markersize=4.5,
            linewidth=1.4,
            linestyle="-" if ordered else "none",
            zorder=3,
            clip_on=False,
        )
