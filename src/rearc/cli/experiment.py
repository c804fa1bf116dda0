"""`rearc experiment`: systems × treebanks × seeds, and a table with significance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from rearc.cli.guard import ERROR, counted, say
from rearc.cli.tables import console, show_table

if TYPE_CHECKING:
    from rearc.experiment.results import Result
    from rearc.experiment.summary import Summary
    from rearc.experiment.tasks import Task

LOCAL = "local"


class ExperimentCommand(TyperCommand):
    """A command whose --ray may stand without an address."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words: list[str] = []
        for place, word in enumerate(args):
            words.append(word)
            following = args[place + 1 : place + 2]
            if word == "--ray" and (not following or following[0].startswith("-") or following[0].endswith(".toml")):
                words.append(LOCAL)
        return super().parse_args(ctx, words)


def experiment(
    spec: Annotated[Path, typer.Argument(metavar="SPEC.toml", help="What is tried on which treebanks, as above.")],
    jobs: Annotated[
        int | None,
        typer.Option(min=0, help="Runs at a time on this machine; 0 reports what is there.", show_default="1"),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            "--ray",
            metavar="[ADDRESS]",
            help="Spread the runs over a Ray cluster; without ADDRESS one is started here, of --jobs cores.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write tables and figures: .md, .tex, .csv, .html or .json."),
    ] = None,
    treebanks: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of treebanks, instead of the spec's.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for the results of runs, instead of the spec's.")
    ] = None,
) -> None:
    """Run an experiment: every setup on every treebank with every seed, and a table of means with significance.

    Each run leaves a file, so that a stopped experiment goes on where it was. A run that fails does not end the
    others. Ctrl-C keeps what is done, and a report is written all the same.

    A spec names treebanks, seeds and setups, whose options are those of rearc train:

    treebanks = "treebanks"
    seeds = [1, 2, 3]
    baseline = "static"
    setups.static = { system = "covington", oracle = "static" }
    setups.dynamic = { system = "covington", oracle = "dynamic" }

    Examples:

    rearc experiment spec.toml --jobs 4 --report table.html
    rearc experiment spec.toml --ray auto --report table.tex
    rearc experiment spec.toml --jobs 0 --report so-far.md
    """
    from rearc.experiment.report import check_report, write_report
    from rearc.experiment.results import load
    from rearc.experiment.spec import read_spec
    from rearc.experiment.summary import Summary
    from rearc.experiment.tasks import tasks_of

    if report is not None:
        check_report(report)
    made = read_spec(spec, treebanks, results)
    tasks = list(tasks_of(made))
    known = [(task, load(task)) for task in tasks]
    todo = [task for task, result in known if result is None or "error" in result]
    interrupt: KeyboardInterrupt | None = None
    if todo and (jobs != 0 or ray is not None):
        if len(todo) < len(tasks):
            say(f"already there: {counted(len(tasks) - len(todo), 'run')} of {len(tasks)}")
        try:
            _run(todo, jobs, ray)
        except KeyboardInterrupt as stopped:
            interrupt = stopped
            say("stopped; the same command goes on from here")
        known = [(task, load(task)) for task in tasks]
    summary = Summary(made, known)
    if report is not None:
        for file in write_report(summary, report):
            say(f"wrote {file}")
        _say_without_figures(report, summary)
    else:
        _show(summary)
    if interrupt is not None:
        raise interrupt
    if summary.failed:
        task, why = summary.failed[0]
        say(f"{counted(len(summary.failed), 'run')} failed, such as {_name(task)}: {why}")
        raise typer.Exit(ERROR)


def _run(todo: list[Task], jobs: int | None, ray: str | None) -> None:
    """Do the runs that are not there yet, and keep each result as it comes."""
    from rearc.cli.counting import Counting
    from rearc.experiment.results import store

    if ray is not None:
        from rearc.experiment.on_ray import run_on_ray

        results = run_on_ray(todo, ray, jobs)
    else:
        from rearc.experiment.local import run_here

        results = run_here(todo, jobs or 1)
    with Counting([task["size"] for task in todo]) as counting:
        try:
            for task, result in results:
                store(task, result)
                counting.done(task["size"], f"{_name(task)}: {_outcome(result)}")
        finally:
            results.close()  # type: ignore[attr-defined]


def _name(task: Task) -> str:
    return f"{task['treebank']}, {task['setup']}" + ("" if task["seed"] is None else f", seed {task['seed']}")


def _outcome(result: Result) -> str:
    if "error" in result:
        return f"failed: {result['error']}"
    values = result["values"]
    scores = [f"{name.upper()} {values[name]:.2f}" for name in ("uas", "las") if name in values]
    return " ".join(scores or ["done"]) + f", {result['seconds']:.0f} s"


def _say_without_figures(report: Path, summary: Summary) -> None:
    from rearc.experiment.plots import has_matplotlib

    if report.suffix.lower() in (".md", ".tex", ".html") and not has_matplotlib() and summary.done:
        say("without figures: they need matplotlib, pip install 'rearc[plot]'")


def _show(summary: Summary) -> None:
    """The tables on standard output."""
    from rearc.experiment.facts import facts
    from rearc.experiment.tables import tables

    out = console()
    for table in tables(summary):
        rows = [[item.text + item.mark for item in row] for row in table.rows]
        show_table(out, table.title, table.columns, rows)
        for note in table.notes:
            out.print(note, style="dim")
    show_table(out, "What was run", ["", ""], [[name, value] for name, value in facts(summary)])
