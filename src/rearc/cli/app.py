"""The verbs together. A new one needs its import and its name in VERBS."""

from typing import Annotated

import typer

from rearc.cli.compare import compare
from rearc.cli.convert import convert
from rearc.cli.distil import distil
from rearc.cli.evaluate import evaluate
from rearc.cli.experiment import ExperimentCommand, experiment
from rearc.cli.guard import EXIT_CODES, guarded
from rearc.cli.info import info
from rearc.cli.models import models
from rearc.cli.options import TrainCommand
from rearc.cli.oracle import oracle
from rearc.cli.package import package
from rearc.cli.parse import parse
from rearc.cli.rank import rank
from rearc.cli.serve import serve
from rearc.cli.show import show
from rearc.cli.tag import tag
from rearc.cli.train import train

VERBS = (
    parse, tag, train, distil, show, info, models, package, convert, evaluate, compare, experiment, rank, oracle, serve,
)  # fmt: skip

app = typer.Typer(
    name="rearc",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
# verbs whose arguments are read in a way of their own
COMMANDS = {train: TrainCommand, distil: TrainCommand, experiment: ExperimentCommand}
for verb in VERBS:
    app.command(cls=COMMANDS.get(verb), epilog=EXIT_CODES)(guarded(verb))


def _print_version(wanted: bool) -> None:
    if wanted:
        from rearc.version import __version__

        typer.echo(f"rearc {__version__}")
        raise typer.Exit


@app.callback(epilog=EXIT_CODES)
def rearc(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Dependency parsing: parse, tag, train; look at trees, count, convert, score, compare; systems and oracles."""
