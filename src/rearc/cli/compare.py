"""`rearc compare`: whether one output is really better than another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import (
    EncodingOption,
    JsonOption,
    NoSubtypesOption,
    PredictedEncodingOption,
    PunctuationOption,
    StrictOption,
    choice,
)
from rearc.cli.guard import Skipped
from rearc.cli.reading import reading
from rearc.cli.tables import Cell, console, print_json, show_table

if TYPE_CHECKING:
    from rearc.evaluation import Comparison
    from rearc.treebank import Sentence

TESTS = ("randomisation", "bootstrap", "mcnemar")


def compare(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Treebank with the right trees.")],
    outputs: Annotated[list[str], typer.Argument(metavar="A B [C…]", help="Outputs of two parsers or more.")],
    json: JsonOption = False,
    test: Annotated[
        list[str] | None,
        typer.Option(
            "--test",
            metavar="TEST",
            callback=choice(*TESTS),
            help="randomisation (Yeh 2000), bootstrap or mcnemar; may be repeated. Without it: all three.",
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of randomisation and samples of the bootstrap.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same p-values.")] = 1,
    punctuation: PunctuationOption = "all",
    no_subtypes: NoSubtypesOption = False,
    encoding: EncodingOption = "utf-8",
    predicted_encoding: PredictedEncodingOption = None,
    strict: StrictOption = False,
) -> None:
    """Compare parsers' outputs: differences in UAS and LAS, and how likely they are by chance.

    The differences are B − A in percentage points, with a 95 % bootstrap
    interval; the p-values are two-sided.

    Examples:

    rearc compare gold.conllu baseline.conllu new.conllu
    rearc compare gold.conllu a.conllu b.conllu c.conllu --test randomisation --json
    """
    tests = test or TESTS
    if len(outputs) < 2:
        raise typer.BadParameter("found one output, expected two or more to compare", param_hint="'A B [C…]'")
    if len(set(outputs)) < len(outputs):
        raise typer.BadParameter("found the same output twice", param_hint="'A B [C…]'")
    from rearc import evaluation

    options: Any = {"punctuation": punctuation, "subtypes": not no_subtypes, "rounds": rounds, "seed": seed}
    sides = {name: _read(name, predicted_encoding or encoding, strict) for name in outputs}
    comparison = evaluation.compare(_read(gold, encoding, strict), sides, **options)
    if json:
        report = comparison.as_dict()
        for difference in report["differences"]:
            for each in set(TESTS) - set(tests):
                del difference[each]
        print_json(report)
    else:
        _show(comparison, tests)


def _read(file: str, encoding: str, strict: bool) -> Iterator[Sentence]:
    return reading(file, Skipped(False), bar=False, encoding=encoding, strict=strict)


def _show(comparison: Comparison, tests: Sequence[str]) -> None:
    out = console()
    scores: list[list[Cell]] = [
        [name, each.uas, each.las, each.label_accuracy, each.exact_match] for name, each in comparison.scores.items()
    ]
    show_table(out, "Scores", ["output", "UAS", "LAS", "label accuracy", "exact match"], scores)
    rows: list[list[Cell]] = []
    for each in comparison.differences:
        interval = f"{each.low:+.2f} … {each.high:+.2f}"
        p_values = [_p(getattr(each, test)) for test in tests]
        rows.append([f"{each.b} − {each.a}", each.metric.upper(), f"{each.difference:+.2f}", interval, *p_values])
    columns = ["difference", "in", "points", "95 % interval", *(f"p {test}" for test in tests)]
    show_table(out, "Differences", columns, rows)


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
