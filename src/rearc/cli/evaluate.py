"""`rearc evaluate`: how good a parser's output is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import (
    EncodingOption,
    JsonOption,
    NoSubtypesOption,
    PredictedEncodingOption,
    PunctuationOption,
    StrictOption,
)
from rearc.cli.guard import Skipped
from rearc.cli.reading import reading
from rearc.cli.tables import Cell, console, print_json, show_table
from rearc.files.names import suffix_of

if TYPE_CHECKING:
    from rearc.evaluation import Analysis, Calibration, Scores
    from rearc.evaluation.conll18 import Conll18


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Treebank with the right trees; - is standard input.")],
    predicted: Annotated[str, typer.Argument(metavar="PREDICTED", help="The same words with a parser's trees.")],
    json: JsonOption = False,
    analysis: Annotated[
        bool,
        typer.Option("--analysis", help="Scores by arc length, root distance, sentence length, label and tag too."),
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw the analysis, or the calibration: .svg, .pdf or .png."),
    ] = None,
    punctuation: PunctuationOption = "all",
    no_subtypes: NoSubtypesOption = False,
    conll18: Annotated[
        bool,
        typer.Option("--conll18", help="The metrics of the CoNLL 2018 shared task; tokens and sentences may differ."),
    ] = False,
    calibration: Annotated[
        bool,
        typer.Option("--calibration", help="Whether the parser is as often right as it says (parse --confidence)."),
    ] = False,
    encoding: EncodingOption = "utf-8",
    predicted_encoding: PredictedEncodingOption = None,
    strict: StrictOption = False,
) -> None:
    """Score predicted trees against gold trees: UAS, LAS and more, in percent.

    Examples:

    rearc evaluate gold.conllu predicted.conllu
    rearc evaluate gold.conllu predicted.conllu --analysis --plot errors.svg
    rearc evaluate gold.conllu predicted.conllu --conll18 --json
    rearc evaluate gold.conllu predicted.conllu --calibration --plot reliability.svg
    """
    if conll18 and (analysis or plot or no_subtypes or punctuation != "all"):
        raise typer.BadParameter(
            "its metrics are fixed: it goes with none of --analysis, --plot, --no-subtypes and --punctuation",
            param_hint="--conll18",
        )
    if calibration and (analysis or conll18):
        raise typer.BadParameter("it goes with neither --analysis nor --conll18", param_hint="--calibration")
    from rearc import evaluation
    from rearc.evaluation.plot import FORMATS

    if plot and suffix_of(plot) not in FORMATS:
        found = f"found the ending {suffix_of(plot)!r}, expected one of {', '.join(FORMATS)}"
        raise typer.BadParameter(found, param_hint="--plot")
    sides = [
        reading(file, Skipped(False), bar=False, encoding=each, strict=strict)
        for file, each in ((gold, encoding), (predicted, predicted_encoding or encoding))
    ]
    if conll18:
        _conll18(evaluation.conll18(*sides), json)
        return
    options: Any = {"punctuation": punctuation, "subtypes": not no_subtypes}
    if calibration:
        _calibration(evaluation.calibration(*sides, **options), json, plot)
        return
    detail = None
    if analysis or plot:
        detail = evaluation.analysis(*sides, **options)
        scores = detail.scores
    else:
        scores = evaluation.evaluate(*sides, **options)
    if plot and detail:
        evaluation.plot(detail, plot)
    if json:
        report = scores.as_dict()
        if analysis and detail:
            report["analysis"] = {name: rows for name, rows in detail.as_dict().items() if name != "scores"}
        print_json(report)
    else:
        _show(scores, detail if analysis else None)


def _show(scores: Scores, detail: Analysis | None) -> None:
    out = console()
    counts = scores.counts
    rows: list[list[Cell]] = [
        ["UAS", scores.uas, counts.heads_correct, counts.words],
        ["LAS", scores.las, counts.both_correct, counts.words],
        ["label accuracy", scores.label_accuracy, counts.labels_correct, counts.words],
        ["exact match", scores.exact_match, counts.sentences_both_correct, counts.sentences],
        ["exact match, unlabelled", scores.exact_match_unlabelled, counts.sentences_heads_correct, counts.sentences],
    ]
    show_table(out, "Scores", ["", "%", "correct", "of"], rows)
    arcs = (("unlabelled", scores.non_projective), ("labelled", scores.non_projective_labelled))
    show_table(
        out,
        "Non-projective arcs",
        ["", "precision", "recall", "F1", "gold", "predicted"],
        [[name, each.precision, each.recall, each.f1, each.gold, each.predicted] for name, each in arcs],
    )
    for table in detail.tables() if detail else ():
        show_table(out, *table)


def _calibration(found: Calibration, json: bool, plot: str | None) -> None:
    from rearc.evaluation import plot_calibration

    if plot:
        plot_calibration(found, plot)
    if json:
        print_json({"uas": found.heads.right, "las": found.both.right, "calibration": found.as_dict()})
        return
    out = console()
    for table in found.tables():
        show_table(out, *table)


def _conll18(metrics: Conll18, json: bool) -> None:
    if json:
        print_json({"uas": metrics.uas, "las": metrics.las, "conll18": metrics.as_dict()})
        return
    columns = ["metric", "precision", "recall", "F1", "aligned accuracy"]
    rows: list[list[Cell]] = [
        [name, metric.precision, metric.recall, metric.f1, metric.aligned_accuracy] for name, metric in metrics.items()
    ]
    show_table(console(), "CoNLL 2018", columns, rows)
