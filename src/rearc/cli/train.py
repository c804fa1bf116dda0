"""`rearc train`: a parser from a treebank."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rearc.cli.common import EncodingOption, FormatOption, SkipInvalidOption, choice
from rearc.cli.guard import Skipped, say
from rearc.cli.reading import reading

if TYPE_CHECKING:
    from rearc.parser import Header
    from rearc.training.corpus import Corpus

NON_PROJECTIVE = ("lift", "drop", "head", "path", "head+path")


def _policy(text: str | None) -> str | None:
    if text is not None:
        try:
            after, probability = text.split(",")
            if not (int(after) >= 0 and 0 <= float(probability) <= 1):
                raise ValueError
        except ValueError:
            raise typer.BadParameter(f"found {text!r}, expected K,P such as 1,0.9: K ≥ 0, 0 ≤ P ≤ 1") from None
    return text


def train(
    treebank: Annotated[str, typer.Argument(metavar="TRAIN", help="Treebank to learn from; - is standard input.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")],
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="Treebank to score on; the best epoch is kept.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="S", help="Transition system; else chosen by the model and non-projectivity."),
    ] = None,
    oracle: Annotated[
        str | None, typer.Option("--oracle", metavar="O", help="One of the system's oracles; else the best of them.")
    ] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="Passes over the treebank.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same model.")] = 1,
    features: Annotated[
        str | None,
        typer.Option("--features", metavar="FILE|NAME", help="Feature templates: a file, or a set that rearc brings."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy", metavar="K,P", callback=_policy, help="After K epochs follow the prediction with probability P."
        ),
    ] = None,
    non_projective: Annotated[
        str | None,
        typer.Option(
            "--non-projective",
            metavar="HOW",
            callback=choice(*NON_PROJECTIVE),
            help="For systems that derive projective trees alone: [bold]lift[/] arcs, [bold]drop[/] sentences, or lift "
            "and mark the labels so that parsing brings the arcs back ([bold]head[/], [bold]path[/], "
            "[bold]head+path[/]).",
        ),
    ] = None,
    single_root: Annotated[
        bool | None,
        typer.Option("--single-root/--several-roots", help="Roots of a parsed tree; else learnt from the treebank."),
    ] = None,
    prune: Annotated[
        float,
        typer.Option("--prune", min=0, max=1, help="Leave out features with weights below this share of the largest."),
    ] = 0.0,
    clusters: Annotated[
        str | None, typer.Option("--clusters", metavar="FILE", help="Brown clusters for templates that look at them.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="KIND",
            callback=choice("perceptron", "bilstm"),
            help="[bold]perceptron[/], or [bold]bilstm[/]: more accurate and slower; needs PyTorch to be trained.",
        ),
    ] = "perceptron",
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            metavar="NAME",
            help="Of a bilstm: [bold]small[/], [bold]base[/], or a paper's: [bold]paper-001[/], [bold]paper-002[/].",
        ),
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option(
            "--loss",
            metavar="NAME",
            help="Of a bilstm: cross-entropy of the [bold]best[/] optimal transition, of all of them "
            "([bold]marginal[/]), or [bold]margin[/].",
        ),
    ] = None,
    rate: Annotated[float | None, typer.Option("--learning-rate", metavar="X", help="Of a bilstm.")] = None,
    slots: Annotated[
        str | None,
        typer.Option(
            "--slots",
            metavar="SLOTS",
            help="Words that a bilstm for a system with a stack sees, such as 's2 s1 s0 b0 s0l s0r'; l and r are "
            "the outermost dependents.",
        ),
    ] = None,
    vectors: Annotated[
        str | None,
        typer.Option("--vectors", metavar="FILE", help="Word vectors for a bilstm: text of GloVe, fastText …, or .gz."),
    ] = None,
    tagger: Annotated[
        bool, typer.Option("--tagger", help="Train a tagger beside the parser, for words without tags.")
    ] = False,
    jackknife: Annotated[
        int,
        typer.Option(
            "--jackknife", metavar="K", min=0, help="With --tagger: learn from tags predicted part by part, in K parts."
        ),
    ] = 0,
    licence: Annotated[
        str | None, typer.Option("--licence", metavar="TEXT", help="Licence of the treebank, to be kept in the model.")
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
    skip_invalid: SkipInvalidOption = False,
) -> None:
    """Train a parser on a treebank.

    With nothing but TRAIN, --dev and -o, rearc chooses what parses such a treebank best, and says so.
    Ctrl-C or SIGTERM ends with the best model so far, and MODEL.checkpoint goes on with --resume
    to the same result as if nothing had happened.

    Examples:

    rearc train train.conllu --dev dev.conllu -o my.rearc
    rearc train train.conllu --dev dev.conllu -o my.rearc --system covington-nonmonotonic --oracle upper
    rearc train train.conllu --dev dev.conllu -o my.rearc --model bilstm --size small
    """
    from rearc.cli.watching import TerminalWatcher
    from rearc.training import Options, TrainingError
    from rearc.training.checkpoint import checkpoint_of
    from rearc.training.errors import Stopped
    from rearc.training.plan import check
    from rearc.training.plot import check_plot, plot_curve
    from rearc.training.train import train_on

    options = Options(
        system=system,
        oracle=oracle,
        epochs=epochs,
        seed=seed,
        features=features,
        policy=_pair(policy),
        non_projective=non_projective,
        single_root=single_root,
        prune=prune,
        clusters=clusters,
        model=model,
        size=size,
        loss=loss,
        rate=rate,
        slots=slots,
        vectors=vectors,
        tagger=tagger,
        jackknife=jackknife,
        licence=licence,
    )
    try:
        check(options)
        if plot:
            check_plot(plot)
    except TrainingError as error:
        raise typer.BadParameter(str(error)) from None
    _check_writable(output)
    skipped = Skipped(skip_invalid)
    corpus = _corpus(treebank, skipped, format, encoding)
    dev_corpus = _corpus(dev, skipped, format, encoding) if dev else None
    checkpoint = checkpoint_of(output)
    with TerminalWatcher(options.passes, log) as watcher:
        try:
            parser = train_on(corpus, dev_corpus, options, checkpoint, resume, watcher)
        except Stopped:
            say("stopped before there was a model")
            raise typer.Exit(128 + (watcher.signal or 0)) from None
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


def _pair(policy: str | None) -> tuple[int, float] | None:
    if policy is None:
        return None
    after, probability = policy.split(",")
    return int(after), float(probability)


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


def _corpus(file: str, skipped: Skipped, format: str | None, encoding: str) -> Corpus:
    from rearc.training.corpus import make_corpus

    return make_corpus(file, reading(file, skipped, format=format, encoding=encoding))


def _summary(header: Header) -> str:
    scores = "".join(f", {name.upper()} {value:.2f}" for name, value in header.scores.items())
    return f"{header.system}, epoch {header.epoch} of {header.epochs}{scores}"
