"""The figures of a report. Need matplotlib, the extra `plot`."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rearc.evaluation.analysis import SENTENCE_LENGTHS, names_of
from rearc.evaluation.plot import COLOURS, MARKS, STYLE
from rearc.experiment.results import Result, unpack
from rearc.experiment.summary import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SENTENCES = names_of(SENTENCE_LENGTHS)


@dataclass(frozen=True)
class Plot:
    """A figure in a file's bytes."""

    name: str
    title: str
    data: bytes


def has_matplotlib() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def plots(summary: Summary, format: str = "svg") -> list[Plot]:
    """All figures for which there are results."""
    import matplotlib
    from matplotlib.figure import Figure

    found = []
    with matplotlib.rc_context(STYLE):
        for name, title, wide, draw in _FIGURES:
            width = 10 if wide else 6
            figure = Figure(figsize=(width, 3.6), layout="constrained")
            axes = figure.add_subplot()
            if draw(summary, axes):
                axes.set_title(title, loc="left")
                handles, names = axes.get_legend_handles_labels()
                if len(names) > 1:
                    columns = max(1, 11 * width // (max(map(len, names)) + 8))  # as many as there is room for
                    figure.set_figheight(3.6 + 0.2 * -(-len(names) // columns))
                    figure.legend(handles, names, loc="outside lower center", ncols=columns, frameon=False)
                buffer = io.BytesIO()
                metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}[format]
                figure.savefig(buffer, format=format, metadata=metadata)
                found.append(Plot(name, title, buffer.getvalue()))
    return found


def _style(number: int) -> dict[str, Any]:
    """Colours go round; then the marks differ."""
    again = number // len(COLOURS)
    mark = MARKS[(number + 3 * again) % len(MARKS)]
    return {"color": COLOURS[number % len(COLOURS)], "marker": mark, "linestyle": ("-", "--", ":")[again % 3]}


def _bars(summary: Summary, axes: Axes) -> bool:
    """LAS of each setup on each treebank; the line is a standard deviation up and down."""
    there = [t for t in summary.treebanks if any(summary.cell(t, s, "las") for s in summary.setups)]
    having = [s for s in summary.setups if any(summary.cell(t, s, "las") for t in there)]
    width = 0.8 / max(1, len(having))
    lowest = 100.0
    for number, setup in enumerate(having):
        cells = [(k, summary.cell(treebank, setup, "las")) for k, treebank in enumerate(there)]
        known = [(k, cell) for k, cell in cells if cell is not None]
        lowest = min([lowest, *(cell.mean - (cell.sd or 0) for _, cell in known)])
        axes.bar(
            [k + width * (number - (len(having) - 1) / 2) for k, _ in known],
            [cell.mean for _, cell in known],
            width,
            yerr=[cell.sd or 0 for _, cell in known],
            label=setup,
            color=COLOURS[number % len(COLOURS)],
            alpha=1 - 0.3 * (number // len(COLOURS) % 3),
            error_kw={"linewidth": 0.8},
        )
    axes.set_xticks(range(len(there)), there, rotation=30 if len(there) > 6 else 0)
    axes.set_ylim(max(0, lowest - 3), None)  # bars that begin at 0 would look all alike; the axis says so
    axes.set_ylabel("LAS")
    return bool(having)


def _speed(summary: Summary, axes: Axes) -> bool:
    """Mean LAS and speed over the treebanks that all have."""
    shared = [t for t in summary.shared("las") if t in summary.shared("words_per_second")]
    drawn = 0
    for number, setup in enumerate(summary.setups):
        las, speed = (summary.average(setup, value, shared) for value in ("las", "words_per_second"))
        if las is not None and speed is not None:
            axes.plot([speed], [las], label=setup, **_style(number) | {"linestyle": "none"})
            drawn += 1
    axes.set_xscale("log")
    axes.set_xlabel("words/s of CPU time")
    axes.set_ylabel("LAS, mean of the treebanks")
    return drawn > 1


def _curves(summary: Summary, axes: Axes) -> bool:
    """LAS on dev by epoch, mean over seeds, then over treebanks that all setups with a curve have."""
    found: dict[str, dict[str, list[float]]] = {}
    for (treebank, setup), group in summary.groups.items():
        curves = [[e["las"] for e in result.get("curve", ()) if e["las"] is not None] for result in group]
        if curves and curves[0]:
            shortest = min(map(len, curves))
            found.setdefault(setup, {})[treebank] = np.mean([c[:shortest] for c in curves], axis=0).tolist()
    shared = set.intersection(*(set(by) for by in found.values())) if found else set()
    if not shared:
        return False
    from matplotlib.ticker import MaxNLocator

    for number, setup in enumerate(summary.setups):
        if setup in found:
            curves = [found[setup][treebank] for treebank in sorted(shared)]
            shortest = min(map(len, curves))
            values = np.mean([curve[:shortest] for curve in curves], axis=0)
            axes.plot(range(1, shortest + 1), values, label=setup, markersize=3.5, **_style(number))
    axes.set_xlabel("epoch")
    axes.set_ylabel("LAS on dev")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return True


def _classes(which: str, rate: Callable[[Sequence[int]], tuple[int, int]]) -> Callable[[Summary, Axes], bool]:
    """A line a setup over the classes of sentences or arcs; counts of all seeds and treebanks together."""

    def draw(summary: Summary, axes: Axes) -> bool:
        names: list[str] = []
        for number, setup in enumerate(summary.setups):
            sums = _sums(which, [r for (_, s), group in summary.groups.items() if s == setup for r in group])
            rates = {name: rate(counts) for name, counts in sums.items()}
            known = {name: 100 * right / all for name, (right, all) in rates.items() if all}
            if known:
                names = names or list(sums)
                points = [(names.index(name), value) for name, value in known.items()]
                axes.plot([x for x, _ in points], [y for _, y in points], label=setup, markersize=3.5, **_style(number))
        axes.set_xticks(range(len(names)), names, rotation=45 if sum(map(len, names)) > 30 else 0)
        axes.set_xlabel(which)
        axes.set_ylabel("%")
        return bool(names)

    return draw


def _sums(which: str, results: Sequence[Result]) -> dict[str, list[int]]:
    """Counts by class: those that results have, or, for sentences, from what is right in each of them."""
    if which == "sentence length":
        return _by_length([result for result in results if "sentences" in result])
    sums: dict[str, list[int]] = {}
    for result in results:
        for name, *counts in result.get("classes", {}).get(which, ()):
            sums[name] = [a + b for a, b in zip(sums.get(name, [0] * len(counts)), counts, strict=True)]
    return sums


def _by_length(results: Sequence[Result]) -> dict[str, list[int]]:
    """Words, and those with the right head and label, by how many words of their sentence count."""
    sums = {name: [0, 0] for name in SENTENCES}
    for result in results:
        words, right = (unpack(result["sentences"][name]) for name in ("words", "both"))
        places = np.searchsorted(SENTENCE_LENGTHS, words, side="right") - 1
        for place, count in enumerate(sums.values()):
            count[0] += int(words[places == place].sum())
            count[1] += int(right[places == place].sum())
    return sums


def _non_projective(summary: Summary, axes: Axes) -> bool:
    """F1 on non-projective arcs, mean over the treebanks that all have."""
    shared = summary.shared("non_projective_f1")
    means = [(s, summary.average(s, "non_projective_f1", shared)) for s in summary.setups]
    known = [(setup, value) for setup, value in means if value is not None]
    for number, (_, value) in enumerate(known):
        axes.barh([number], [value], color=COLOURS[number % len(COLOURS)])
    axes.set_yticks(range(len(known)), [setup for setup, _ in known])
    axes.invert_yaxis()
    axes.set_xlabel("%")
    return len(known) > 1


def _recall(counts: Sequence[int]) -> tuple[int, int]:
    gold, right, _, _ = counts
    return right, gold


def _precision(counts: Sequence[int]) -> tuple[int, int]:
    _, _, predicted, right = counts
    return right, predicted


_FIGURES: list[tuple[str, str, bool, Callable[[Summary, Any], bool]]] = [
    ("las", "LAS, with a standard deviation up and down", True, _bars),
    ("speed", "Accuracy and speed", False, _speed),
    ("curve", "Learning curves", False, _curves),
    (
        "sentence-length",
        "LAS by the length of the sentence",
        False,
        _classes("sentence length", lambda c: (c[1], c[0])),
    ),
    ("arc-recall", "Labelled recall by the length of the gold arc", False, _classes("arc length", _recall)),
    (
        "arc-precision",
        "Labelled precision by the length of the predicted arc",
        False,
        _classes("arc length", _precision),
    ),
    ("non-projective", "F1 on non-projective arcs", False, _non_projective),
]
