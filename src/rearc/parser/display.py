"""What a parser is and can do, as notebooks show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rearc.treebank.drawing.table import html_table

if TYPE_CHECKING:
    from rearc.parser.parser import Parser


def parser_html(parser: Parser) -> str:
    """A table of a few lines; `rearc info` says more."""
    header = parser.header
    reads = "raw text, sentences" if parser.segmenter is not None else "sentences"
    rows = [
        ("kind", header.model),
        ("system", header.system),
        ("oracle", header.oracle),
        ("reads", reads if parser.has_tagger or not header.expects else f"{reads} with {', '.join(header.expects)}"),
        ("predicts", "tags, heads and labels" if parser.has_tagger else "heads and labels"),
        ("labels", str(len(header.labels))),
        ("beam", str(header.beam)),
        ("confidence", "yes" if parser.has_confidence else "no"),
        ("trained on", f"{header.train.name}, {header.train.sentences:,} sentences, {header.train.words:,} words"),
        *((f"{name.upper()} on dev", f"{value:.2f}") for name, value in header.scores.items()),
        ("licence", header.licence or "not said"),
    ]
    return html_table("Parser", [], rows)
