"""The learning curve as a picture. Needs matplotlib, the extra `plot`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from rearc.evaluation.plot import COLOURS, FORMATS, STYLE
from rearc.training.errors import TrainingError
from rearc.training.trainer import Epoch


def check_plot(file: str | Path) -> None:
    """Refuse, before any training, what cannot be drawn after it."""
    if Path(file).suffix.lower() not in FORMATS:
        raise TrainingError(f"{file}: found the suffix {Path(file).suffix!r}, expected one of {', '.join(FORMATS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise TrainingError(
            f"{file}: found no matplotlib, expected it to draw; install it with pip install 'rearc[plot]'"
        ) from None


def plot_curve(history: Sequence[Epoch], file: str | Path) -> None:
    """Draw the mistakes in training and the scores on dev, epoch by epoch."""
    check_plot(file)
    draw_curve(history, file, Path(file).suffix.lower()[1:])


def draw_curve(history: Sequence[Epoch], file: str | Path | IO[Any], kind: str) -> None:
    """The same in a file or stream; kind: "svg", "pdf" or "png"."""
    import matplotlib
    from matplotlib.figure import Figure

    epochs = [record.epoch for record in history]
    curves = [("mistakes in training", [100 * record.mistakes / record.transitions for record in history])]
    if history and history[0].las is not None:
        curves += [("UAS on dev", [r.uas or 0.0 for r in history]), ("LAS on dev", [r.las or 0.0 for r in history])]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8, 3.2), layout="constrained")
        left, *right = figure.subplots(1, 1 if len(curves) == 1 else 2, squeeze=False)[0]
        for axes, (name, values), colour in zip((left, *right, *right), curves, COLOURS, strict=False):
            axes.plot(epochs, values, color=colour, marker="o", markersize=3.5, label=name)
            axes.grid(axis="y", color="#eeeeee")
            axes.set_xlabel("epoch")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.yaxis.set_major_formatter("{x:g} %")
            axes.legend(frameon=False)
        best = [record.epoch for record in history if record.best]
        for axes in right:
            axes.axvline(best[-1], color="#999999", linewidth=0.8, linestyle=":")
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
        figure.savefig(file, format=kind, metadata=metadata, dpi=120)
