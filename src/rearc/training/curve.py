"""The course of a training, to look at in a notebook."""

from __future__ import annotations

import io
from importlib.util import find_spec

from rearc.training.trainer import Epoch
from rearc.training.watcher import Watcher
from rearc.treebank.drawing.table import html_table


class Curve(Watcher):
    """Collects the epochs of a training; in a notebook it shows itself as a picture and a table.

    The picture needs matplotlib, the extra `plot`.

    >>> from rearc.training import train
    >>> from rearc.treebank import sample
    >>> curve = Curve()
    >>> parser = train(sample(), system="arc-hybrid", epochs=2, watcher=curve)
    >>> [record.epoch for record in curve.epochs]
    [1, 2]
    """

    def __init__(self) -> None:
        self.epochs: list[Epoch] = []

    def epoch(self, record: Epoch) -> None:
        self.epochs.append(record)

    def __repr__(self) -> str:
        return f"<Curve of {len(self.epochs)} epochs>"

    def _repr_html_(self) -> str:
        """The picture, if it can be drawn, and the table."""
        columns = ["epoch", "mistakes, %", "UAS", "LAS", "seconds", ""]
        rows = [
            [e.epoch, 100 * e.mistakes / max(1, e.transitions), e.uas, e.las, e.seconds, "best" if e.best else ""]
            for e in self.epochs
        ]
        return self._picture() + html_table("", columns, rows)

    def _picture(self) -> str:
        if not self.epochs or find_spec("matplotlib") is None:
            return ""
        from rearc.training.plot import draw_curve

        out = io.StringIO()
        draw_curve(self.epochs, out, "svg")
        return out.getvalue()[out.getvalue().index("<svg") :]  # a page has no use for what stands before it
