"""`rearc info`: what a treebank is like, or what a model is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import EncodingOption, FormatOption, JsonOption, SkipInvalidOption, StrictOption
from rearc.cli.guard import Skipped
from rearc.cli.model_info import is_model, show_model
from rearc.cli.reading import reading
from rearc.cli.tables import Cell, console, print_json, show_table, shown

if TYPE_CHECKING:
    from rich.console import Console

    from rearc.treebank.statistics import Statistics

Report = dict[str, Any]


def info(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="Treebanks, or a model; - is standard input, sample the treebank that rearc brings."
        ),
    ],
    json: JsonOption = False,
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """Describe treebanks: sizes, vocabulary, tags, labels, trees, non-projectivity. Or say what a model is.

    Several treebanks get a column each, and one for all of them together.

    Examples:

    rearc info train.conllu
    rearc info train.conllu dev.conllu test.conllu --json
    rearc info my.rearc
    """
    if any(is_model(file) for file in files):
        if len(files) > 1:
            raise typer.BadParameter("describe one model at a time", param_hint="FILE…")
        return show_model(files[0], json)
    from rearc.treebank.statistics import Statistics

    skipped = Skipped(skip_invalid)
    parts: dict[str, Statistics] = {}
    together = Statistics()
    for file in files:
        part = parts[file] = Statistics()
        for sentence in reading(file, skipped, format=format, encoding=encoding, strict=strict):
            part.add(sentence)
        together.merge(part)
    if json:
        report = together.as_dict()
        if len(parts) > 1:
            report["files"] = {file: part.as_dict() for file, part in parts.items()}
        print_json(report)
    else:
        columns = {file: part.as_dict() for file, part in parts.items()}
        if len(parts) > 1:
            columns["together"] = together.as_dict()
        _show(columns)
    skipped.finish()


_SIZES: dict[str, Callable[[Report], Cell]] = {
    "sentences": lambda r: r["sentences"],
    "words": lambda r: r["words"],
    "tokens": lambda r: r["tokens"],
    "multiword tokens": lambda r: r["multiword_tokens"],
    "empty nodes": lambda r: r["empty_nodes"],
    "different forms": lambda r: r["forms"],
    "different lemmas": lambda r: r["lemmas"],
    "UPOS tags": lambda r: len(r["upos"]),
    "XPOS tags": lambda r: len(r["xpos"]),
    "features": lambda r: len(r["features"]),
    "labels": lambda r: len(r["labels"]),
    "words per sentence": lambda r: r["words_per_sentence"],
    "longest sentence": lambda r: r["longest_sentence"] and r["longest_sentence"]["words"],
    "  which is": lambda r: _place(r["longest_sentence"]),
}
_TREES: dict[str, Callable[[Report], Cell]] = {
    "trees": lambda r: r["trees"]["trees"],
    "with one root": lambda r: r["trees"]["single_root"],
    "with several roots": lambda r: r["trees"]["multiple_roots"],
    "mean depth": lambda r: r["trees"]["depth"]["mean"],
    "greatest depth": lambda r: r["trees"]["depth"]["max"],
    "mean arc length": lambda r: r["trees"]["arc_length"]["mean"],
    "longest arc": lambda r: r["trees"]["arc_length"]["max"],
    "non-projective arcs": lambda r: r["non_projectivity"]["arcs"],
    "non-projective arcs, %": lambda r: r["non_projectivity"]["arcs_percent"],
    "non-projective sentences": lambda r: r["non_projectivity"]["sentences"],
    "non-projective sentences, %": lambda r: r["non_projectivity"]["sentences_percent"],
    "arcs that cross others": lambda r: r["non_projectivity"]["crossing_arcs"],
    "arcs that cross others, %": lambda r: r["non_projectivity"]["crossing_arcs_percent"],
    "planar, %": lambda r: r["non_projectivity"]["planar_percent"],
    "well-nested, %": lambda r: r["non_projectivity"]["well_nested_percent"],
}


def _show(columns: dict[str, Report]) -> None:
    out = console()
    reports = list(columns.values())
    names = ["", *columns]
    show_table(out, "Treebank", names, [[name, *map(value, reports)] for name, value in _SIZES.items()])
    if any(report["trees"]["trees"] for report in reports):
        show_table(out, "Trees", names, [[name, *map(value, reports)] for name, value in _TREES.items()])
        _show_distributions(out, columns)
    whole = reports[-1]
    for title, key in (("UPOS", "upos"), ("XPOS", "xpos"), ("Features", "features"), ("Labels", "labels")):
        _show_inventory(out, title, whole[key])


def _place(longest: dict[str, Any] | None) -> Cell:
    """A sentence as one finds it again."""
    if longest is None:
        return None
    return longest["sent_id"] or f"number {longest['number']:,}"


def _show_distributions(out: Console, columns: dict[str, Report]) -> None:
    """How many sentences have each gap degree, each edge degree and each number of roots."""
    for name, report in columns.items():
        measures = {
            "gap degree": report["non_projectivity"]["gap_degree"],
            "edge degree": report["non_projectivity"]["edge_degree"],
            "roots": report["trees"]["roots"],
        }
        values = sorted({value for counts in measures.values() for value in counts})
        title = "Sentences by degree and roots" + (f": {name}" if len(columns) > 1 else "")
        rows: list[list[Cell]] = [
            [measure, *(counts.get(value, 0) for value in values)] for measure, counts in measures.items()
        ]
        show_table(out, title, ["", *map(str, values)], rows)


def _show_inventory(out: Console, title: str, counts: dict[str, int]) -> None:
    """All the values with their counts, in as many columns as there is room for."""
    if not counts:
        return
    from rich.columns import Columns
    from rich.text import Text

    entries = [Text.assemble((shown(value), "cyan"), " ", (shown(count), "dim")) for value, count in counts.items()]
    out.print(Text(f"{title} ({len(counts)})", style="bold"))
    out.print(Columns(entries, padding=(0, 3)))
    out.print()
