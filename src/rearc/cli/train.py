"""`rearc train`: a parser from a treebank."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rearc.cli.common import EncodingOption, FormatOption, SkipInvalidOption, StrictOption, check_apart, known_encoding
from rearc.cli.guard import Skipped
from rearc.cli.learning import (
    Lessons,
    LogOption,
    PlotOption,
    ResumeOption,
    check_writable,
    checked_options,
    corpus_of,
    learn,
)
from rearc.cli.options import with_options


@with_options
def train(
    treebank: Annotated[str, typer.Argument(metavar="TRAIN", help="Treebank to learn from; - is standard input.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")],
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="Treebank to score on; the best epoch is kept.")
    ] = None,
    log: LogOption = None,
    plot: PlotOption = None,
    resume: ResumeOption = False,
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
    options = checked_options(given, plot)
    files = (options.features, options.clusters, options.vectors)
    check_apart(str(output), [treebank, dev, *(str(file) for file in files if file)])
    check_writable(output)
    skipped = Skipped(skip_invalid)
    corpus = corpus_of(treebank, skipped, format, encoding, strict)
    dev_corpus = corpus_of(dev, skipped, format, dev_encoding or encoding, strict) if dev else None
    learn(output, Lessons(corpus, dev_corpus), options, given, log, plot, resume)
    skipped.finish()
