"""`rearc rank`: what to annotate next, and what is probably annotated wrongly."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import EncodingOption, FormatOption, JsonOption, SkipInvalidOption, StrictOption, choice
from rearc.cli.guard import Skipped, say
from rearc.cli.parsing import TAGS
from rearc.cli.reading import reading
from rearc.cli.tables import Cell, console, print_json, show_table

if TYPE_CHECKING:
    from rearc.evaluation.ranking import Ranked, Suspect
    from rearc.treebank import Sentence

MEASURES = ("confidence", "mean", "least", "wrong")
SHOWN = 60  # characters of a text in a table


def rank(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Sentences, annotated or not; - is standard input.")],
    model: Annotated[
        str,
        typer.Option("--model", "-m", metavar="MODEL", help="Model file, or a name; one that was trained with --dev."),
    ] = "en",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="MEASURE",
            callback=choice(*MEASURES),
            help="Sentences by the least [bold]confidence[/] that all heads are right, the least [bold]mean[/] "
            "confidence of their words, their [bold]least[/] certain word, or the most [bold]wrong[/] heads to expect.",
        ),
    ] = "confidence",
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many to list.")] = 20,
    labels: Annotated[
        bool, typer.Option("--labels", help="Words with the same head and another label count as well.")
    ] = False,
    tags: Annotated[
        str,
        typer.Option("--tags", metavar="WHICH", callback=choice(*TAGS), help="Tags to go by, as for parse."),
    ] = "auto",
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads that parse.")] = 1,
    json: JsonOption = False,
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """List the sentences most worth annotating, those that the model is least sure of.

    If the file has trees, list the words too where a model that is sure of itself disagrees with them: likely mistakes
    of the annotation. The model should not have been trained on these sentences.

    Examples:

    rearc rank new.conllu -m my.rearc --by mean --top 100
    rearc rank treebank.conllu -m my.rearc --json
    """
    from rearc.evaluation.ranking import Ranking
    from rearc.parser import load

    parser = load(model)
    if not parser.has_confidence:
        raise typer.BadParameter(f"{model} does not know how sure it is: train it with --dev", param_hint="--model")
    if tags == "predict" and not parser.has_tagger:
        raise typer.BadParameter(f"{model} has no tagger: give tagged sentences", param_hint="--tags")
    skipped = Skipped(skip_invalid)
    waiting: deque[Sentence] = deque()

    def given() -> Iterator[Sentence]:
        for sentence in reading(file, skipped, format=format, encoding=encoding, strict=strict):
            waiting.append(sentence)
            yield sentence

    ranking = Ranking(by, labels)
    for parsed in parser.parse_many(given(), threads=threads, tags=tags, confidence=True):
        ranking.add(waiting.popleft(), parsed)
    sentences, words = ranking.best(top)
    if json:
        report = {"by": by, "sentences": [entry.as_dict() for entry in sentences]}
        print_json(report | {"words": [entry.as_dict() for entry in words]} if ranking.annotated else report)
    else:
        _show(by, sentences, words if ranking.annotated else None)
    if not json and ranking.annotated:
        say(f"{len(ranking.words):,} words of {ranking.annotated:,} annotated sentences are parsed otherwise")
    skipped.finish()


def _show(by: str, sentences: list[Ranked], words: list[Suspect] | None) -> None:
    out = console()
    rows: list[list[Cell]] = [
        [entry.where, entry.sent_id, f"{entry.value:.4f}", entry.words, _cut(entry.text)] for entry in sentences
    ]
    show_table(out, "Sentences most worth annotating", ["sentence", "id", by, "words", "text"], rows)
    if words is not None:
        rows = [
            [
                entry.where, entry.word, f"{entry.confidence:.4f}", f"{entry.head} {entry.deprel}",
                f"{entry.predicted_head} {entry.predicted_deprel}", entry.context,
            ]
            for entry in words
        ]  # fmt: skip
        columns = ["sentence", "word", "confidence", "annotated", "parsed", "context"]
        show_table(out, "Words where the model disagrees and is sure", columns, rows)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
