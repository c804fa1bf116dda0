"""What the verbs that train have in common: from options and treebanks to a model file."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.guard import Skipped, say
from rearc.cli.options import options_from, wrong
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.parser import Header, Parser
    from rearc.training import Options
    from rearc.training.corpus import Corpus

LogOption = Annotated[
    str | None, typer.Option("--log", metavar="FILE", help="Write a line of JSON an epoch; - is standard output.")
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the learning curve: .svg, .pdf or .png.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint of a stopped training.")]


@dataclass(frozen=True)
class Lessons:
    """What is learnt from."""

    corpus: Corpus
    dev: Corpus | None
    texts: Corpus | None = None  # what teaches segmentation and a second tagger, if it is not all of the corpus


def checked_options(given: dict[str, Any], plot: Path | None) -> Options:
    """The options of training that were typed; wrong usage for what no treebank could make right."""
    from rearc.training import OptionError, TrainingError
    from rearc.training.plan import check
    from rearc.training.plot import check_plot

    options = options_from(given)
    try:
        check(options)
    except OptionError as error:
        raise wrong(error, given) from None
    if plot:
        try:
            check_plot(plot)
        except TrainingError as error:
            raise typer.BadParameter(str(error), param_hint=["--plot"]) from None
    return options


def learn(
    output: Path,
    lessons: Lessons,
    options: Options,
    given: dict[str, Any],
    log: str | None,
    plot: Path | None,
    resume: bool,
    finish: Callable[[Parser], Parser] = lambda parser: parser,
) -> None:
    """Train and save; a signal ends with the best model so far.

    finish: what becomes of the model before it is saved.
    """
    from rearc.cli.watching import TerminalWatcher
    from rearc.training import OptionError, Stopped
    from rearc.training.checkpoint import checkpoint_of
    from rearc.training.defaults import choose_epochs
    from rearc.training.loop import train_on
    from rearc.training.plot import plot_curve

    checkpoint = checkpoint_of(output)
    epochs = options.epochs or choose_epochs(options.model, lessons.corpus.about.words)
    with TerminalWatcher(epochs, log) as watcher:
        try:
            parser = train_on(lessons.corpus, lessons.dev, options, checkpoint, resume, watcher, lessons.texts)
        except Stopped:
            say(watcher.nothing_yet)
            raise typer.Exit(128 + (watcher.signal or 0)) from None
        except OptionError as error:
            raise wrong(error, given) from None
    if plot and watcher.history:
        plot_curve(watcher.history, plot)
    if watcher.signal is None:
        finish(parser).save(output)
        checkpoint.unlink(missing_ok=True)
        say(f"{output}: {_summary(parser.header)}, {output.stat().st_size / 1e6:.1f} MB")
        return
    if watcher.learnt:
        finish(parser).save(output)
        say(f"stopped; {output} has {_summary(parser.header)}; --resume goes on from {checkpoint}")
    raise typer.Exit(128 + watcher.signal)


def check_writable(output: Path) -> None:
    """Rather now than after hours of training."""
    import tempfile

    from rearc.files.names import refused
    from rearc.parser.errors import ModelError

    try:
        if output.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        with tempfile.TemporaryFile(dir=output.parent):
            pass
    except OSError as error:
        reason = refused(str(output), error, "a place to write the model to")
        raise ModelError(str(output), reason.found, reason.expected, reason.remedy) from None


def corpus_of(file: str, skipped: Skipped, format: str | None, encoding: str, strict: bool) -> Corpus:
    from rearc.training.corpus import make_corpus

    return make_corpus(file, reading(file, skipped, format=format, encoding=encoding, strict=strict))


def _summary(header: Header) -> str:
    scores = "".join(f", {name.upper()} {value:.2f}" for name, value in header.scores.items())
    return f"{header.system}, epoch {header.epoch} of {header.epochs}{scores}"
