"""`rearc oracle`: derivations, coverage and loss bounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import EncodingOption, FileArgument, FormatOption, JsonOption, SkipInvalidOption, StrictOption
from rearc.cli.guard import Skipped
from rearc.cli.reading import reading
from rearc.cli.show import chosen
from rearc.cli.tables import Cell, console, print_json, show_table

if TYPE_CHECKING:
    from rearc.oracles.bounds import Bounds
    from rearc.oracles.trace import Arc, Step
    from rearc.treebank import Sentence


def oracle(
    file: FileArgument,
    system: Annotated[str, typer.Option(metavar="SYSTEM", help="Transition system.")] = "",
    name: Annotated[
        str, typer.Option("--oracle", metavar="ORACLE", help="Oracle of that system; without it, the system's first.")
    ] = "",
    sentence: Annotated[
        str, typer.Option("--sentence", "-s", metavar="N|SENT_ID", help="The sentence to derive.")
    ] = "1",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="What share of the treebank each system can derive, and at what price.")
    ] = False,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="How close the bounds of a non-monotonic system come to the true loss.")
    ] = False,
    transitions: Annotated[int, typer.Option(min=1, help="How many transitions --bounds looks at.")] = 100_000,
    follow: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Take an optimal transition with this probability, any other otherwise; 1, or 0.9 with --bounds.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the transitions that are not followed.")] = 1,
    single_root: Annotated[bool, typer.Option("--single-root", help="Exactly one root a sentence.")] = False,
    json: JsonOption = False,
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """Look at oracles: a derivation step by step, what systems can derive, how tight loss bounds are.

    A derivation is printed as the papers do: transition, lists, arcs added and
    removed, and what the transition cost. With --follow 0.8 it strays, and one
    sees how the system lives with it or mends it.

    Examples:

    rearc oracle treebank.conllu --system arc-hybrid-swap --sentence 3
    rearc oracle treebank.conllu --system covington-nonmonotonic --oracle upper --follow 0.8
    rearc oracle treebank.conllu --coverage
    rearc oracle treebank.conllu --bounds --transitions 10000
    """
    if coverage and bounds:
        raise typer.BadParameter("choose one of --coverage and --bounds", param_hint="--coverage")
    skipped = Skipped(skip_invalid)
    options: Any = {"format": format, "encoding": encoding, "single_root": single_root, "strict": strict}
    sentences = reading(file, skipped, bar=coverage, **options)
    if coverage:
        _coverage(sentences, system, single_root, json)
    elif bounds:
        _bounds(
            sentences, _system(system or "covington-nonmonotonic", bounds=True), name, transitions, follow, seed, json
        )
    else:
        (one,) = chosen(sentences, [sentence], file)
        _derivation(one, _system(system), name, 1.0 if follow is None else follow, seed, single_root, json)
    skipped.finish()


def _system(name: str, bounds: bool = False) -> str:
    from rearc.oracles import oracles
    from rearc.systems import systems

    known = [each for each in systems() if not bounds or "lower" in oracles(each)]
    if name not in known:
        found = repr(name) if name else "nothing"
        raise typer.BadParameter(f"found {found}, expected one of {', '.join(known)}", param_hint="--system")
    return name


def _oracle(system: str, name: str) -> str:
    from rearc.oracles import oracles

    known = oracles(system)
    if name and name not in known:
        raise typer.BadParameter(f"found {name!r}, expected one of {', '.join(known)}", param_hint="--oracle")
    return name or known[0]


def _derivation(
    sentence: Sentence, system: str, name: str, follow: float, seed: int, single_root: bool, json: bool
) -> None:
    from rearc.oracles import oracle
    from rearc.oracles.trace import trace

    _need_trees([sentence])
    judge = oracle(
        system,
        _oracle(system, name),
        sentence.tree,
        gold_labels=[None, *sentence.deprels],
        single_root=single_root,
    )
    start = str(judge.start())
    steps = list(trace(judge, follow=follow, seed=seed))
    if json:
        report = {"system": system, "oracle": judge.name, "forms": sentence.forms, "start": start}
        print_json(report | {"steps": [_step_as_dict(step) for step in steps]})
        return
    from rich.text import Text

    out = console()
    out.print(Text(" ".join(f"{form}/{k}" for k, form in enumerate(sentence.forms, 1)), style="dim"), soft_wrap=True)
    rows: list[list[Cell]] = [["", None, start, "", ""]]
    for step in steps:
        rows.append([step.transition, step.cost, step.state, _arcs(step.added), _arcs(step.removed)])
    show_table(out, f"{system}, {judge.name} oracle", ["transition", "cost", "configuration", "added", "removed"], rows)


def _step_as_dict(step: Step) -> dict[str, Any]:
    return {
        "transition": step.transition,
        "cost": step.cost,
        "optimal": step.optimal,
        "configuration": step.state,
        "added": [{"head": h, "dependent": d, "label": label} for h, d, label in step.added],
        "removed": [{"head": h, "dependent": d, "label": label} for h, d, label in step.removed],
    }


def _arcs(arcs: Iterable[Arc]) -> str:
    return ", ".join(f"{h}→{d}" + (f" {label}" if label else "") for h, d, label in arcs)


def _need_trees(sentences: Iterable[Sentence]) -> list[Any]:
    from rearc.treebank import TreebankError

    trees = []
    for sentence in sentences:
        if not sentence.has_tree:
            raise TreebankError(
                sentence.file, sentence.line, 0, "a sentence without heads", "a tree", "give a treebank with trees"
            )
        trees.append(sentence.tree)
    return trees


def _coverage(sentences: Iterable[Sentence], system: str, single_root: bool, json: bool) -> None:
    from rearc.oracles.coverage import coverage

    trees = _need_trees(sentences)
    rows = list(coverage(trees, [_system(system)] if system else None, single_root=single_root))
    if json:
        print_json([row.as_dict() for row in rows])
        return
    show_table(
        console(),
        f"What each system can derive of {len(trees):,} sentences",
        ["system", "oracle", "sentences %", "arcs %", "transitions/word", "swaps/sentence", "longest derivation"],
        [
            [
                row.system,
                row.oracle,
                row.sentences,
                row.arcs,
                row.transitions_per_word,
                row.swaps_per_sentence,
                row.longest,
            ]
            for row in rows
        ],
    )


def _bounds(
    sentences: Iterable[Sentence],
    system: str,
    policy: str,
    transitions: int,
    follow: float | None,
    seed: int,
    json: bool,
) -> None:
    from rich.console import Console
    from rich.progress import Progress

    from rearc.oracles.bounds import BOUNDS, bounds

    trees = _need_trees(sentences)
    with Progress(
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal
    ) as progress:
        task = progress.add_task("transitions", total=transitions)
        result: Bounds = bounds(
            trees,
            system,
            transitions=transitions,
            policy=_oracle(system, policy or "upper"),
            follow=0.9 if follow is None else follow,
            seed=seed,
            progress=lambda done: progress.update(task, completed=done),
        )
    if json:
        print_json(result.as_dict())
        return
    rows: list[list[Cell]] = [
        [name, f"{result.average[name]:.5f}", f"{result.relative[name]:.5f}" if name in BOUNDS else None]
        for name in ("lower", "loss", "simulated", "pc-upper", "upper")
    ]
    title = f"{system}: {result.configurations:,} configurations"
    if result.undecided:
        title += f" ({result.undecided:,} left out: the search for their loss was cut short)"
    show_table(console(), title, ["", "average", "relative difference to loss"], rows)
