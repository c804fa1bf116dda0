"""`rearc train`: a parser from a treebank."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rearc.cli.common import EncodingOption, FormatOption, SkipInvalidOption, StrictOption, check_apart, known_encoding
from rearc.cli.guard import Skipped, say
from rearc.cli.options import options_from, with_options, wrong
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.parser import Header
    from rearc.training.corpus import Corpus


@with_options
def train(
    treebank: Annotated[str, typer.Argument(metavar="TRAIN", help="Treebank to learn from; - is standard input.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")],
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="Treebank to score on; the best epoch is kept.")
    ] = None,
    log: Annotated[
        str | None, typer.Option("--log", metavar="FILE", help="Write a line of JSON an epoch; - is standard output.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the learning curve: .svg, .pdf or .png.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint of a stopped training.")] = False,
    format: FormatOption = None,
    encoding: EncodingOption = "utf-8",
    dev_encoding: Annotated[
        str | None,
        typer.Option(
            "--dev-encoding", callback=known_encoding, help="Encoding of DEV.", show_default="that of --encoding"
        ),
    ] = None,
    strict: StrictOption = False,
    skip_invalid: SkipInvalidOption = False,
    **given: Any,
) -> None:
    """Train a parser on a treebank.

    With nothing but TRAIN, --dev and -o, rearc tries several systems on parts of TRAIN and takes the one that
    parses DEV best (without DEV, a tenth of TRAIN that is held out for it); with --quick one that is right on average.
    Ctrl-C or SIGTERM ends with the best model so far, and MODEL.checkpoint goes on with --resume
    to the same result as if nothing had happened.

    Examples:

    rearc train train.conllu --dev dev.conllu -o my.rearc
    rearc train train.conllu --dev dev.conllu -o my.rearc --system covington-nonmonotonic --oracle upper
    rearc train train.conllu --dev dev.conllu -o my.rearc --model bilstm --size small
    """
    from rearc.cli.watching import TerminalWatcher
    from rearc.training import OptionError, Stopped, TrainingError
    from rearc.training.checkpoint import checkpoint_of
    from rearc.training.defaults import choose_epochs
    from rearc.training.loop import train_on
    from rearc.training.plan import check
    from rearc.training.plot import check_plot, plot_curve

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
    files = (options.features, options.clusters, options.vectors)
    check_apart(str(output), [treebank, dev, *(str(file) for file in files if file)])
    _check_writable(output)
    skipped = Skipped(skip_invalid)
    corpus = _corpus(treebank, skipped, format, encoding, strict)
    dev_corpus = _corpus(dev, skipped, format, dev_encoding or encoding, strict) if dev else None
    checkpoint = checkpoint_of(output)
    epochs = options.epochs or choose_epochs(options.model, corpus.about.words)
    with TerminalWatcher(epochs, log) as watcher:
        try:
            parser = train_on(corpus, dev_corpus, options, checkpoint, resume, watcher)
        except Stopped:
            say(watcher.nothing_yet)
            raise typer.Exit(128 + (watcher.signal or 0)) from None
        except OptionError as error:
            raise wrong(error, given) from None
    if plot and watcher.history:
        plot_curve(watcher.history, plot)
    if watcher.signal is None:
        parser.save(output)
        checkpoint.unlink(missing_ok=True)
        say(f"{output}: {_summary(parser.header)}, {output.stat().st_size / 1e6:.1f} MB")
        skipped.finish()
        return
    if watcher.learnt:
        parser.save(output)
        say(f"stopped; {output} has {_summary(parser.header)}; --resume goes on from {checkpoint}")
    raise typer.Exit(128 + watcher.signal)


def _check_writable(output: Path) -> None:
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


def _corpus(file: str, skipped: Skipped, format: str | None, encoding: str, strict: bool) -> Corpus:
    from rearc.training.corpus import make_corpus

    return make_corpus(file, reading(file, skipped, format=format, encoding=encoding, strict=strict))


def _summary(header: Header) -> str:
    scores = "".join(f", {name.upper()} {value:.2f}" for name, value in header.scores.items())
    return f"{header.system}, epoch {header.epoch} of {header.epochs}{scores}"
